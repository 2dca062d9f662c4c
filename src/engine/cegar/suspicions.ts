// Races and deadlocks at the nodes of the graph (property/vectors.ts): what the abstract state does not exclude is a
// counterexample, of which the refiner finds out whether it is one.

import { not, type Term } from '../../logic/index.js'
import { conditionOf, type Property, suspicionsOf } from '../../property/index.js'
import type { Action, Control, ControlFlow } from '../../semantics/control.js'
import type { Transition, Transitions } from '../../symbolic/index.js'
import type { Domain } from './domain/index.js'
import type { ArgNode } from './selection.js'

interface Parts {
  readonly flow: ControlFlow
  readonly domain: Domain
  readonly transitions: Transitions
  readonly property: Property
}

export class Suspicions {
  private readonly suspicionsAt: ReturnType<typeof suspicionsOf>
  private readonly known = new Map<string, readonly Transition[]>()
  private created = 0

  constructor(
    private readonly parts: Parts,
    private readonly transitionOf: (control: Control, action: Action) => Transition,
  ) {
    this.suspicionsAt = suspicionsOf(parts.flow, parts.property)
  }

  /** The first suspicion that the state does not exclude, as a transition that is possible where it is true. */
  at({ control, state }: ArgNode): Transition | undefined {
    return this.conditionsAt(control).find(({ guard }) => !this.parts.domain.implies(state, not(guard)))
  }

  private conditionsAt(control: Control): readonly Transition[] {
    let conditions = this.known.get(control.key)
    if (!conditions) this.known.set(control.key, (conditions = this.compute(control)))
    return conditions
  }

  private compute(control: Control): readonly Transition[] {
    const { encoding } = this.parts.transitions
    const guards = this.suspicionsAt(control).map((suspicion) =>
      conditionOf(suspicion, (action) => {
        const { guard, accesses, inputs } = this.transitionOf(control, action)
        const choices = inputs.map(({ term, variable }) => ({ term, fact: encoding.inRange(variable.type, term) }))
        return { guard: [guard], addresses: accesses.map(({ address }) => address), choices }
      }),
    )
    const nothing = { updates: new Map<Term, Term>(), dead: new Set<Term>(), inputs: [], obligations: [], accesses: [] }
    // Numbers of the program's transitions are not negative.
    return [...new Set(guards)].map((guard) => ({ ...nothing, id: --this.created, guard }))
  }
}
