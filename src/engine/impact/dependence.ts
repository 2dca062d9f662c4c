// Conditional dependence (impact.txt, section IV-D): two accesses by index or pointer commute where their alias
// expression is false, two writes to one variable where they write the same. The condition is decided on the path to
// the state before the first of the two steps, and that node's label is strengthened with it, so that it holds for
// every state that a cover brings there.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { isInput, type Transition } from '../../symbolic/index.js'
import { accessesOf, byteSize, type Edge, type Region, type Variable } from '../../xcfa/index.js'

interface MemoryUse {
  readonly region: Region
  readonly address: Term
  readonly size: number
  readonly write: boolean
}

export interface Performed {
  readonly thread: number
  readonly edge: Edge
  readonly transition: Transition
}

/**
 * When `second` after `first` differs from `first` after `second`: a formula over the state before both. Undefined:
 * always, as far as this can tell.
 */
export const interference = (
  first: Performed,
  second: Performed,
  variableTerm: (v: Variable, thread: number) => Term,
): Term | undefined => {
  if (!isPlain(first.edge) || !isPlain(second.edge)) return undefined
  const { updates } = first.transition
  const before = (term: Term): Term => logic.substitute(term, updates)
  const differing: Term[] = []
  for (const v of sharedWrites(first.edge, second.edge)) {
    if (v === 'dependent') return undefined
    const [a, b] = [first, second].map((each) => each.transition.updates.get(variableTerm(v, each.thread)))
    // A write of what is there already leaves no update.
    if (!a || !b || mentionsInput(a) || mentionsInput(b)) return undefined
    differing.push(logic.not(logic.eq(a, before(b))))
  }
  for (const a of sharedAccesses(first.transition))
    for (const b of sharedAccesses(second.transition)) {
      if (a.region !== b.region || (!a.write && !b.write)) continue
      if (mentionsInput(a.address) || mentionsInput(b.address)) return undefined
      differing.push(alias(a, { ...b, address: before(b.address) }))
    }
  const bad = logic.or(differing)
  return mentionsInput(bad) ? undefined : bad
}

/** Accesses to regions that other threads may see. */
const sharedAccesses = ({ accesses }: Transition): readonly MemoryUse[] =>
  accesses.flatMap(({ label: { kind, region, type }, address }) =>
    region.scope === 'global' ? [{ region, address, size: byteSize(type), write: kind === 'store' }] : [],
  )

/** Threads and the heap are left to the static relation: soundness 2. */
const isPlain = ({ labels, target }: Edge): boolean =>
  !target.atomic &&
  labels.every(
    ({ kind }) => kind !== 'start' && kind !== 'join' && kind !== 'allocate' && kind !== 'free' && kind !== 'primitive',
  )

const mentionsInput = (term: Term): boolean => logic.freeVariables(term).some((v) => isInput(v))

/** Global variables that both write and neither reads; 'dependent' if one writes what the other reads. */
const sharedWrites = (a: Edge, b: Edge): readonly (Variable | 'dependent')[] => {
  const [first, second] = [variableUses(a), variableUses(b)]
  const found: (Variable | 'dependent')[] = []
  for (const v of first.writes) {
    if (second.reads.has(v)) return ['dependent']
    if (second.writes.has(v)) found.push(first.reads.has(v) ? 'dependent' : v)
  }
  for (const v of second.writes) if (first.reads.has(v)) return ['dependent']
  return found
}

const variableUses = (
  edge: Edge,
): { readonly reads: ReadonlySet<Variable>; readonly writes: ReadonlySet<Variable> } => {
  const reads = new Set<Variable>()
  const writes = new Set<Variable>()
  for (const access of accessesOf(edge))
    if (access.kind === 'variable') (access.write ? writes : reads).add(access.variable)
  return { reads, writes }
}

/** True exactly if both accesses touch a common byte. */
const alias = (a: MemoryUse, b: MemoryUse): Term => {
  if (a.region.element !== 'bytes' || (a.size === 1 && b.size === 1)) return logic.eq(a.address, b.address)
  const bits = a.address.sort.kind === 'bv'
  const beyond = (use: MemoryUse): Term =>
    bits
      ? logic.bvAdd(use.address, logic.bvConst(use.size, logic.widthOf(use.address)))
      : logic.add(use.address, logic.intConst(use.size))
  const below = bits ? logic.bvUlt : logic.lt
  return logic.and(below(a.address, beyond(b)), below(b.address, beyond(a)))
}
