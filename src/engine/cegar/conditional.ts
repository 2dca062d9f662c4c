// Conditional dependence (beyond aapor.txt): what two threads do next may depend on each other by what they touch, and
// yet not in the states of a node: an index or a pointer leads them to different places, or both write the same value.
// Sleep sets may go by that: what sleeps behind a step needs to commute with it only where it was taken. Persistent sets
// may not, as they speak of all that the other threads may ever do.

import type { Term } from '../../logic/index.js'
import { independence, type Summary, summaryOf } from '../../reduction/index.js'
import type { ControlFlow, ThreadControl } from '../../semantics/control.js'
import type { Transitions } from '../../symbolic/index.js'
import type { Edge, Label } from '../../xcfa/index.js'
import type { AbstractState, Domain } from './domain/index.js'

/** These are about more than variables and memory. */
const isOrdinary = ({ kind }: Label): boolean =>
  kind !== 'start' && kind !== 'join' && kind !== 'allocate' && kind !== 'free'

export class ConditionalDependence {
  private readonly summaries = new Map<string, Summary>()
  private readonly conditions = new Map<string, Term>()

  constructor(
    private readonly flow: ControlFlow,
    private readonly transitions: Transitions,
    private readonly domain: Domain,
  ) {}

  /** Whether in every one of these states what the two threads do next can be done in either order. */
  independent(state: AbstractState, a: ThreadControl, b: ThreadControl): boolean {
    const [first, second] = [a, b].map(({ location }) => this.flow.edgesFrom(location)) as [
      readonly Edge[],
      readonly Edge[],
    ]
    if (![...first, ...second].every(({ labels }) => labels.every(isOrdinary))) return false
    return first.every((one) =>
      second.every((other) => this.domain.implies(state, this.condition(this.summary(a, one), this.summary(b, other)))),
    )
  }

  private condition(a: Summary, b: Summary): Term {
    const key = `${a.thread}:${a.edge.id} ${b.thread}:${b.edge.id}`
    let condition = this.conditions.get(key)
    if (!condition) this.conditions.set(key, (condition = independence(a, b, 'full', this.transitions.encoding)))
    return condition
  }

  private summary({ number, template }: ThreadControl, edge: Edge): Summary {
    const key = `${number}:${edge.id}`
    let summary = this.summaries.get(key)
    // No instance and no thread is asked for: such labels are not ordinary, and invalid accesses go on here.
    if (!summary) {
      const { encoding } = this.transitions
      this.summaries.set(
        key,
        (summary = summaryOf(edge, template, number, { encoding, threads: 0, heap: 0, unchecked: true })),
      )
    }
    return summary
  }
}
