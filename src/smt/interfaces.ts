// What engines ask of a solver, by ability: incremental checks, Horn clauses. Everything blocks; creating the factory
// (index.ts) is the only thing to await.
import { type Model, type Sort, type Term, type Value, variable } from '../logic/index.js'

export type Status = 'sat' | 'unsat' | 'unknown'

export interface Solver {
  push(): void
  pop(levels?: number): void
  add(formula: Term): void
  /** Whether what was added, with the assumptions (any formulas), has a model. */
  check(assumptions?: readonly Term[]): Status
  /** After `sat`: values of the variables. Valid after later calls, too. */
  model(): Model
  /** After `sat`: the values of these variables, read at once; keeps no memory in the solver, unlike a model. */
  values(variables: readonly Term[]): ReadonlyMap<Term, Value>
  /** After `unsat`: assumptions of that check that suffice with what was added. */
  core(): readonly Term[]
  /** After `unknown`. */
  reason(): string
  statistics(): Statistics
  dispose(): void
}

export type Statistics = Readonly<Record<string, number>>

export interface SolverOptions {
  /** An SMT-LIB logic such as QF_LIA or QF_ABV; chosen by the solver if absent. */
  readonly logic?: string
  /** Ends a check with `unknown`. Costs time on every check: prefer rlimit. */
  readonly timeoutMs?: number
  /** A deterministic limit in steps of the solver. */
  readonly rlimit?: number
  /** One check only: the solver may preprocess as it likes (eliminate equations), which bit-vectors often need. */
  readonly once?: boolean
}

export interface Relation {
  readonly name: string
  readonly sorts: readonly Sort[]
}

/** Parameter i of a relation, as its solution names it. */
export const parameter = (relation: Relation, i: number): Term => variable(`${relation.name}#${i}`, relation.sorts[i]!)

export interface Atom {
  readonly relation: Relation
  readonly args: readonly Term[]
}

/** constraint and body imply head; all variables are universally quantified. Without a head: a query (a goal). */
export interface Rule {
  readonly head: Atom | undefined
  readonly body: readonly Atom[]
  readonly constraint: Term
  readonly name?: string
}

/** One fact of a refutation: a relation with values that hold, derived from others by a rule. */
export interface Derivation {
  readonly relation: Relation | undefined
  /** Constants. */
  readonly args: readonly Term[]
  readonly premises: readonly Derivation[]
}

export type HornResult =
  /** The solution makes every rule valid. Parameters of a relation are `parameter(relation, i)`. With `inline`, relations may be missing. */
  | { readonly status: 'sat'; readonly solution: ReadonlyMap<Relation, Term> }
  /** A goal is reachable. */
  | { readonly status: 'unsat'; readonly derivation: Derivation | undefined }
  /** `isOutOfTime`: a limit of time ended it, so that more of it may help. */
  | { readonly status: 'unknown'; readonly reason: string; readonly isOutOfTime?: boolean }

export interface HornOptions {
  readonly timeoutMs?: number
  /** On: relations are inlined first, faster for whole programs. Off: each relation keeps a solution of its own. */
  readonly inline?: boolean
  /** Another number, another way through: some clauses are solved by luck. */
  readonly seed?: number
}

export interface Horn {
  solve(rules: readonly Rule[]): HornResult
  dispose(): void
}

/** A solver library that is loaded, with its memory. */
export interface Smt {
  readonly name: string
  readonly version: string
  readonly path: string
  solver(options?: SolverOptions): Solver
  horn(options?: HornOptions): Horn
  /** For `interruptContext` from another thread; undefined where only ending the worker or process helps. */
  readonly addressOfContext: bigint | undefined
  dispose(): void
}
