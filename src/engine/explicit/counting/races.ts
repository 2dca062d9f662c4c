// Data races among counted instances: two threads whose next steps touch the same bytes, one of them writing, not both
// atomic. Two instances of one kind are two threads where there are at least two of it. States in which one thread moves
// alone need not be looked at: its step takes no race away from the others, and touches nothing that they ever touch.
import { isRacing } from '../../../property/index.js'
import type { ConcreteAccess } from '../../../semantics/index.js'
import type { Program } from '../../../xcfa/index.js'
import { suspicionIn } from '../races.js'
import type { Actor, Machine } from './machine.js'
import { locationOf } from './search.js'
import { type CountedState, countOf } from './state.js'

export type RaceCheck = (state: CountedState, actors: readonly Actor[]) => boolean

export const racesAmong = (program: Program, machine: Machine): RaceCheck => {
  const suspicion = suspicionIn(program)
  return (state, actors) => {
    const known = new Map<Actor, readonly ConcreteAccess[]>()
    const accessesOf = (actor: Actor): readonly ConcreteAccess[] => {
      let found = known.get(actor)
      if (!found) known.set(actor, (found = machine.accesses(state, actor)))
      return found
    }
    const isPair = (a: Actor, b: Actor): boolean =>
      (a !== b || (a.kind === 'one of' && countOf(state.counts, a.of) > 1)) &&
      suspicion(locationOf(state, a), locationOf(state, b)).length > 0
    return actors.some((a, i) =>
      actors.slice(i).some((b) => isPair(a, b) && accessesOf(a).some((x) => accessesOf(b).some((y) => isRacing(x, y)))),
    )
  }
}
