// When two adjacent letters of different threads may be swapped: never where one starts a thread that the other's
// start would number otherwise, or ends a thread that the other waits for; always where neither writes what the other
// reads or writes; else where both orders have the same guard and the same effect. With conditional commutativity it is
// enough that this holds in the states of the proof, and in one direction: a letter that sleeps is moved to the front only,
// so that where it can be taken second it has to be possible to take it first, to the same effect. What a swap may assume
// holds after every execution of the prefix, so that each swap turns a run into a run.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { Queries, type Smt } from '../../smt/index.js'
import { isInput } from '../../symbolic/index.js'
import type { Letter } from './letters.js'
import type { Proof, ProofState } from './proof.js'

export type CommutativityKind = 'syntactic' | 'semantic' | 'conditional'

/** Why two letters commute. */
export type Fact =
  | { readonly kind: 'disjoint' }
  | { readonly kind: 'same effect' }
  | { readonly kind: 'under'; readonly condition: ProofState }

const SOLVER_STEPS = 400_000

export class Commutativity {
  readonly counts = { commuting: 0, semantic_facts: 0, conditional_facts: 0 }
  private readonly known = new Map<string, Fact | { readonly kind: 'open'; readonly difference: Term } | undefined>()
  private readonly conditional = new Map<string, boolean>()
  private readonly queries: Queries

  constructor(
    smt: Smt,
    private readonly proof: Proof,
    private readonly kind: CommutativityKind,
    private readonly rangesOf: (formula: Term) => Term,
    /** Whether the first may be the end of a thread that the second waits for. */
    private readonly waits: (end: Letter, join: Letter) => boolean,
  ) {
    this.queries = new Queries(smt, { rlimit: SOLVER_STEPS })
  }

  dispose(): void {
    this.queries.dispose()
  }

  /** Why `b` and then `a` may be exchanged in the states of the proof; undefined: they may not. */
  fact(a: Letter, b: Letter, state: ProofState): Fact | undefined {
    const always = this.always(a, b)
    if (!always) return undefined
    if (always.kind !== 'open') return always
    if (this.kind !== 'conditional') return undefined
    return this.under(a, b, always.difference, state) ? { kind: 'under', condition: state } : undefined
  }

  commute(a: Letter, b: Letter, state: ProofState): boolean {
    return this.fact(a, b, state) !== undefined
  }

  /** The states in which they may not be exchanged, where that depends on nothing from outside. */
  difference(a: Letter, b: Letter): Term | undefined {
    const always = this.always(a, b)
    if (always?.kind !== 'open' || this.kind !== 'conditional') return undefined
    return logic.freeVariables(always.difference).some(isInput) ? undefined : always.difference
  }

  /** Whatever the state is. */
  unconditional(a: Letter, b: Letter): boolean {
    const always = this.always(a, b)
    return always !== undefined && always.kind !== 'open'
  }

  private always(a: Letter, b: Letter): Fact | { readonly kind: 'open'; readonly difference: Term } | undefined {
    if (this.kind !== 'conditional' && a.meaning > b.meaning) return this.always(b, a)
    const key = `${a.meaning} ${b.meaning}`
    if (!this.known.has(key)) this.known.set(key, this.compute(a, b))
    return this.known.get(key)
  }

  private compute(a: Letter, b: Letter): Fact | { readonly kind: 'open'; readonly difference: Term } | undefined {
    if (a.thread === b.thread || (a.starts && b.starts) || this.waits(a, b) || this.waits(b, a)) return undefined
    if (!conflict(a, b)) {
      this.counts.commuting++
      return { kind: 'disjoint' }
    }
    if (this.kind === 'syntactic') return undefined
    const difference = differenceOf(a, b, this.kind === 'conditional')
    if (
      difference === logic.FALSE ||
      this.queries.satisfiable(logic.and(difference, this.rangesOf(difference))) === false
    ) {
      this.counts.semantic_facts++
      return { kind: 'same effect' }
    }
    return { kind: 'open', difference }
  }

  private under(a: Letter, b: Letter, difference: Term, state: ProofState): boolean {
    const key = `${a.meaning} ${b.meaning} ${state.id}`
    let holds = this.conditional.get(key)
    if (holds === undefined) {
      holds = this.proof.contradicts(state, difference)
      if (holds) this.counts.conditional_facts++
      this.conditional.set(key, holds)
    }
    return holds
  }
}

const conflict = (a: Letter, b: Letter): boolean =>
  some(a.writes, (v) => b.writes.has(v) || b.reads.has(v)) || some(b.writes, (v) => a.reads.has(v))

/**
 * States, with inputs of both letters, in which the two orders differ: one is possible only (one way: `b` first is), or
 * they end elsewhere.
 */
const differenceOf = (a: Letter, b: Letter, oneWay: boolean): Term => {
  const inputs = new Map(b.inputs.map(({ term }) => [term, logic.variable(`${term.name}'`, term.sort)]))
  const own = (term: Term): Term => logic.substitute(term, inputs)
  const updatesB = new Map([...b.updates].map(([v, value]) => [v, own(value)]))
  const guardB = own(b.guard)
  const ab = logic.and(a.guard, logic.substitute(guardB, a.updates))
  const ba = logic.and(guardB, logic.substitute(a.guard, updatesB))
  const differs = [...new Set([...a.updates.keys(), ...updatesB.keys()])].map((v) => {
    const [first, second] = [a.updates.get(v) ?? v, updatesB.get(v) ?? v]
    return logic.not(logic.eq(logic.substitute(second, a.updates), logic.substitute(first, updatesB)))
  })
  if (oneWay) return logic.and(ba, logic.or(logic.not(ab), differs))
  return logic.or(logic.and(ab, logic.not(ba)), logic.and(ba, logic.not(ab)), logic.and(ab, ba, logic.or(differs)))
}

const some = <T>(values: Iterable<T>, holds: (value: T) => boolean): boolean => {
  for (const value of values) if (holds(value)) return true
  return false
}
