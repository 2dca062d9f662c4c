// npm run mutate: takes one rule of soundness.md at a time out of the code and requires that a test fails (mutation of
// ourselves). Works on a copy of the tree. Writes the table of rules and the tests that hold them into docs/soundness.md.
// A row of the table that was not tried again stays as it was.
//   node scripts/mutate.mjs [--only TEXT]... [--rest] [--jobs N] [--no-table] [--through COMMAND] [--named PATTERN]
// --rest: those that the table does not hold. --through: what each run of tests goes through (a queue, timeout, nice).
// --named: only tests whose names match it are run, where others of the same files take too long for a busy machine.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { helpFrom } from './help.mjs'
import { MUTATIONS } from './mutations.mjs'
import { heldInTable, writeTable } from './soundness-table.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
helpFrom(fileURLToPath(import.meta.url))
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    rest: { type: 'boolean' },
    jobs: { type: 'string', default: '1' },
    'no-table': { type: 'boolean' },
    through: { type: 'string', default: '' },
    named: { type: 'string' },
  },
})
/** A mutant that keeps a test busy for longer than this has been noticed. */
const MAX_MS = 1_200_000
/** As the command `timeout` tells it. */
const TIMED_OUT = 124

const isNamed = (m) => options.only?.some((text) => `${m.rule} ${m.what} ${m.file}`.includes(text)) ?? true
const held = heldInTable(root)
const chosen = MUTATIONS.filter((m) => isNamed(m) && !(options.rest && held(m)))

/** The tracked files, and untracked ones that are not ignored, in a folder of their own. */
const copyTree = () => {
  const copy = mkdtempSync(join(tmpdir(), 'heddle-mutate-'))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\n').filter((f) => /^(src|test|examples|bench)\/|^[^/]+$/.test(f))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    try {
      cpSync(join(root, file), join(copy, file))
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Names of the tests that fail; undefined if the files could not even be run. */
const failingTests = (copy, files) =>
  new Promise((resolve) => {
    const report = join(copy, 'mutate-report.json')
    rmSync(report, { force: true })
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`, ...files]
    if (options.named !== undefined) args.push('-t', options.named)
    const [command, ...rest] = [...options.through.split(' ').filter(Boolean), process.execPath, ...args]
    const child = spawn(command, rest, { cwd: copy, stdio: 'ignore', detached: true })
    const timer = setTimeout(() => {
      process.kill(-child.pid, 'SIGKILL')
      resolve(['(no end)'])
    }, MAX_MS)
    child.on('exit', (status) => {
      clearTimeout(timer)
      if (status === TIMED_OUT) return resolve(['(no end)'])
      try {
        const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
        const broken = testResults.find((file) => file.status === 'failed' && file.assertionResults.length === 0)
        const failed = testResults.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter((test) => test.status === 'failed')
            .map((test) => `${name.slice(copy.length + 1)}: ${test.fullName}`),
        )
        resolve(failed.length === 0 && broken ? undefined : failed)
      } catch {
        resolve(undefined)
      }
    })
  })

/** Without a mutation each file must pass, or failing shows nothing. */
const clean = new Map()
const passes = async (copy, test) => {
  if (!clean.has(test)) clean.set(test, (await failingTests(copy, [test]))?.length === 0)
  return clean.get(test)
}

/** Runs the mutation's test files one by one until one fails. */
const outcomeOf = async (copy, { file, find, replace = '', tests }) => {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(find).length !== 2)
    return { kind: 'stale', why: `${text.split(find).length - 1} occurrences in ${file}` }
  const mutant = text.replace(find, () => replace)
  try {
    for (const test of tests) {
      writeFileSync(path, text)
      if (!(await passes(copy, test))) return { kind: 'stale', why: `${test} does not pass without a mutation` }
      writeFileSync(path, mutant)
      const failed = await failingTests(copy, [test])
      if (failed === undefined) return { kind: 'stale', why: `${test} cannot be run` }
      if (failed.length > 0) return { kind: 'noticed', by: failed[0] }
    }
    return { kind: 'survived' }
  } finally {
    writeFileSync(path, text)
  }
}

const worker = async (queue, results) => {
  const copy = copyTree()
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const outcome = await outcomeOf(copy, next)
      results.set(next, outcome)
      if (!options['no-table']) writeTable(root, MUTATIONS, results)
      const detail = outcome.by ?? outcome.why ?? ''
      console.log(`${outcome.kind.padEnd(8)} ${String(next.rule).padStart(8)}  ${next.what}  ${detail}`)
    }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

const results = new Map()
const queue = [...chosen]
await Promise.all(Array.from({ length: Number(options.jobs) }, () => worker(queue, results)))
const count = (kind) => [...results.values()].filter((r) => r.kind === kind).length
console.log(
  `${chosen.length} mutations: ${count('noticed')} noticed, ${count('survived')} survived, ${count('stale')} stale`,
)
const missed = chosen.filter((m) => !m.open && results.get(m).kind !== 'noticed')
process.exit(missed.length === 0 ? 0 : 1)
