// Generated programs through everything that must agree: the machine's compiler, brute force, and the engines.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { explore } from '../../src/engine/explicit/explore.js'
import type { Engine, Options } from '../../src/engine/index.js'
import { type CParser, compile } from '../../src/frontend/c/index.js'
import { reasonText } from '../../src/output/reason.js'
import type { Property } from '../../src/property/index.js'
import { type OracleOptions, type OracleResult, oracle, replay } from '../../src/semantics/index.js'
import type { Result } from '../../src/verdict/index.js'
import { inconclusive } from '../../src/verdict/reason.js'
import type { Program } from '../../src/xcfa/index.js'
import { everyAccess, largeBlocks } from '../../src/xcfa/passes/large-block.js'
import { checkable, runnable, type SequentialProgram } from './sequential.js'

export const compileProgram = (parser: CParser, text: string, property: Property = 'assert'): Program => {
  const checks = {
    checkOverflow: property === 'no-overflow',
    checkMemory: property === 'valid-memsafety',
    checkRaces: property === 'no-data-race',
  }
  return compile([{ name: 'generated.c', text }], { dataModel: 'lp64', ...checks }, parser).program
}

export const bruteForce = (parser: CParser, text: string, options: OracleOptions = {}): OracleResult =>
  oracle(compileProgram(parser, text), 'assert', options)

/** What a program prints, compiled by the machine's compiler with -fwrapv; undefined if the compiler itself crashes. */
const compilerOutput = (text: string): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-run-'))
  try {
    const [source, binary] = [join(folder, 'program.c'), join(folder, 'program')]
    writeFileSync(source, text)
    execFileSync('cc', ['-fwrapv', '-O0', '-w', '-o', binary, source], { stdio: 'pipe' })
    return execFileSync(binary, { encoding: 'utf8', timeout: 10_000 }).trim()
  } catch (error) {
    if (String((error as { stderr?: Buffer }).stderr).includes('internal compiler error')) return undefined
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How our result differs from the compiler's; undefined if it does not. */
export const sequentialDisagreement = (parser: CParser, program: SequentialProgram): string | undefined => {
  const expected = compilerOutput(runnable(program))
  if (expected === undefined) return undefined
  const { verdict, reason, undefined: stopped } = bruteForce(parser, checkable(program, BigInt(expected)))
  if (stopped.length > 0) return `undefined behaviour: ${stopped[0]!.text} at line ${stopped[0]!.position.line}`
  return verdict === 'true' ? undefined : `expected ${expected}: ${reason ?? verdict}`
}

/** An engine with options, to be compared. */
export interface Contender {
  readonly engine: Engine
  readonly options: Options
}

export interface Comparison {
  readonly expected: OracleResult['verdict']
  /** Engines that said unknown, with their reasons. */
  readonly undecided: readonly string[]
  /** Wrong verdicts and counterexamples that do not replay. */
  readonly wrong: readonly string[]
}

/** What is wrong with a result; unknown never is, a counterexample must replay on the raw program. */
export const judge = (
  raw: Program,
  property: Property,
  expected: 'true' | 'false',
  result: Result,
): string | undefined => {
  if (result.verdict === 'unknown') return undefined
  if (result.verdict !== expected) return `${result.verdict} instead of ${expected}`
  if (result.verdict === 'true') return undefined
  const replayed = replay(raw, result.trace, property)
  return replayed.reached ? undefined : `trace does not replay: ${replayed.reason}`
}

/** Every contender against brute force on the raw program; each FALSE must replay on the raw program. */
/** How often an engine may ask whether to go on: one that keeps no states would otherwise never end on some loops. */
const MAX_QUESTIONS = 20_000

export const compareEngines = (
  raw: Program,
  property: Property,
  contenders: readonly Contender[],
  maxStates = 50_000,
): Comparison => {
  const expected = oracle(raw, property, { maxStates }).verdict
  const undecided: string[] = []
  const wrong: string[] = []
  if (expected === 'unknown') return { expected, undecided, wrong }
  for (const { engine, options } of contenders) {
    const name = `${engine.name} ${JSON.stringify(options)} ${property}`
    const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
    let asked = 0
    const env = { stopped: () => (++asked > MAX_QUESTIONS ? inconclusive('enough') : undefined), progress: () => {} }
    const result = engine.verify({ raw, property, settings }, options, env)
    const problem = judge(raw, property, expected, result)
    if (problem) wrong.push(`${name}: ${problem}`)
    else if (result.verdict === 'unknown') undecided.push(`${name}: ${reasonText(result.reason)}`)
  }
  return { expected, undecided, wrong }
}

const QUIET = { stopped: () => undefined, progress: () => {} }

/** States and transitions of all interleavings: how the compiled explorer's differ from the interpreter's. */
export const countDisagreement = (raw: Program, maxStates: number): string | undefined => {
  const expected = oracle(raw, 'assert', { complete: true, maxStates })
  // Beyond the limit, or unbounded nondeterminism: not everything was counted.
  if (expected.states > maxStates || expected.verdict === 'unknown') return undefined
  const found = explore(
    largeBlocks(raw, everyAccess),
    { por: 'none', isError: () => false, forgetDead: false, maximalBytes: 2 ** 30 },
    QUIET,
  )
  if (found.outcome.kind !== 'complete') return `${found.outcome.kind} instead of complete`
  const shown = ({ states, transitions }: { states: number; transitions: number }) =>
    `${states} states, ${transitions} transitions`
  return shown(found) === shown(expected) ? undefined : `${shown(found)} instead of ${shown(expected)}`
}
