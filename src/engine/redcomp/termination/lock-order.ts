// Nobody is blocked for ever where threads wait for locks only, and all of them take locks in one order: beyond
// redcomp.txt, and without the solver. A thread that waits for a lock waits for one that may hold it, which waits for
// a later lock, and so on: the last one does not wait. Main may wait for others to end while it holds nothing.
import { and, eq, FALSE, not, or, substitute, type Term, TRUE, variable } from '../../../logic/index.js'
import { type Lock, type Movers, movers } from '../../../reduction/index.js'
import type { Smt } from '../../../smt/index.js'
import type { Edge, Location } from '../../../xcfa/index.js'
import { outgoing } from '../../../xcfa/passes/index.js'
import type { Thread, Threads } from '../program/specialise.js'
import type { StateSpace } from '../program/state.js'
import { type Step, stepsOf } from '../program/steps.js'
import { components } from './graph.js'

/** Whether it is shown that nobody can be blocked for ever. `threads`: before reduction. */
export const takesLocksInOrder = ({ threads }: Threads, space: StateSpace, smt: Smt): boolean => {
  const found = movers(threads)
  if (!threads.every((thread) => writesLocksProperly(thread, found))) return false
  const order: { readonly from: Lock; readonly to: Lock }[] = []
  for (const thread of threads) {
    const held = mayHold(thread, found)
    if ((held.get(thread.template.final)?.size ?? 0) > 0) return false
    const steps = new Map<Location, Step[]>()
    for (const step of stepsOf(space, thread)) {
      if (step.edge.sync?.spurious) continue
      steps.set(step.edge.source, [...(steps.get(step.edge.source) ?? []), step])
    }
    for (const location of thread.template.locations) {
      if (location.kind !== 'plain' || !held.has(location)) continue
      const waiting = waitsFor(thread, steps.get(location) ?? [], found, space, smt)
      if (waiting === undefined) return false
      if (waiting === 'an end' && (held.get(location)!.size > 0 || thread !== threads[0])) return false
      if (typeof waiting === 'number') for (const lock of held.get(location)!) order.push({ from: lock, to: waiting })
    }
  }
  return components(new Set(found.locks), order).length === 0
}

/** Every step that writes a lock takes it, or makes it zero; all of them are zero at first. */
const writesLocksProperly = ({ template }: Thread, found: Movers): boolean =>
  template.edges.every((edge) => {
    const { all, freed } = found.written(edge)
    return all.length === freed.length
  })

/** Locks that a thread may hold at its locations: those that it took on some way and has not given back since. */
const mayHold = ({ template }: Thread, found: Movers): ReadonlyMap<Location, ReadonlySet<Lock>> => {
  const held = new Map<Location, ReadonlySet<Lock>>([[template.initial, new Set()]])
  const from = outgoing(template.edges)
  const work = [template.initial]
  const after = (edge: Edge): ReadonlySet<Lock> => {
    const { freed } = found.written(edge)
    return new Set([...[...held.get(edge.source)!].filter((m) => !freed.includes(m)), ...found.taken(edge)])
  }
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const known = held.get(edge.target)
      const next = after(edge)
      if (known && [...next].every((m) => known.has(m))) continue
      held.set(edge.target, new Set([...(known ?? []), ...next]))
      work.push(edge.target)
    }
  return held
}

/** What a thread waits for: nothing, one lock, the end of another thread; undefined: something else. */
const waitsFor = (
  thread: Thread,
  steps: readonly Step[],
  found: Movers,
  space: StateSpace,
  smt: Smt,
): 'nothing' | 'an end' | Lock | undefined => {
  const enabled = or(steps.map(canBeTaken))
  const isAlways = (condition: Term): boolean => {
    if (condition === TRUE || condition === FALSE) return condition === TRUE
    const solver = smt.solver({ timeoutMs: 2000 })
    try {
      solver.add(not(condition))
      return solver.check() === 'unsat'
    } finally {
      solver.dispose()
    }
  }
  if (isAlways(enabled)) return 'nothing'
  const locks = new Set(steps.flatMap(({ edge }) => found.taken(edge)))
  if (locks.size === 1) {
    const [lock] = locks as Set<Lock> & Iterable<Lock>
    const cells = new Set(steps.filter((s) => found.taken(s.edge).length > 0).flatMap((s) => cellsOf(s, space)))
    const free = new Map([...cells].map((cell) => [cell, space.encoding.constant(LOCK_TYPE, 0)]))
    const startFree = space.shared.filter((v) => cells.has(v.term)).every((v) => v.initial?.value === 0n)
    return startFree && isAlways(substitute(enabled, free)) ? lock : undefined
  }
  if (locks.size > 0 || !steps.every(({ edge }) => edge.labels.some((l) => l.kind === 'join'))) return undefined
  const ended = new Map(space.threads.map((t) => [space.counter(t), space.code(t.template.final)]))
  return thread.number !== undefined && isAlways(substitute(enabled, ended)) ? 'an end' : undefined
}

const LOCK_TYPE = { kind: 'int', width: 32, signed: true } as const

/** The guard, with choices of the step counted out: a step that chooses is not relied on. */
const canBeTaken = ({ guard, choices }: Step): Term => {
  const other = new Map(choices.map((v) => [v, variable(`${v.name}?`, v.sort)]))
  return choices.length === 0 || substitute(guard, other) === guard ? guard : FALSE
}

/** State variables that the step changes and that its guard wants to be zero. */
const cellsOf = ({ guard, changes }: Step, space: StateSpace): readonly Term[] =>
  space.shared
    .map(({ term }) => term)
    .filter(
      (t) =>
        changes.has(t) && t.sort.kind === 'int' && and(guard, eq(t, space.encoding.constant(LOCK_TYPE, 0))) === guard,
    )
