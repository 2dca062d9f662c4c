// Generated programs on the machine: compiled by its compiler, run over all their schedules, and what they end with
// compared with what the interpreter says is reachable. An outcome that the machine shows and the interpreter excludes
// is a wrong model of C, of the library or of the semantics; one that only the interpreter has is a matter of
// precision: unspecified order, or more than the schedules tried.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Compiled, type CParser, compile } from '../../src/frontend/c/index.js'
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
import { Unsupported } from '../../src/xcfa/index.js'
import { compileProgram } from './harness.js'
import { type Interpreted, interpret, RESULT } from './interpret.js'

/** A program that ends by telling its result: to the scheduler, or in a variable of the interpreter's. */
export interface OutcomeProgram {
  readonly onMachine: string
  readonly interpreted: string
}

const FINISH = /\n( *)assert\(([^;]*)\);\n( *)return ([^;]*);\n\}\s*$/

/** The final claim is replaced by the program's result: the values of its global numbers. */
export const outcomeProgram = (text: string): OutcomeProgram | undefined => {
  if (!FINISH.test(text)) return undefined
  const names = [...text.matchAll(/^(?:_Atomic )?int ([a-z]\w*(?:, [a-z]\w*)*)(?: = [^;]*)?;$/gm)].flatMap(([, list]) =>
    list!.split(', '),
  )
  const parts = [...names, ...(/^struct pair both/m.test(text) ? ['both.left', 'both.right'] : [])].slice(0, 6)
  const sum = parts.map((name) => `outcome = outcome * 256 + (${name} & 255);`).join(' ')
  const ending = (finish: string): string =>
    text.replace(FINISH, `\n$1{ unsigned long long outcome = 0; ${sum} ${finish} }\n$3return $4;\n}\n`)
  return {
    onMachine: `extern void __heddle_outcome(unsigned long long);\n${ending('__heddle_outcome(outcome);')}`,
    interpreted: `unsigned long long ${RESULT};\n${ending(`${RESULT} = outcome + 1;`)}`,
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

interface Budget {
  readonly systematic: number
  readonly random: number
  readonly races: number
}

/** All schedules, as far as the budget goes, random ones, and some with a look at races. */
const runNatively = async (text: string, budget: Budget): Promise<NativeRuns> => {
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
      return await explore(server, budget)
    } finally {
      server.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const explore = async (server: Server, budget: Budget): Promise<NativeRuns> => {
  const exploration = new Exploration([0n, 1n, 2n, 3n])
  const outcomes = new Set<number>()
  let [deadlock, failed, runs] = [false, false, 0]
  const learn = (answer: RunAnswer): void => {
    if (answer.outcome === 'finished' && answer.text === '' && answer.pc > 0) outcomes.add(answer.address)
    if (answer.outcome === 'deadlock') deadlock = true
    if (answer.outcome === 'assert') failed = true
  }
  for (; runs < budget.systematic; runs++) {
    const beginning = exploration.take()
    if (!beginning) break
    const { segments, values } = beginning
    const answer = await server.run({ ...BASE, segments, values }, exploration.knows)
    exploration.learn(beginning, answer)
    learn(answer)
  }
  for (let seed = 1n; seed <= budget.random; seed++)
    learn(await server.run({ ...BASE, record: 0, policy: seed % 2n ? 'random' : 'pct', seed }))
  let race: string | undefined
  for (let seed = 1n; seed <= budget.races && race === undefined; seed++) {
    const answer = await server.run({ ...BASE, checks: CHECKS.races, record: 0, policy: 'random', seed })
    if (answer.outcome === 'race') race = `pc ${answer.pc.toString(16)} and ${answer.otherPc.toString(16)}`
  }
  return { outcomes, deadlock, failed, race, complete: exploration.isComplete, runs: runs + budget.random }
}

export interface Comparison {
  /** What the machine shows and the interpreter excludes. */
  readonly wrong: readonly string[]
  /** What only the interpreter has. */
  readonly more: readonly string[]
  /** Why there is no comparison. */
  readonly undecided?: string
  /** What C leaves open in the program and the front end decides, as the ledger of a verdict says. */
  readonly assumed: readonly string[]
}

export const compareWithMachine = async (
  parser: CParser,
  program: OutcomeProgram,
  maxStates: number,
  maxRuns: number,
): Promise<Comparison> => {
  const compiled = compiledOr(() => compileWithNotes(parser, program.interpreted))
  if (typeof compiled === 'string') return { wrong: [], more: [], assumed: [], undecided: compiled }
  const assumed = compiled.notes
  const said = interpret(compiled.program, maxStates)
  // Where undefined behaviour stopped a thread, the interpreter does not say what else could happen.
  if (said.kind === 'undecided') return { wrong: [], more: [], assumed, undecided: said.reason }
  const races = oracle(compileProgram(parser, program.interpreted, 'no-data-race'), 'no-data-race', {
    maxStates,
    paths: false,
  }).verdict
  const first = compared(
    said,
    races,
    await runNatively(program.onMachine, { systematic: maxRuns, random: 30, races: 20 }),
  )
  if (first.wrong.length > 0 || first.more.length === 0) return { ...first, assumed }
  // What only the interpreter has may be what the few schedules did not meet: a second look is longer.
  const longer = { systematic: 40 * maxRuns, random: 1000, races: 1000 }
  return { ...compared(said, races, await runNatively(program.onMachine, longer)), assumed }
}

const compared = (
  said: Extract<Interpreted, { kind: 'explored' }>,
  races: OracleResult['verdict'],
  machine: NativeRuns,
): Pick<Comparison, 'wrong' | 'more'> => {
  const wrong: string[] = []
  const more: string[] = []
  const partly = machine.complete ? '' : ' (not every schedule was run)'
  if (machine.failed && !said.fails) wrong.push('an assertion fails on the machine')
  if (!machine.failed && said.fails) more.push(`an assertion fails${partly}`)
  for (const outcome of machine.outcomes)
    if (!said.outcomes.has(outcome)) wrong.push(`outcome ${outcome.toString(16)} on the machine only`)
  // After a violation the interpreter goes on, which the machine does not.
  if (!said.fails && [...said.outcomes].some((outcome) => !machine.outcomes.has(outcome)))
    more.push(`further outcomes${partly}`)
  if (machine.deadlock && !said.deadlock) wrong.push('a deadlock on the machine only')
  if (!machine.deadlock && said.deadlock) more.push(`a deadlock${partly}`)
  if (machine.race !== undefined && races === 'true') wrong.push(`a race on the machine only (${machine.race})`)
  if (machine.race === undefined && races === 'false') more.push('a race')
  return { wrong, more }
}

const compileWithNotes = (parser: CParser, text: string): Pick<Compiled, 'program' | 'notes'> =>
  compile([{ name: 'generated.c', text }], { dataModel: 'lp64' }, parser)

/** The program, or why the front end does not take it. */
const compiledOr = <T>(compile: () => T): T | string => {
  try {
    return compile()
  } catch (problem) {
    if (problem instanceof Unsupported) return problem.message
    throw problem
  }
}
