// The result of a run as plain data: what `--json` prints, what crosses from an engine's process to the command line,
// and what every output (terminal, HTML, SARIF, witnesses) is made from.
import type { Assumption, Stats, Verdict } from './result.js'

export interface Report {
  readonly verdict: Verdict
  readonly property: string
  readonly file: string
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  readonly time_ms: number
  readonly memory_mb: number
  readonly stats: Stats
  readonly assumptions: readonly Assumption[]
  readonly trace?: TraceReport
  readonly certificate?: { readonly kind: string; readonly data: unknown }
  readonly reason?: string
  /** The one thing most likely to help, when the verdict is unknown. */
  readonly hint?: string
  /** What the program consists of, for the first line that a person reads. */
  readonly program?: { readonly threads: number; readonly sharedVariables: number }
  /** What each engine of a portfolio was doing when the run ended. */
  readonly attempts?: readonly Attempt[]
}

export interface Attempt {
  readonly engine: string
  readonly outcome: string
  readonly stats: Stats
}

export interface TraceReport {
  /** What is wrong at the end: `assertion can fail: balance == 200`. */
  readonly headline: string
  /** One sentence that tells the story, where we can. */
  readonly story?: string
  readonly file: string
  readonly line: number
  readonly threads: readonly { readonly number: number; readonly name: string }[]
  readonly steps: readonly StepReport[]
  readonly contextSwitches: number
  readonly replayed: boolean
  /** For a deadlock: what every live thread waits for. For a race: the two accesses. */
  readonly details?: readonly string[]
}

export interface StepReport {
  readonly thread: number
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text: string
  readonly changed: readonly { readonly name: string; readonly value: string }[]
  /** Raw edges and choices, by which `heddle replay` executes this step again. */
  readonly edges: readonly number[]
  readonly choices: readonly string[]
  readonly fails?: boolean
}
