// Which actions are explored from a node (aapor.txt 4.1.1.3, 4.2.2): persistent sets from each thread, the smallest that
// may be taken. Two rules of soundness.md go beyond the paper: a set with a back edge is not taken (3), nor is one
// of which no member can be executed in every state of the node (4); if none is left, everything is explored.
import type { Node } from '../../arg/index.js'
import { freeVariables, or, type Term } from '../../logic/index.js'
import type { Property } from '../../property/index.js'
import { AbstractDependence, coversAll, type DependenceKind, MAX_THREADS } from '../../reduction/index.js'
import type { Action, Control, ControlFlow, ThreadControl } from '../../semantics/control.js'
import { isInput, type Transition } from '../../symbolic/index.js'
import type { Edge, Label, Location, Region, Variable } from '../../xcfa/index.js'
import type { ConditionalDependence } from './conditional.js'
import type { AbstractState, Domain } from './domain/index.js'

export type Reduction = 'none' | 'basic' | 'aapor'
export type ArgNode = Node<Control, AbstractState, Action>
type SharedObject = Variable | Region

/** The threads whose actions are explored, and what must stay out of the precision for that to be enough. */
export interface Selected {
  readonly threads: number | 'all'
  /** The validity set X of Algorithm 3. */
  readonly validity: ReadonlySet<SharedObject>
}

const NO_OBJECTS: ReadonlySet<SharedObject> = new Set()
const EVERYTHING: Selected = { threads: 'all', validity: NO_OBJECTS }

export interface SelectionParts {
  readonly reduction: Reduction
  readonly dependence: DependenceKind
  readonly conditional?: ConditionalDependence
  readonly flow: ControlFlow
  readonly domain: Domain
  readonly property: Property
  transitionOf(control: Control, action: Action): Transition
  meaning(term: Term): SharedObject | undefined
}

export class Selection {
  private readonly dependence: AbstractDependence
  /** Terms that the precision tracks, by value or in a predicate; only abstraction-aware reduction asks. */
  private trackedTerms = new Set<Term>()
  private known = 0

  constructor(private readonly parts: SelectionParts) {
    this.dependence = new AbstractDependence(parts.flow.program, parts.dependence)
    this.update()
  }

  /** After a refinement: the abstract variables that are new, by what they are about. */
  update(): readonly (readonly SharedObject[])[] {
    const origins = this.parts.domain.precision.origins()
    this.trackedTerms = new Set(origins.flat())
    const objects = origins.map((terms) => terms.flatMap((term) => this.parts.meaning(term) ?? []))
    if (this.parts.reduction === 'aapor') this.dependence.setPrecision(objects)
    const grown = this.known === origins.length ? [] : objects
    this.known = origins.length
    return grown
  }

  /** Algorithms 1 to 3: what to explore from a node that was not explored yet. */
  choose(node: ArgNode): Selected {
    const { control } = node
    if (this.parts.reduction === 'none' || !this.mayReduce(control)) return EVERYTHING
    const { live, at } = this.situation(control)
    const candidates = new Set<number>()
    for (let rest = live; rest !== 0; rest &= rest - 1)
      candidates.add(this.dependence.persistentSet(31 - Math.clz32(rest & -rest), live, at))
    // Of two sets of one size, the one that stays valid for longer.
    const sized = [...candidates]
      .filter((set) => set !== live)
      .map((set) => ({
        set,
        size: this.actionsOf(control, set).length,
        limits: this.validitySet(set, live, at).size,
      }))
      .sort((a, b) => a.size - b.size || a.limits - b.limits)
    for (const { set } of sized) {
      const selected = this.admitted(node, set, live)
      if (selected) return selected
    }
    return EVERYTHING
  }

  /**
   * Algorithm 4: of the nodes that a refinement preserved, those whose persistent set is none any more. `selected` has
   * what is to be explored from each from now on; `grown` are the abstract variables that are new.
   */
  processPreserved(
    nodes: Iterable<ArgNode>,
    selected: WeakMap<ArgNode, Selected>,
    grown: readonly (readonly SharedObject[])[],
  ): readonly ArgNode[] {
    const again: ArgNode[] = []
    for (const node of nodes) {
      const before = selected.get(node)
      if (!before || !node.expanded) continue
      const now = this.revise(node, before, grown)
      if (now === before) continue
      selected.set(node, now)
      if (now.threads !== before.threads) again.push(node)
    }
    return again
  }

  private revise(node: ArgNode, selected: Selected, grown: readonly (readonly SharedObject[])[]): Selected {
    if (selected.threads === 'all' || this.parts.reduction !== 'aapor') return selected
    // soundness 8: a predicate counts through all its variables.
    if (!grown.flat().some((object) => selected.validity.has(object))) return selected
    const { live, at } = this.situation(node.control)
    const set = this.dependence.extended(selected.threads & live, live, at)
    return (set === live ? undefined : this.admitted(node, set, live)) ?? EVERYTHING
  }

  /** Whether what two threads do next depends on each other, in some state of the node. */
  dependent({ state }: ArgNode, a: ThreadControl, b: ThreadControl): boolean {
    return this.dependence.nextConflict(a.location, b.location) && !this.parts.conditional?.independent(state, a, b)
  }

  actionsOf(control: Control, threads: number | 'all'): readonly Action[] {
    const actions = this.parts.flow.actions(control)
    return threads === 'all' ? actions : actions.filter(({ thread }) => (threads & (1 << thread)) !== 0)
  }

  /** For deadlocks the end of the program depends on every action. */
  private get endMatters(): boolean {
    return this.parts.property === 'no-deadlock'
  }

  /** Only what the precision ignores can make a set too small later on. */
  private validitySet(set: number, live: number, at: readonly Location[]): ReadonlySet<SharedObject> {
    return this.parts.reduction === 'aapor' ? this.dependence.validitySet(set, live, at) : NO_OBJECTS
  }

  private mayReduce({ threads }: Control): boolean {
    return threads.length > 1 && threads.length <= MAX_THREADS && !threads.some(({ location }) => location.atomic)
  }

  private situation({ threads }: Control): { live: number; at: readonly Location[] } {
    let live = 0
    // soundness 2: blocked threads, too: somebody may release them.
    for (const { number, location } of threads) if (this.parts.flow.edgesFrom(location).length > 0) live |= 1 << number
    return { live, at: threads.map(({ location }) => location) }
  }

  private admitted(node: ArgNode, set: number, live: number): Selected | undefined {
    const { control, state } = node
    if (this.endMatters && this.actionsOf(control, set).some(({ edge }) => endsProgram(edge))) return undefined
    // soundness 3: a loop must not keep everybody else waiting for ever.
    const closesCycle = this.actionsOf(control, set).some(
      (action) =>
        action.edge.back && this.parts.domain.post(state, this.parts.transitionOf(control, action)).length > 0,
    )
    if (closesCycle) return undefined
    const { at } = this.situation(control)
    for (const thread of control.threads) {
      if ((set & (1 << thread.number)) === 0) continue
      // soundness 4: somebody in the set can move whatever the node leaves open.
      const relied = this.canMove(node, thread)
      if (!relied) continue
      const validity = new Set(this.validitySet(set, live, at))
      for (const object of relied) validity.add(object)
      return { threads: set, validity }
    }
    return undefined
  }

  /** Whether the thread has a step in every state of the node; the objects on whose being untracked that relies. */
  private canMove(
    { control, state }: ArgNode,
    { number, location }: ThreadControl,
  ): readonly SharedObject[] | undefined {
    const { flow, domain, transitionOf, meaning, reduction } = this.parts
    // A deadlock may leave spurious wake-ups enabled.
    const edges = flow.edgesFrom(location).filter(({ sync }) => !(this.endMatters && sync?.spurious))
    if (edges.length === 0) return undefined
    if (!edges.some(({ labels }) => labels.some(mayBlock)) && coversAll(edges.map(({ labels }) => labels))) return []
    const transitions = edges.map((edge) => transitionOf(control, { thread: number, edge }))
    const always = or(transitions.filter(({ guard }) => !mentionsChoice(guard)).map(({ guard }) => guard))
    if (domain.implies(state, always)) return []
    if (reduction !== 'aapor') return undefined
    for (const { guard } of transitions) {
      const variables = freeVariables(guard)
      if (variables.some((v) => this.trackedTerms.has(v)) || !domain.satisfiable(guard)) continue
      return variables.flatMap((v) => meaning(v) ?? [])
    }
    return undefined
  }
}

const endsProgram = ({ target }: Edge): boolean => target.kind === 'halt' || target.kind === 'error'

const mayBlock = (label: Label): boolean =>
  label.kind === 'join' || (label.kind === 'havoc' && label.range !== undefined)

const mentionsChoice = (guard: Term): boolean => freeVariables(guard).some((v) => isInput(v))
