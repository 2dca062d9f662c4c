// What every file that is written needs besides the report: the sources, and facts that only the caller knows (time,
// hashes, a fresh identity), so that the writers stay functions.
import type { Invariants } from '../semantics/index.js'
import type { Report, TaskReport } from '../verdict/index.js'

export interface OutputContext {
  readonly report: Report
  readonly task: TaskReport
  /** Text of the program's files by name, as far as they could be read. */
  readonly sources: ReadonlyMap<string, string>
  /** SHA-256 of the program's files by name, in hexadecimal. */
  readonly hashes: ReadonlyMap<string, string>
  readonly version: string
  /** A file's path from the root of the repository, which SARIF wants; the path as it is if not given. */
  readonly fromRoot?: (file: string) => string
  /** ISO 8601. */
  readonly creationTime: string
  readonly uuid: string
  /** What a correctness witness may claim and a report shows: C expressions that hold in every state, or at a line. */
  readonly invariants?: Invariants
  /** For a proof: who accesses what is shared, and under which locks. */
  readonly shared?: readonly SharedUse[]
  /** The text of the graph library for HTML reports; without it they have no graph. */
  readonly graphLibrary?: string
}

/** A shared variable with every access to it, as `heddle show --shared` tells it. */
export interface SharedUse {
  readonly name: string
  readonly accesses: readonly {
    readonly thread: string
    readonly position: { readonly file: string; readonly line: number }
    readonly write: boolean
    readonly atomic: boolean
    readonly locks: readonly string[]
  }[]
}

/** The property as SV-COMP writes it. */
export const specificationOf = (property: string, entry: string): string => {
  const check = (formula: string): string => `CHECK( init(${entry}()), LTL(${formula}) )`
  switch (property) {
    case 'no-data-race':
      return check('G ! data-race')
    case 'no-deadlock':
      return check('G ! deadlock')
    case 'no-overflow':
      return check('G ! overflow')
    case 'valid-memsafety':
      return ['G valid-free', 'G valid-deref', 'G valid-memtrack'].map(check).join('\n')
    case 'termination':
      return check('F end')
    default:
      return check('G ! call(reach_error())')
  }
}

export const architectureOf = ({ dataModel }: TaskReport): string => (dataModel === 'ilp32' ? '32bit' : '64bit')

/** A line of a source, from 1. */
export const sourceLine = ({ sources }: OutputContext, file: string, line: number): string =>
  (sources.get(file) ?? '').split('\n')[line - 1] ?? ''

/** Our own witnesses carry the schedule in a comment: other tools ignore it, `heddle replay` executes it. */
export const SCHEDULE_MARK = 'heddle-schedule:'
