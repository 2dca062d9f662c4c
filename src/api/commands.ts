// check, replay and test: calls of the command line in a process of its own, because what they do blocks (a solver, a
// replay) or runs the program under test. Their JSON is the result.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TraceReport } from '../verdict/report.js'
import { argumentsOf, DEFAULT_NAME } from './request.js'
import type { Input, InputErrorReport, ProgramOptions, VerifyOptions, VerifyReport } from './types.js'

export type CheckOptions = ProgramOptions & Pick<VerifyOptions, 'timeout' | 'solver' | 'memoryModel' | 'signal'>

export type CheckAnswer =
  | {
      readonly version: 1
      readonly kind: 'accepted'
      readonly how: string
      /** Open assumptions about the program. */
      readonly assumes: readonly string[]
      /** Parts of Heddle that the check itself relied on. */
      readonly trusted: readonly string[]
    }
  | { readonly version: 1; readonly kind: 'rejected'; readonly place: string }
  | { readonly version: 1; readonly kind: 'unknown'; readonly reason: string }

/** Whether a certificate (what `heddle verify --certificate` wrote, as text) proves the property of this program. */
export const check = (
  input: Input,
  certificate: string,
  options: CheckOptions = {},
): Promise<CheckAnswer | InputErrorReport> => call('check', input, argumentsOf(options), options.signal, certificate)

export interface Replayed {
  readonly version: 1
  readonly reached: boolean
  readonly property: string
  readonly trace?: TraceReport
}

/** Executes a counterexample (a report or a witness, as text) again in the concrete semantics. */
export const replay = (
  input: Input,
  witness: string,
  options: ProgramOptions = {},
): Promise<Replayed | InputErrorReport> => call('replay', input, argumentsOf(options), undefined, witness)

export interface TestOptions {
  /** Milliseconds. */
  readonly timeout?: number
  readonly runs?: number
  readonly strategy?: 'random' | 'pct' | 'systematic' | 'mixed'
  /** Makes a run repeatable. */
  readonly seed?: number
  readonly defines?: readonly string[]
  readonly includeDirs?: readonly string[]
  /** Any other option of `heddle test` by its name on the command line. */
  readonly options?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Compiles the program with the machine's compiler and runs it under many schedules: it executes the program's code. */
export const test = (
  input: Input,
  { timeout, runs, strategy, seed, signal, ...rest }: TestOptions = {},
): Promise<VerifyReport | InputErrorReport> => {
  const own = { runs, strategy, seed }
  const given = Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
  const common = argumentsOf({ ...rest, ...(timeout !== undefined && { timeout }) })
  return call('test', input, [...common, ...given], signal)
}

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url))
const MAX_OUTPUT = 1 << 28

const call = async <T>(
  command: string,
  input: Input,
  args: readonly string[],
  signal?: AbortSignal,
  file?: string,
): Promise<T | InputErrorReport> => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-call-'))
  try {
    const named = (name: string, text: string): string => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    }
    const files =
      typeof input === 'string'
        ? [input]
        : 'text' in input
          ? [named(input.name?.replace(/.*\//, '') ?? DEFAULT_NAME, input.text)]
          : input
    const all = [
      command,
      '--json',
      ...args,
      ...files,
      ...(file === undefined ? [] : [named('heddle-input.json', file)]),
    ]
    return await new Promise((resolve) => {
      const done = (_: unknown, stdout: string, stderr: string): void => {
        try {
          resolve(JSON.parse(stdout) as T)
        } catch {
          const diagnostics = stderr.trim().split('\n').filter(Boolean)
          resolve({
            version: 1,
            verdict: 'error',
            diagnostics: signal?.aborted ? ['aborted'] : diagnostics.length > 0 ? diagnostics : ['no answer'],
          })
        }
      }
      execFile(process.execPath, [MAIN, ...all], { maxBuffer: MAX_OUTPUT, ...(signal && { signal }) }, done)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
