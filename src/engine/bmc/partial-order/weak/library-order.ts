// Steps of the thread library under a memory model.
import { and, FALSE, implies, or, type Term, TRUE } from '../../../../logic/index.js'
import type { Event } from '../events.js'
import type { Order } from '../order.js'
import { coherenceBefore, type Sites, type Source, sameLocation } from './sites.js'

/**
 * The library's steps are atomic, also those that access several cells (a read-write lock, a condition variable): what
 * changes a cell comes after the steps that found it unchanged, in an order of whole steps that po and rf agree with.
 * A trylock that fails may have seen what is no longer true, and so may a mere look at a semaphore.
 */
export const libraryOrder = ({ managed, writes }: Sites, sources: readonly Source[], order: Order): readonly Term[] => {
  const result: Term[] = []
  const changers = writes.filter(({ place }) => managed.has(place))
  changers.forEach((a, i) => {
    for (const b of changers.slice(i + 1)) {
      const same = sameLocation(a, b)
      if (same === FALSE || a.event === b.event) continue
      const both = and(a.condition, b.condition, same)
      result.push(implies(and(both, coherenceBefore(a, b)), order.before(a.event, b.event)))
      result.push(implies(and(both, coherenceBefore(b, a)), order.before(b.event, a.event)))
    }
  })
  for (const { read, initially, candidates } of sources) {
    if (!managed.has(read.place)) continue
    const own = changers.filter(({ event }) => event === read.event)
    const changes = mayBeLate(read.event) ? or(own.map(({ condition }) => condition)) : TRUE
    if (changes === FALSE) continue
    for (const later of changers) {
      const same = sameLocation(later, read)
      if (same === FALSE || later.event === read.event) continue
      const here = and(read.condition, changes, later.condition, same)
      const after = order.before(read.event, later.event)
      result.push(implies(and(here, initially), after))
      for (const { source, write } of candidates)
        if (write !== later) result.push(implies(and(here, source, coherenceBefore(write, later)), after))
    }
  }
  return result
}

const mayBeLate = ({ node }: Event): boolean =>
  node.outgoing.some(({ edge: { sync } }) => sync?.kind === 'trylock' || sync?.kind === 'atomic')
