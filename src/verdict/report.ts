// The result of a run as plain data: what crosses from an engine's process to the command line, and what every output
// (JSON, terminal, HTML, SARIF, witnesses) is made from.
import type { ExecutionView } from '../memory-model/view.js'
import type { Obstacle, PartialFact } from './partial.js'
import type { Reason } from './reason.js'
import type { Assumption, Certificate, Stats, Verdict } from './result.js'

export interface Report {
  readonly verdict: Verdict
  readonly property: string
  /** Of a property of several parts, the part that is violated: valid-deref, valid-free, valid-memtrack. */
  readonly violated?: string
  readonly file: string
  readonly engine: string
  readonly options: Readonly<Record<string, string>>
  readonly time_ms: number
  readonly memory_mb: number
  readonly stats: Stats
  readonly assumptions: readonly Assumption[]
  readonly trace?: TraceReport
  /** Under a memory model as axioms: the execution that violates the property. */
  readonly execution?: ExecutionView
  readonly certificate?: Certificate
  /** Found by an earlier run (`--proofs`): this one has compared the program, or replayed the execution. */
  readonly kept?: true
  /** With `--check`: how the certificate was checked. */
  readonly checked?: string
  readonly reason?: Reason
  /** What is certain although the verdict is unknown. */
  readonly partial?: readonly PartialFact[]
  /** What stood in the way, where time or memory ended. */
  readonly obstacle?: Obstacle
  /** The one thing most likely to help, when the verdict is unknown. */
  readonly hint?: string
  /** What the program consists of, for the first line that a person reads. */
  readonly program?: ProgramReport
  /** The compiler whose headers were read; absent where ours sufficed. */
  readonly headersOf?: string
  /** What each engine of a portfolio was doing when the run ended. */
  readonly attempts?: readonly Attempt[]
  /** How the program was read: what replaying and checking need to read it in the same way. */
  readonly task?: TaskReport
  /** With --fix: the memory orders that make the property hold, or why there are none. */
  readonly fix?: { readonly diff: string; readonly changes: readonly string[] } | { readonly reason: string }
  /** The schedule of the real program (`heddle test`), by which `heddle test --replay` runs it again. */
  readonly native?: unknown
}

export interface ProgramReport {
  /** Main and every place that starts a thread. */
  readonly threads: number
  /** One of these places is in a loop. */
  readonly perhapsMore?: boolean
  readonly sharedVariables: number
}

/** Options of a compiler for one file. */
interface BuildOptions {
  readonly defines: readonly string[]
  readonly undefines: readonly string[]
  readonly includeDirs: readonly string[]
  readonly preincludes: readonly string[]
}

/** How the files of a program are read: enough to read them again. */
export interface TaskReport {
  readonly files: readonly string[]
  readonly dataModel: 'ilp32' | 'lp64'
  readonly entry: string
  readonly defines: readonly string[]
  readonly includeDirs: readonly string[]
  readonly undefines?: readonly string[]
  /** Files that are read before each file of the program. */
  readonly preincludes?: readonly string[]
  readonly cpp?: string
  /** Whose headers are read. */
  readonly headers?: 'auto' | 'built-in' | 'system'
  /** A dialect as compilers name it (-std). */
  readonly std?: string
  /** Accesses to volatile objects count as atomic. */
  readonly volatileIsAtomic?: boolean
  /** What a build says of single files, beside what holds for all. */
  readonly fileOptions?: Readonly<Record<string, BuildOptions>>
  /** Functions without a definition: those that do nothing but return, and whether all others may be assumed about. */
  readonly externs?: { readonly pure: readonly string[]; readonly havoc: boolean }
  readonly spuriousWakeups: boolean
  readonly mallocMayFail: boolean
  /** SHA-256 of each file, in certificates: a proof is about one text only. */
  readonly hashes?: readonly string[]
}

export interface Attempt {
  readonly engine: string
  /** Where the plan gave it some: the same engine may run twice. */
  readonly options?: Readonly<Record<string, string>>
  /** A verdict, or why there is none. */
  readonly outcome: 'true' | 'false' | 'wrong input' | Reason
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
  /** The whole execution, raw edge by raw edge, by which `heddle replay` executes it again. */
  readonly schedule?: Schedule
  /** The places of the program that the violation is about: the failing statement, or both accesses of a race. */
  readonly targets?: readonly TargetReport[]
  /** What the execution ends in where that is no step: two accesses that race, or threads that wait. */
  readonly ending?: Ending
}

export type Ending =
  | { readonly kind: 'race'; readonly accesses: readonly RacingAccess[] }
  | { readonly kind: 'deadlock'; readonly waiting: readonly WaitingThread[]; readonly circle?: readonly number[] }

interface RacingAccess extends TargetReport {
  readonly write: boolean
  /** What is accessed, as the source calls it. */
  readonly name: string
  /** Absent where nobody recorded them. */
  readonly locks?: readonly string[]
}

interface WaitingThread extends TargetReport {
  /** In words: `fork1`, `full to be signalled`, `T1 run to end`. */
  readonly waitsFor: string
  /** It waits for a thread to end, not for what one holds. */
  readonly joins?: true
  /** The thread that could end the waiting by giving up what it holds, or by ending. */
  readonly on?: number
}

/** Values are texts: 64-bit integers do not fit JSON's numbers. */
export interface Schedule {
  /** Globals that start with any value. */
  readonly initial?: readonly { readonly name: string; readonly value: string }[]
  readonly steps: readonly ScheduledStep[]
}

export interface ScheduledStep {
  readonly thread: number
  readonly edge: number
  readonly choices?: readonly string[]
  readonly open?: readonly number[]
  readonly indeterminate?: readonly string[]
}

export interface TargetReport {
  readonly thread: number
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text: string
}

export interface StepReport {
  readonly thread: number
  readonly file: string
  readonly line: number
  readonly column: number
  readonly text: string
  readonly changed: readonly { readonly name: string; readonly value: string }[]
  /** Raw edges and choices of this row; rows that nobody notices are left out, so `schedule` is what to replay. */
  readonly edges: readonly number[]
  readonly choices: readonly string[]
  readonly fails?: boolean
  /** What the step does to another thread, or to a lock. */
  readonly event?: StepEvent
  /** Shared places that it reads and writes, as the source calls them. */
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
}

export type StepEvent =
  | { readonly kind: 'create' | 'join'; readonly thread: number }
  /** `lock`: it is one that a thread owns from then on; otherwise a semaphore or a condition variable. */
  | { readonly kind: 'take' | 'release'; readonly object: string; readonly lock?: true }
