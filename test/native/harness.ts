// Programs under the scheduler, as tests use them: compiled into a folder that is removed afterwards. Without a C
// compiler these tests are skipped by name; where there is one they must run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Campaign,
  type CampaignOptions,
  type Finding,
  type Found,
  functionsFor,
  type Runner,
  type RunRequest,
  symbolsOf,
} from '../../src/native/index.js'
import { compileProgram } from '../../src/native/process/compile.js'
import { Server } from '../../src/native/process/server.js'

export const compiler = process.env['CC'] || 'cc'
export const hasCompiler = spawnSync(compiler, ['--version']).status === 0
export const hasCxx = spawnSync(process.env['CXX'] || 'c++', ['--version']).status === 0
/** With semaphores in the library. */
export const hasCxx20 =
  spawnSync(process.env['CXX'] || 'c++', '-std=c++20 -fsyntax-only -include semaphore -x c++ /dev/null'.split(' '))
    .status === 0
export const SKIPPED = `skipped: no C compiler (${compiler})`

let count = 0

export const withProgram = async <T>(text: string, use: (runner: Runner) => Promise<T>, name = 'p.c'): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-native-test-'))
  try {
    writeFileSync(join(folder, name), text)
    const options = {
      dataModel: 'lp64',
      defines: [],
      includeDirs: [],
      optimise: 'O0',
      cflags: text.includes('<semaphore>') ? ['-std=c++20'] : [],
      ldflags: [],
      tracesComparisons: text.includes('__VERIFIER_nondet'),
    } as const
    const built = await compileProgram({ ...options, files: [join(folder, name)], folder })
    if (built.kind === 'problem') throw new Error(built.text)
    const functions = functionsFor(symbolsOf(readFileSync(built.program)))
    const controlFile = join(folder, `control-${count++}`)
    const server = new Server({ program: built.program, args: [], controlFile, functions, dictionary: [] })
    try {
      return await use(server)
    } finally {
      server.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One run that goes on with the same thread as long as it can. */
export const BASE: RunRequest = {
  ...{ policy: 'stay', seed: 0n, checks: 0, record: 0, maxSteps: 20_000, runMs: 5000, segments: [], values: [] },
  ...{ depth: 3, length: 40, fill: 0, reuse: false, spurious: 1, mallocMayFail: false, maxThreads: 512 },
}

export interface Searched {
  readonly found: Found | undefined
  readonly campaign: Campaign
}

const ALL: ReadonlySet<Finding> = new Set(['assert', 'no-data-race', 'no-deadlock', 'crash', 'leak'])

export const search = async (runner: Runner, options: Partial<CampaignOptions> = {}): Promise<Searched> => {
  const until = Date.now() + 8000
  const campaign = new Campaign([runner], {
    findings: ALL,
    strategy: 'auto',
    seed: 1n,
    maxRuns: 400,
    maxSteps: 50_000,
    runMs: 5000,
    depth: 3,
    spurious: 4,
    mallocMayFail: false,
    openValues: [0n, 1n, 2n],
    isOver: () => Date.now() > until,
    remainingMs: () => until - Date.now(),
    patience: () => false,
    isAssumption: () => false,
    ...options,
  })
  return { found: await campaign.run(), campaign }
}

/** What is found in a program, or how often it was run in vain. */
export const findIn = (text: string, options: Partial<CampaignOptions> = {}, name = 'p.c'): Promise<string> =>
  withProgram(
    text,
    async (runner) => {
      const { found, campaign } = await search(runner, options)
      return found?.finding ?? `nothing${campaign.counts.trouble ? `: ${campaign.counts.trouble}` : ''}`
    },
    name,
  )
