// The same execution with fewer context switches. Steps that do not depend on each other may change places (trace
// equivalence); of all orders that keep the dependent ones, we look for one with the fewest switches, and leave out
// what the violation does not need. Each candidate counts only if it replays.
import type { ConcreteAccess, Interpreter } from '../interpreter.js'
import type { Trace } from '../trace.js'
import { type Replay, type ReplayedStep, replayWith } from './replay.js'

export const contextSwitches = (steps: readonly { readonly thread: number }[]): number =>
  steps.filter(({ thread }, i) => i > 0 && steps[i - 1]!.thread !== thread).length

/** A replay that reached its violation, in fewer switches and steps where possible. */
export const minimise = (interpreter: Interpreter, found: Replay, trace: Trace, property: string): Replay => {
  if (!found.reached || found.steps.length > MAX_STEPS || isScheduled(found)) return found
  // The round at the end belongs together.
  if (found.violation?.kind === 'endless') return found
  const units = unitsOf(found.steps)
  const before = predecessorsOf(units)
  let best = found
  for (const kept of [neededFor(found, units, before), units.map((_, i) => i)]) {
    const order = fewestSwitches(units, before, kept)
    const steps = order?.flatMap((i) => units[i]!.steps)
    if (!steps || !isBetter(steps, best.steps)) continue
    const again = replayWith(interpreter, { ...trace, steps: steps.map(({ step }) => step) }, property)
    if (again.reached && again.violation?.kind === found.violation?.kind && isBetter(again.steps, best.steps))
      best = again
  }
  return best
}

/** Primitives of a cooperative scheduler: who runs when is its business, and not for us to change. */
const isScheduled = ({ steps }: Replay): boolean =>
  steps.some(({ step }) => step.edge.labels.some(({ kind }) => kind === 'primitive'))

const MAX_STEPS = 3_000
const MAX_ORDERS = 20_000
const MAX_WORK = 5_000_000

const isBetter = (a: readonly ReplayedStep[], b: readonly ReplayedStep[]): boolean => {
  const [first, second] = [a, b].map((steps) => contextSwitches(steps.map(({ step }) => step))) as [number, number]
  const difference = first - second
  return difference < 0 || (difference === 0 && a.length < b.length)
}

/** Steps of one thread that stay together: an atomic block. */
interface Unit {
  readonly thread: number
  readonly steps: ReplayedStep[]
  /** How many threads there were before it. */
  readonly threads: number
}

const unitsOf = (steps: readonly ReplayedStep[]): readonly Unit[] => {
  const units: Unit[] = []
  const threadsAfter = (unit: Unit | undefined): number => unit?.steps.at(-1)?.state.threads.length ?? 1
  for (const replayed of steps) {
    const last = units.at(-1)
    const inside = last?.thread === replayed.step.thread && replayed.step.edge.source.atomic
    if (inside) last.steps.push(replayed)
    else units.push({ thread: replayed.step.thread, steps: [replayed], threads: threadsAfter(last) })
  }
  return units
}

/** For each unit the earlier ones that it depends on, its thread's last one included. */
const predecessorsOf = (units: readonly Unit[]): readonly (readonly number[])[] =>
  units.map((unit, i) => {
    const before: number[] = []
    for (let j = 0; j < i; j++) if (dependent(units[j]!, unit)) before.push(j)
    return before
  })

const dependent = (first: Unit, second: Unit): boolean =>
  first.thread === second.thread ||
  starts(first, second.thread) ||
  (hasLabel(first, 'start') && hasLabel(second, 'start')) ||
  (hasLabel(second, 'join') && endsThread(first)) ||
  ((hasLabel(first, 'allocate') || hasLabel(first, 'free')) &&
    (hasLabel(second, 'allocate') || hasLabel(second, 'free'))) ||
  hasLabel(first, 'free') ||
  hasLabel(second, 'free') ||
  accessesOf(first).some((a) => accessesOf(second).some((b) => touchSame(a, b)))

const hasLabel = ({ steps }: Unit, kind: string): boolean =>
  steps.some(({ step }) => step.edge.labels.some((label) => label.kind === kind))

/** Whether the thread came to life in this unit. */
const starts = (unit: Unit, thread: number): boolean =>
  unit.threads <= thread && unit.steps.at(-1)!.state.threads.length > thread

const endsThread = ({ steps }: Unit): boolean => steps.at(-1)!.step.edge.target.kind === 'final'

/** A look at bytes that nobody wrote decides them: that counts as a write. */
const accessesOf = ({ steps }: Unit): readonly ConcreteAccess[] =>
  steps.flatMap(({ step, accesses }) =>
    step.indeterminate ? accesses.map((access) => ({ ...access, write: true })) : accesses,
  )

const touchSame = (a: ConcreteAccess, b: ConcreteAccess): boolean => {
  if (!a.write && !b.write) return false
  if (a.kind === 'variable') return b.kind === 'variable' && a.variable === b.variable
  return b.kind === 'memory' && a.address < b.address + b.size && b.address < a.address + a.size
}

/** Units in the causal past of the threads that show the violation; starts stay, so that numbers stay. */
const neededFor = (
  { violation }: Replay,
  units: readonly Unit[],
  before: readonly (readonly number[])[],
): readonly number[] => {
  const threads =
    violation?.kind === 'error'
      ? [violation.thread]
      : violation?.kind === 'race'
        ? [violation.first.thread, violation.second.thread]
        : units.map(({ thread }) => thread)
  const needed = new Set<number>()
  const work = units.flatMap((unit, i) => (threads.includes(unit.thread) || hasLabel(unit, 'start') ? [i] : []))
  for (let i = work.pop(); i !== undefined; i = work.pop())
    if (!needed.has(i)) {
      needed.add(i)
      work.push(...before[i]!)
    }
  return [...needed].sort((a, b) => a - b)
}

/**
 * Breadth first over switches: between two of them a thread runs as far as it can (running on never hurts: every unit
 * has to come, and more done only enables more). Undefined when there are too many orders to look at.
 */
const fewestSwitches = (
  units: readonly Unit[],
  before: readonly (readonly number[])[],
  kept: readonly number[],
): readonly number[] | undefined => {
  const threads = [...new Set(kept.map((i) => units[i]!.thread))]
  const runOf = new Map(threads.map((t) => [t, kept.filter((i) => units[i]!.thread === t)]))
  const queue: { readonly order: readonly number[]; readonly done: ReadonlySet<number> }[] = [
    { order: [], done: new Set() },
  ]
  const seen = new Set<string>()
  // With many threads each order takes long to make.
  const most = Math.min(MAX_ORDERS, MAX_WORK / (kept.length * threads.length))
  for (let at = 0; at < queue.length && at < most; at++) {
    const { order, done } = queue[at]!
    if (order.length === kept.length) return order
    for (const thread of threads) {
      const next = new Set(done)
      const run: number[] = []
      for (const i of runOf.get(thread)!) {
        if (next.has(i)) continue
        if (!before[i]!.every((j) => next.has(j))) break
        next.add(i)
        run.push(i)
      }
      if (run.length === 0) continue
      const key = `${thread}:${threads.map((t) => runOf.get(t)!.filter((i) => next.has(i)).length).join()}`
      if (seen.has(key)) continue
      seen.add(key)
      queue.push({ order: [...order, ...run], done: next })
    }
  }
  return undefined
}
