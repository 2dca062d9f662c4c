// Who chooses where an edge is nondeterministic: every value that matters, or those that a step gives.
import type { Value, Variable } from '../../xcfa/index.js'
import { rangeOf, Unsupported, wrap } from '../../xcfa/index.js'
import { BeyondBounds } from '../layout.js'
import type { Step } from '../trace.js'
import { type ChoicePoint, interval, valuesToTry } from './nondeterminism.js'

/**
 * Values to try where an edge chooses: a havoc, or a load of bytes that nobody wrote. `open` leaves a value that is
 * only stored (`point.onlyStored`) to whoever loads it.
 */
export type Chooser = (kind: ChoiceKind, domain: Domain, point: ChoicePoint) => readonly Value[] | 'open'

/** primitive: the value of a scheduler's function. Only who executes the scheduler knows it. */
export type ChoiceKind = 'havoc' | 'indeterminate' | 'primitive'

/** What is allowed: all values of the target's type, or those between two ends. */
export interface Domain {
  readonly target: Variable
  readonly range?: { readonly low: bigint; readonly high: bigint }
}

/** Every value that matters; what is only stored stays open. */
export const lazyChoice: Chooser = (kind, domain, point) =>
  kind !== 'primitive' && point.onlyStored && !domain.range ? 'open' : everyChoice(kind, domain, point)

/** Every value that matters, or an error that says that there are too many. */
export const everyChoice = (kind: ChoiceKind, { target, range }: Domain, point: ChoicePoint): readonly Value[] => {
  if (kind === 'primitive')
    throw new Unsupported('a cooperative scheduler: only the engine esst has one', point.edge.position)
  // A wide range may still be narrowed by what follows.
  const values = (range && interval(range.low, range.high)) ?? valuesToTry(target.type, point, range)
  if (values) return values
  throw new BeyondBounds('unbounded nondeterminism', point.edge.position)
}

const MAX_USUAL = 64

/** Values that may make a difference; a few usual ones where there are too many. */
export const usualChoice: Chooser = (kind, domain, point) => {
  if (kind === 'primitive') return []
  try {
    const values = lazyChoice(kind, domain, point)
    return values === 'open' ? values : values.slice(0, MAX_USUAL)
  } catch (problem) {
    if (!(problem instanceof BeyondBounds)) throw problem
    const { low, high } = domain.range ?? rangeOf(domain.target.type)
    return [0, 1, -1, 2, 3].filter((value) => value >= low && value <= high)
  }
}

/** The values of a step, as it says; what it does not say is 0. */
export const given = (step: Step): Chooser => {
  const values = { havoc: step.choices.values(), indeterminate: (step.indeterminate ?? []).values() }
  let havocs = 0
  return (kind, { target }, point) => {
    if (givesNothing(kind, point)) return [0]
    const next = values[kind === 'primitive' ? 'havoc' : kind].next()
    if (kind !== 'indeterminate' && step.open?.includes(havocs++)) return 'open'
    return [next.done ? 0 : wrap(target.type, next.value)]
  }
}

/** A primitive whose value nobody takes: a step says nothing about it. */
export const givesNothing = (kind: ChoiceKind, { edge, next }: ChoicePoint): boolean => {
  const label = edge.labels[next - 1]
  return kind === 'primitive' && label?.kind === 'primitive' && label.target === undefined
}
