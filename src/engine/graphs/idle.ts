// Iterations of a loop that do nothing. A thread that comes back to where it was, with the same values, and has only read
// on the way, waits for one of its reads to change; so it goes no further in this graph, and the reads can be revisited.
// Whatever can happen after such an iteration can happen without it: leaving out reads and fences keeps an execution
// consistent under every model here, and the thread is where it was.
//
// Two more iterations do nothing. (1) An atomic exchange that puts back the value that it has read (test-and-set of a lock
// that is taken): who reads from it may read from the write before. The thread stops before it writes; if races are
// asked for, after it has written once, because that may be a race. (2) A
// compare-exchange that fails and is tried again with the value that it has found, `r = x; while (!cas(&x, &r, f(r)));`:
// the thread is where it would be if its first read had found that value at once.
//
// Kokologiannakis, Ren, Vafeiadis: Dynamic Partial Order Reductions for Spinloops, FMCAD 2021, turn the same loops into
// assumptions. They look at the program's text; we compare the states of the thread, so that the shape of the loop is of
// no importance.
import { writesAgain } from './again.js'
import type { Event } from './event.js'
import type { Machine } from './machine.js'
import { type Action, isSamePoint, type Point } from './point.js'

type Read = Extract<Action, { kind: 'read' }>

/** Whether the thread has done nothing since it was here, or will have before its next read. */
export const isIdle = (machine: Machine, last: Event, action: Action): boolean => {
  if (last.isIdle === undefined) {
    const back = whereItComesBack(machine, last, action)
    last.isIdle =
      leavesOutWrites(machine, last, action) ||
      (back !== undefined && (beginningOfLoop(last, back) !== undefined || isRetry(machine, last, back)))
  }
  return last.isIdle
}

/** Whether an iteration is left out that only writes again what the thread has written (again.ts). */
export const leavesOutWrites = (machine: Machine, last: Event, action: Action): boolean => {
  if (!machine.mayLeaveOutWrites || !writesAgain(last, action)) return false
  machine.leftOutWrites = true
  return true
}

/** Where the thread reads next, if it changes nothing before that. */
export const whereItComesBack = (machine: Machine, last: Event, action: Action): Point | undefined => {
  const read = last.kind === 'read' ? last.prev!.point.action : undefined
  const next =
    read?.kind === 'read' ? behindFences(machine, behindSilentWrite(machine, action, read, last.value)) : action
  return next.kind === 'read' && next.at.known.length === 0 ? next.at : undefined
}

export const behindFences = (machine: Machine, from: Action): Action => {
  let action = from
  while (action.kind === 'effect' && action.effect.kind === 'fence') action = machine.action(action.after)
  return action
}

/** What follows the second half of an atomic exchange that puts back what its first half has read. */
export const behindSilentWrite = (machine: Machine, action: Action, read: Read, value: Event['value']): Action => {
  if (action.kind !== 'effect' || action.effect.kind !== 'write') return action
  const { effect } = action
  const isSilent = effect.isAtomic && effect.location === read.location && effect.value === value
  return isSilent && effect.edge === read.edge && machine.mayHideWrites(effect.location)
    ? machine.action(action.after)
    : action
}

/** The first read of the loop that has come back to the given place. */
export const beginningOfLoop = (last: Event, at: Point): Event | undefined => {
  for (let e: Event | undefined = last; e?.prev && (changesNothing(e) || isSilent(e)); e = e.prev) {
    const { action } = e.prev.point
    if (e.kind === 'read' && action?.kind === 'read' && action.at.known.length === 0 && isSamePoint(action.at, at))
      return e
  }
  return undefined
}

/**
 * Whether an earlier read of the same location would have led to the given place if it had read what the newest one has.
 * Only in a loop: reads one after the other are executions of their own, even if nobody looks at what they have read.
 */
export const isRetry = (machine: Machine, last: Event, at: Point): boolean => {
  let newest: Event | undefined = last
  while (newest && (newest.kind === 'choice' || newest.kind === 'fence')) newest = newest.prev
  if (newest?.kind !== 'read') return false
  let isInLoop = false
  for (let e: Event | undefined = newest; e?.prev && changesNothing(e); e = e.prev) {
    const { action } = e.prev.point
    if (e.kind !== 'read' || action?.kind !== 'read') continue
    if (isInLoop && isNoStronger(e, newest)) {
      const next = behindFences(machine, machine.action(machine.afterRead(action.at, action.location, newest.value)))
      if (next.kind === 'read' && next.at.known.length === 0 && isSamePoint(next.at, at)) return true
    }
    isInLoop ||= action.at.location === at.location
  }
  return false
}

/** Whether the first read may take the place of the second one in every execution. */
const isNoStronger = (first: Event, second: Event): boolean =>
  first.location === second.location &&
  first.isAtomic === second.isAtomic &&
  (first.order === second.order || first.order === 'relaxed') &&
  first.edge?.sync?.kind === second.edge?.sync?.kind

/** The second half of an exchange that has put back what it had read. */
const isSilent = (e: Event): boolean => e.isRmwWrite && e.isAtomic && e.value === e.source!.value

const changesNothing = ({ kind }: Event): boolean => kind === 'read' || kind === 'choice' || kind === 'fence'
