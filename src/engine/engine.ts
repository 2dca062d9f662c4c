// What an engine is: a name, a table of options, and a function from a task to a result.

import type { Model } from '../memory-model/index.js'
import type { Property } from '../property/index.js'
import type { Smt } from '../smt/index.js'
import type { PartialFact, Reason, Result } from '../verdict/index.js'
import { unknown } from '../verdict/result.js'
import type { Program } from '../xcfa/index.js'
import type { Crew } from './crew.js'

export interface Task {
  /** After inlining, nothing else: one access an edge, all memory in one region of bytes. For replay and the oracle. */
  readonly raw: Program
  readonly property: Property
  readonly settings: Settings
  /** Loaded for engines that need it. */
  readonly smt?: Smt
  /** valid-memsafety: whether memory that is not freed at the end is an error (see memory-safety.ts); default true. */
  readonly leaks?: boolean
  /**
   * The program compares pointers to blocks that it frees, and addresses that are reused are not in `raw`: nothing is
   * proved once a pointer to a freed block is compared. Only for the engine `explicit`.
   */
  readonly watchesFreed?: boolean
  /** A memory model other than sequential consistency and store buffers. */
  readonly model?: Model
  /** Formulas of an earlier proof, of this program or another: where an engine may begin. */
  readonly suggestions?: readonly string[]
}

/** Options that every engine understands. */
interface Settings {
  readonly arith: 'auto' | 'int' | 'bv'
  readonly solver: string
  /** sc, tso, pso; or the name or file of a model, which is then in the task. */
  readonly memoryModel: string
  readonly spuriousWakeups: boolean
}

/** Algorithms know nothing of clocks and terminals: they ask whether to go on, and tell what they do. */
export interface Env {
  /** True when time or memory is up, or the user interrupted: return `unknown` with this reason soon. */
  stopped(): Reason | undefined
  /** Progress, as short named numbers. */
  progress(phase: string, counts: Readonly<Record<string, number>>): void
  /** What is certain already, should the run end without an answer: told at once, since it may end at any time. */
  known?(fact: PartialFact): void
  /** Writes a file that the user asked for by an option; absent where there are no files. */
  write?(file: string, text: string): void
  /** Others that search parts of the same program, or whom this search is a part for. */
  readonly crew?: Crew
}

/** One option: the command line, the help text, the documentation and the checks are derived from the table. */
interface OptionSpec {
  readonly values: readonly string[] | 'number' | 'file' | 'text'
  readonly default: string
  readonly help: string
}
export type OptionTable = Readonly<Record<string, OptionSpec>>

/** As the command line and files have them: names and texts. */
export type Options = Readonly<Record<string, string>>

/** What a table makes of them, each option of its type. */
export type OptionsOf<Table extends OptionTable> = {
  readonly [Name in keyof Table]: Table[Name]['values'] extends readonly (infer Value)[]
    ? Value
    : Table[Name]['values'] extends 'number'
      ? number
      : string
}

/** Read once, where an engine begins; the table's own values where none is given. */
export const parseOptions = <Table extends OptionTable>(table: Table, raw: Options): OptionsOf<Table> =>
  ({ ...parse(table, defaultsOf(table)), ...givenOptions(table, raw) }) as OptionsOf<Table>

/** Only what was said: a default is no mistake of the user's. */
export const givenOptions = <Table extends OptionTable>(table: Table, raw: Options): Partial<OptionsOf<Table>> =>
  parse(table, raw) as Partial<OptionsOf<Table>>

const defaultsOf = (table: OptionTable): Options =>
  Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, spec.default]))

const parse = (table: OptionTable, raw: Options): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { values }]) => {
      const text = raw[name]
      return text === undefined ? [] : [[name, values === 'number' ? Number(text) : text]]
    }),
  )

/** What the command line must know of an engine without loading it: in a file `spec.ts` of its folder. */
export interface EngineSpec {
  readonly name: string
  readonly summary: string
  readonly options: OptionTable
  /** Whether `Task.smt` must be there: loading a solver takes time. */
  readonly needsSolver: boolean
  readonly decides: readonly Property[]
  /** A combination of options (and property) that has no meaning: what is wrong with it. */
  validateOptions?(options: Options, property: Property): string | undefined
}

export interface Engine extends EngineSpec {
  verify(task: Task, options: Options, env: Env): Result
}

/** Why the engine cannot be asked this; undefined: it can. */
export const misfit = (spec: EngineSpec, options: Options, property: Property): string | undefined =>
  spec.decides.includes(property)
    ? spec.validateOptions?.(options, property)
    : `the engine ${spec.name} does not decide ${property}`

/** A default is no mistake of the user's: an engine knows what to do with it. */
const withoutDefaults = (spec: EngineSpec, options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => value !== spec.options[name]?.default))

/** An engine by its table and its algorithm, which is asked nothing that does not fit. */
export const engineOf = (spec: EngineSpec, verify: Engine['verify']): Engine => ({
  ...spec,
  verify: (task, options, env) => {
    const problem = misfit(spec, withoutDefaults(spec, options), task.property)
    return problem ? unknown({ kind: 'not-applicable', problem }) : verify(task, options, env)
  },
})
