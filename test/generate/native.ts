// Generated programs on the machine: compiled by its compiler, run over all their schedules, and what they end with
// compared with what the interpreter says is reachable. An outcome that the machine shows and the interpreter excludes
// is a wrong model of C, of the library or of the semantics; one that only the interpreter has is a matter of
// precision: unspecified order, or more than the schedules tried.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CParser } from '../../src/frontend/c/index.js'
import {
  CHECKS,
  Exploration,
  functionsFor,
  type RunAnswer,
  type RunRequest,
  symbolsOf,
} from '../../src/native/index.js'
import { compileProgram as compileNatively } from '../../src/native/process/compile.js'
import { Server } from '../../src/native/process/server.js'
import { type OracleResult, oracle } from '../../src/semantics/index.js'
import { compileProgram } from './harness.js'

/** A program whose main ends with `finish`, given the name of a number that tells its result. */
export interface OutcomeProgram {
  readonly text: (finish: string) => string
}

const FINISH = /\n( *)assert\(([^;]*)\);\n( *)return ([^;]*);\n\}\s*$/

/** The final claim is replaced by the program's result: the values of its global numbers. */
export const outcomeProgram = (text: string): OutcomeProgram | undefined => {
  const match = FINISH.exec(text)
  if (!match) return undefined
  const names = [...text.matchAll(/^(?:_Atomic )?int ([a-z]\w*(?:, [a-z]\w*)*)(?: = [^;]*)?;$/gm)].flatMap(([, list]) =>
    list!.split(', '),
  )
  const parts = [...names, ...(/^struct pair both/m.test(text) ? ['both.left', 'both.right'] : [])].slice(0, 6)
  const sum = parts.map((name) => `outcome = outcome * 256 + (${name} & 255);`).join(' ')
  const head = 'extern void reach_error(void); extern void __heddle_outcome(unsigned long long);\n'
  return {
    text: (finish) =>
      head + text.replace(FINISH, `\n$1{ unsigned long long outcome = 0; ${sum} ${finish} }\n$3return $4;\n}\n`),
  }
}

interface NativeRuns {
  readonly outcomes: ReadonlySet<number>
  readonly deadlock: boolean
  readonly failed: boolean
  readonly race: string | undefined
  readonly complete: boolean
  readonly runs: number
}

const BASE: RunRequest = {
  ...{ policy: 'stay', seed: 0n, checks: 0, record: 1, maxSteps: 20_000, runMs: 5000, segments: [], values: [] },
  ...{ depth: 3, length: 40, fill: 0, reuse: false, spurious: 2, mallocMayFail: false, maxThreads: 512 },
}

let count = 0

/** All schedules, as far as `maxRuns` goes, and a few random ones with a look at races. */
const runNatively = async (text: string, maxRuns: number): Promise<NativeRuns> => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-fuzz-native-'))
  const options = { dataModel: 'lp64', defines: [], includeDirs: [], optimise: 'O0', ldflags: [] } as const
  try {
    writeFileSync(join(folder, 'p.c'), text)
    const built = await compileNatively({ ...options, files: [join(folder, 'p.c')], folder, cflags: ['-fwrapv'] })
    if (built.kind === 'problem') throw new Error(`${built.text}\n${text}`)
    const functions = functionsFor(symbolsOf(readFileSync(built.program)))
    const server = new Server({
      program: built.program,
      args: [],
      controlFile: join(folder, `c${count++}`),
      functions,
      dictionary: [],
    })
    try {
      return await explore(server, maxRuns)
    } finally {
      server.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const explore = async (server: Server, maxRuns: number): Promise<NativeRuns> => {
  const exploration = new Exploration([0n, 1n, 2n, 3n])
  const outcomes = new Set<number>()
  let [deadlock, failed, runs] = [false, false, 0]
  const learn = (answer: RunAnswer): void => {
    if (answer.outcome === 'finished' && answer.text === '' && answer.pc > 0) outcomes.add(answer.address)
    if (answer.outcome === 'deadlock') deadlock = true
    if (answer.outcome === 'assert') failed = true
  }
  for (; runs < maxRuns; runs++) {
    const beginning = exploration.take()
    if (!beginning) break
    const { segments, values } = beginning
    const answer = await server.run({ ...BASE, segments, values }, exploration.knows)
    exploration.learn(beginning, answer)
    learn(answer)
  }
  for (let seed = 1n; seed <= 30n; seed++)
    learn(await server.run({ ...BASE, record: 0, policy: seed % 2n ? 'random' : 'pct', seed }))
  let race: string | undefined
  for (let seed = 1n; seed <= 20n && race === undefined; seed++) {
    const answer = await server.run({ ...BASE, checks: CHECKS.races, record: 0, policy: 'random', seed })
    if (answer.outcome === 'race') race = `pc ${answer.pc.toString(16)} and ${answer.otherPc.toString(16)}`
  }
  return { outcomes, deadlock, failed, race, complete: exploration.isComplete, runs: runs + 30 }
}

export interface Comparison {
  /** What the machine shows and the interpreter excludes. */
  readonly wrong: readonly string[]
  /** What only the interpreter has. */
  readonly more: readonly string[]
  readonly undecided: boolean
}

const MAX_QUERIES = 8

export const compareWithMachine = async (
  parser: CParser,
  program: OutcomeProgram,
  maxStates: number,
  maxRuns: number,
): Promise<Comparison> => {
  const machine = await runNatively(program.text('__heddle_outcome(outcome);'), maxRuns)
  // Where undefined behaviour stopped a thread, the interpreter does not say what else could happen.
  const ask = (finish: string, property: 'assert' | 'no-deadlock' | 'no-data-race'): OracleResult['verdict'] => {
    const raw = compileProgram(parser, program.text(finish), property)
    const { verdict, undefined: stops } = oracle(raw, property, { maxStates, paths: false })
    return verdict === 'true' && stops.length > 0 ? 'unknown' : verdict
  }
  const wrong: string[] = []
  const more: string[] = []
  const base = ask('', 'assert')
  if (base === 'unknown') return { wrong, more, undecided: true }
  if (machine.failed && base === 'true') wrong.push('an assertion fails on the machine')
  // A violation inside would hide what comes at the end.
  if (base === 'true') {
    const seen = [...machine.outcomes].slice(0, MAX_QUERIES)
    for (const outcome of seen)
      if (ask(`if (outcome == ${outcome}ULL) reach_error();`, 'assert') === 'true')
        wrong.push(`outcome ${outcome.toString(16)} on the machine only`)
    const others = [...machine.outcomes].map((o) => `outcome != ${o}ULL`).join(' && ') || '1'
    if (machine.outcomes.size <= 64 && ask(`if (${others}) reach_error();`, 'assert') === 'false')
      more.push(`further outcomes${machine.complete ? '' : ' (not every schedule was run)'}`)
  }
  const deadlocks = ask('', 'no-deadlock')
  if (machine.deadlock && deadlocks === 'true') wrong.push('a deadlock on the machine only')
  if (!machine.deadlock && deadlocks === 'false') more.push('a deadlock')
  const races = ask('', 'no-data-race')
  if (machine.race !== undefined && races === 'true') wrong.push(`a race on the machine only (${machine.race})`)
  if (machine.race === undefined && races === 'false') more.push('a race')
  return { wrong, more, undecided: false }
}
