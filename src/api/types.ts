// The types of the library: what a caller gives and gets. Results are the JSON of the command line, field for field.

import type { ReportJson } from '../output/report-json.js'
import type { Property } from '../property/names.js'

/** C files by path, or one program as text (`name` is what positions call it; includes are relative to it). */
export type Input = string | readonly string[] | { readonly name?: string; readonly text: string }

/** How a program is read: the options of the command line of the same names. */
export interface ProgramOptions {
  readonly property?: Property
  readonly dataModel?: 'ilp32' | 'lp64'
  /** The function where the program starts; `main` if not given. */
  readonly entry?: string
  /** Macros: `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[]
  /** Folders that are searched for included files. */
  readonly includeDirs?: readonly string[]
  /** Any other option of `heddle verify` by its name on the command line, for instance `{ 'malloc-may-fail': 'on' }`. */
  readonly options?: Readonly<Record<string, string>>
}

export interface VerifyOptions extends ProgramOptions {
  readonly engine?: string
  /** Milliseconds; 60,000 if not given. */
  readonly timeout?: number
  /** Megabytes that each engine may take; 4,096 if not given. */
  readonly memory?: number
  readonly solver?: string
  readonly memoryModel?: string
  /** Ends the run at once; the result is then `unknown` with the reason `aborted`. */
  readonly signal?: AbortSignal
  /** Called a few times a second with what runs now. */
  readonly onProgress?: (running: readonly EngineProgress[]) => void
}

export interface EngineProgress {
  readonly engine: string
  readonly phase?: string
  readonly counts: Readonly<Record<string, number>>
}

/** A decided or undecided run, as `heddle verify --json` prints it (schema/report.schema.json). */
export type VerifyReport = { readonly version: 1 } & ReportJson

/** The program or the call is wrong: status 2 on the command line. */
export interface InputErrorReport {
  readonly version: 1
  readonly verdict: 'error'
  /** `FILE:LINE:COLUMN: error: TEXT` each. */
  readonly diagnostics: readonly string[]
}

export type VerifyResult = VerifyReport | InputErrorReport
