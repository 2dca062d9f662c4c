// When a state violates a property (semantics.md, "Properties"): an error location, a race, a deadlock.
import type { Edge, Location, Violation } from '../xcfa/index.js'
import type { ConcreteAccess, Interpreter, Successor } from './interpreter.js'
import { BeyondBounds } from './layout.js'
import { isRunning, type Leak, leakAt } from './leaks.js'
import { changesInstances, decidingKey } from './recurrence.js'
import { haltOf, hasEnded, type State } from './state.js'
import type { Step } from './trace.js'

/** Properties that the concrete semantics decides by looking at single states. */
export const STATE_PROPERTIES = [
  'assert',
  'unreach-call',
  'no-overflow',
  'valid-memsafety',
  'no-data-race',
  'no-deadlock',
] as const
export type StateProperty = (typeof STATE_PROPERTIES)[number]

export type ViolationFound =
  | {
      readonly kind: 'error'
      readonly thread: number
      readonly location: Location
      readonly violation: Violation
      /** The step that would violate it, where that is none of the execution's. */
      readonly edge?: Edge
    }
  | { readonly kind: 'race'; readonly first: RacingAccess; readonly second: RacingAccess }
  | {
      readonly kind: 'deadlock'
      /** Threads that have not ended, none of which can go on (spurious wake-ups aside). */
      readonly waiting: readonly number[]
      /** Main has ended, only other threads wait. */
      readonly mainEnded: boolean
    }
  /** The last state was there before, in all that decides how the execution goes on: the steps from number `from` on (counted from 0) can be repeated for ever. */
  | { readonly kind: 'endless'; readonly from: number; readonly threads: readonly number[] }

interface RacingAccess {
  readonly thread: number
  readonly access: ConcreteAccess
}

/**
 * Whether reaching an error location of this kind violates the property; otherwise it just ends the program. To come to
 * the limit of a model is searched for like a violation, so that no proof rests on it; the report says UNKNOWN then.
 */
export const isErrorFor = (property: string, violation: Violation): boolean => {
  switch (property) {
    case 'assert':
      return violation.kind === 'assert' || violation.kind === 'reach-error' || violation.kind === 'limit'
    case 'unreach-call':
      return violation.kind === 'reach-error' || violation.kind === 'limit'
    case 'no-overflow':
      return violation.kind === 'overflow' || violation.kind === 'limit'
    case 'valid-memsafety':
      return ['deref', 'free', 'memtrack', 'limit'].includes(violation.kind)
    default:
      return false
  }
}

/** What the state violates, given its successors. */
export const violationAt = (
  interpreter: Interpreter,
  property: StateProperty,
  state: State,
  successors: readonly Successor[],
): ViolationFound | undefined => {
  switch (property) {
    case 'assert':
    case 'unreach-call':
    case 'no-overflow':
      return errorAt(property, state)
    case 'valid-memsafety':
      return memoryErrorAt(interpreter, state, successors)
    case 'no-data-race':
      return raceAt(interpreter, state, successors)
    case 'no-deadlock':
      return deadlockAt(state, successors)
  }
}

const errorAt = (property: StateProperty, { threads }: State): ViolationFound | undefined => {
  for (const [thread, { location }] of threads.entries())
    if (location.violation && location.kind === 'error' && isErrorFor(property, location.violation))
      return { kind: 'error', thread, location, violation: location.violation }
  return undefined
}

/** A thread's next step is an invalid access or free, or the program ends with memory that nothing points to. */
export const memoryErrorAt = (
  { layout }: Interpreter,
  state: State,
  successors: readonly Successor[],
): ViolationFound | undefined => {
  for (const [thread, { location }] of state.threads.entries()) {
    const { reason } = location
    if (reason?.violates)
      return { kind: 'error', thread, location, violation: { kind: reason.violates, text: reason.text } }
  }
  for (const { step, undefined: stopped } of successors) {
    const reason = stopped ?? step.edge.target.reason
    if (reason?.violates) return memoryError(step, { kind: reason.violates, text: reason.text })
  }
  if (!isRunning(state)) return undefined
  for (const { step, state: after } of successors) {
    const { reason } = step.edge.target
    const leak =
      reason?.kind === 'exit' && leakAt(layout, after, (thread) => reason.returns === true && thread === step.thread)
    if (leak) return memoryError(step, { kind: 'memtrack', text: leakText(leak) })
  }
  if (!state.threads.every(hasEnded)) return undefined
  const leak = leakAt(layout, state, () => false)
  const [{ location }] = [state.threads.at(0)!]
  return leak && { kind: 'error', thread: 0, location, violation: { kind: 'memtrack', text: leakText(leak) } }
}

/**
 * A thread calls `exit` while only variables of other threads point to a heap object. Whether that is lost is a matter of
 * definition: it is no violation here, and nothing is proved of such a program either.
 */
export const isLossDisputedAt = ({ layout }: Interpreter, state: State, successors: readonly Successor[]): boolean =>
  isRunning(state) &&
  successors.some(({ step, state: after }) => {
    const { reason } = step.edge.target
    if (reason?.kind !== 'exit' || reason.returns) return false
    return leakAt(layout, after, (thread) => thread !== step.thread) !== undefined
  })

const memoryError = ({ thread, edge }: Step, violation: Violation): ViolationFound => ({
  ...{ kind: 'error', thread, violation, edge },
  location: { ...edge.source, position: edge.position },
})

const leakText = ({ name, position }: Leak): string =>
  `memory is lost: ${position ? `what line ${position.line} allocated` : name} is not freed, and nothing points to it`

/** Live threads and no step but spurious wake-ups. Once a thread has stopped, the program has ended: no deadlock. */
export const deadlockAt = ({ threads }: State, successors: readonly Successor[]): ViolationFound | undefined => {
  if (threads.some((thread) => haltOf(thread))) return undefined
  if (successors.some(({ step }) => !step.edge.sync?.spurious)) return undefined
  const waiting = [...threads].flatMap((thread, number) => (hasEnded(thread) ? [] : [number]))
  return waiting.length > 0 ? { kind: 'deadlock', waiting, mainEnded: hasEnded(threads.at(0)!) } : undefined
}

/**
 * Whether an execution comes back to a state that it was in, or to one that agrees with it in all that decides how it goes
 * on, so that it need not end. A spurious wake-up is no part of such a round (there are finitely many of them), and once a
 * thread has stopped the program has ended.
 */
export const endlessAt = (
  interpreter: Interpreter,
  initial: State,
  steps: readonly Successor[],
): ViolationFound | undefined => {
  const last = steps.at(-1)?.state
  if (!last || last.threads.some((thread) => haltOf(thread))) return undefined
  const deciding = decidingKey(interpreter)
  const [exact, key] = [interpreter.key(last), deciding(last)]
  let changed = false
  for (let from = steps.length - 1; from >= 0 && !steps[from]!.step.edge.sync?.spurious; from--) {
    const before = steps[from - 1]?.state ?? initial
    changed ||= changesInstances(steps[from]!)
    if (changed ? interpreter.key(before) !== exact : deciding(before) !== key) continue
    const threads = new Set(steps.slice(from).map(({ step }) => step.thread))
    return { kind: 'endless', from, threads: [...threads].sort((a, b) => a - b) }
  }
  return undefined
}

/** Two threads whose next steps are both enabled, touch the same bytes, one of them writing, not both atomic. */
export const raceAt = (
  interpreter: Interpreter,
  state: State,
  successors: readonly Successor[],
): ViolationFound | undefined => {
  if (interpreter.movable(state).length < 2) return undefined
  const next: RacingAccess[] = []
  for (const successor of successors) {
    const { thread } = successor.step
    for (const access of accessesOfStep(interpreter, successor)) {
      const other = next.find((earlier) => earlier.thread !== thread && isRacing(earlier.access, access))
      if (other) return { kind: 'race', first: other, second: { thread, access } }
      next.push({ thread, access })
    }
  }
  return undefined
}

/** The same bytes, one of them writing, not both atomic. */
export const isRacing = (a: ConcreteAccess, b: ConcreteAccess): boolean => {
  if (!(a.write || b.write) || (a.atomic && b.atomic)) return false
  if (a.kind === 'variable') return b.kind === 'variable' && a.variable === b.variable
  return b.kind === 'memory' && a.address < b.address + b.size && b.address < a.address + a.size
}

const MAX_BLOCK_STATES = 10_000

/** An atomic block is one step: its accesses are those of all its ways through. */
const accessesOfStep = (interpreter: Interpreter, first: Successor): readonly ConcreteAccess[] => {
  const { thread, edge } = first.step
  if (first.undefined) return []
  if (!edge.target.atomic) return first.accesses
  const found = [...first.accesses]
  const seen = new Set<string>()
  const work = [first]
  for (let current = work.pop(); current; current = work.pop()) {
    const { state } = current
    if (current.undefined || !state.threads.at(thread)!.location.atomic) continue
    for (const next of interpreter.successors(state)) {
      found.push(...next.accesses)
      const key = interpreter.key(next.state)
      if (seen.has(key)) continue
      if (seen.add(key).size > MAX_BLOCK_STATES) throw new BeyondBounds('atomic block too large', edge.position)
      work.push(next)
    }
  }
  return found
}
