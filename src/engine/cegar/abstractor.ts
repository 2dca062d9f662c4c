// The abstractor (aapor.txt 2.2.2, 4.1.1.2): builds the abstract reachability graph until it is complete or an error
// location is reached; expand explores a persistent set of actions, close covers a node by another.
import { Graph, type SearchOrder, type Waitlist, waitlist } from '../../arg/index.js'
import type { Property } from '../../property/index.js'
import { type Action, type Control, type ControlFlow, failing } from '../../semantics/control.js'
import type { Transition, Transitions } from '../../symbolic/index.js'
import type { Reason } from '../../verdict/reason.js'
import type { Procedure } from '../../xcfa/index.js'
import type { Env } from '../engine.js'
import { ConditionalDependence } from './conditional.js'
import { errorDistance } from './distance.js'
import type { AbstractState, Domain, Shape } from './domain/index.js'
import { type ArgNode, type Selected, Selection, type SelectionParts } from './selection.js'
import { SleepSets } from './sleep.js'
import { Suspicions } from './suspicions.js'

export type Abstraction =
  | { readonly kind: 'safe' }
  /** At an error location, or at a vector where `suspected` may hold: the states that race or are stuck. */
  | { readonly kind: 'counterexample'; readonly node: ArgNode; readonly suspected?: Transition }
  | { readonly kind: 'stopped'; readonly reason: Reason }
  /** There are too many values to track. */
  | { readonly kind: 'many values' }

export interface AbstractorParts {
  readonly flow: ControlFlow
  readonly domain: Domain
  readonly transitions: Transitions
  readonly search: SearchOrder
  readonly reduction: SelectionParts['reduction']
  readonly dependence: SelectionParts['dependence']
  readonly property: Property
  /** Whether sleep sets are used, too. */
  readonly sleep?: boolean
  /** Whether these go by what is independent in the states of a node. */
  readonly guarded?: boolean
  /** Asked now and then: whether a variable is followed that should not be any more. */
  readonly followsTooMany?: () => boolean
}

/** So many nodes are looked at between two of these questions. */
const VALUES_EVERY = 64

export class Abstractor {
  private readonly selection: Selection
  private readonly suspicions: Suspicions
  private selected = new WeakMap<ArgNode, Selected>()
  private readonly distance: (node: ArgNode) => number
  private graph!: Graph<Control, AbstractState, Action, Shape>
  private waiting!: Waitlist<ArgNode>
  private sleepSets: SleepSets | undefined = undefined
  private roots: ArgNode[] = []
  /** The precision with which the oldest node was made. */
  version = 0
  readonly counts = { nodes: 0, explored: 0, admitted: 0, covers: 0, comparisons: 0, reexpanded: 0, asleep: 0 }
  /** The numbers of the threads that were seen running each template. */
  readonly threadsOf = new Map<Procedure, Set<number>>()

  constructor(private readonly parts: AbstractorParts) {
    const distance = errorDistance(parts.flow)
    this.distance = ({ control }) => distance(control)
    const { flow, transitions, domain } = parts
    this.selection = new Selection({
      ...parts,
      ...(parts.guarded && { conditional: new ConditionalDependence(flow, transitions, domain) }),
      transitionOf: (control, action) => this.transitionOf(control, action),
      meaning: (term) => parts.transitions.meaning(term),
    })
    this.suspicions = new Suspicions(parts, (control, action) => this.transitionOf(control, action))
    this.restart()
  }

  get size(): number {
    return this.graph.size
  }

  /** Full pruning: everything anew, with the precision as it is now. */
  restart(): void {
    const { domain, flow, transitions } = this.parts
    this.count()
    this.graph = new Graph<Control, AbstractState, Action, Shape>({
      keyOf: (control) => control.key,
      leq: (a, b) => domain.states.leq(a, b),
      shapeOf: (state) => domain.states.shapeOf(state),
      part: (state, shape) => domain.states.part(state, shape),
    })
    this.waiting = waitlist(this.parts.search, this.distance)
    this.selected = new WeakMap()
    this.sleepSets = this.parts.sleep ? this.newSleepSets() : undefined
    this.selection.update()
    this.version = domain.precision.version
    this.roots = domain.initial(transitions.first()).map((state) => this.graph.root(flow.initial(), state))
    for (const root of this.roots) this.waiting.push(root)
    this.see(flow.initial())
  }

  private see({ threads }: Control): void {
    for (const { number, template } of threads) {
      const numbers = this.threadsOf.get(template)
      if (numbers) numbers.add(number)
      else this.threadsOf.set(template, new Set([number]))
    }
  }

  run(env: Env): Abstraction {
    for (let node = this.waiting.pop(), looked = 0; node; node = this.waiting.pop(), looked++) {
      if (looked % VALUES_EVERY === 0 && this.parts.followsTooMany?.()) return { kind: 'many values' }
      if (node.removed || node.coveredBy) continue
      if (failing(node.control)) return { kind: 'counterexample', node }
      const reason = env.stopped()
      if (reason) return { kind: 'stopped', reason }
      if (!node.expanded && this.graph.close(node)) {
        this.sleepSets?.cover(node.coveredBy!, node)
        continue
      }
      const suspected = node.expanded ? undefined : this.suspicions.at(node)
      if (suspected) return { kind: 'counterexample', node, suspected }
      const error = this.expand(node)
      if (error) return { kind: 'counterexample', node: error }
      env.progress('cegar', { nodes: this.graph.size, elements: this.parts.domain.precision.version })
    }
    return { kind: 'safe' }
  }

  /** Explores what the reduction selects and was not explored yet; gives a successor at an error location, if any. */
  private expand(node: ArgNode): ArgNode | undefined {
    const { domain, flow } = this.parts
    const { control, state } = node
    let selected = this.selected.get(node)
    if (!selected) this.selected.set(node, (selected = this.selection.choose(node)))
    this.graph.markExpanded(node)
    let error: ArgNode | undefined
    for (const action of this.actionsToExplore(node, selected)) {
      const key = actionKey(action)
      if (node.explored.has(key)) continue
      node.explored.add(key)
      this.counts.explored++
      const after = flow.after(control, action)
      if (after.threads.length > control.threads.length) this.see(after)
      for (const successor of domain.post(state, this.transitionOf(control, action))) {
        const child = this.graph.successor(node, { action, key }, after, successor)
        this.sleepSets?.successor(node, action.thread, child)
        if (failing(after)) error ??= child
        this.waiting.push(child)
      }
    }
    this.counts.admitted += this.selection.actionsOf(control, 'all').length
    return error
  }

  private actionsToExplore(node: ArgNode, { threads }: Selected): readonly Action[] {
    const actions = this.selection.actionsOf(node.control, threads)
    if (!this.sleepSets) return actions
    const order = this.sleepSets.order(node, new Set(actions.map(({ thread }) => thread)))
    const awake = order.flatMap((thread) => actions.filter((action) => action.thread === thread))
    this.counts.asleep += actions.length - awake.length
    return awake
  }

  private newSleepSets(): SleepSets {
    return new SleepSets({
      dependent: (node, a, b) => this.selection.dependent(node, a, b),
      selected: (node) => {
        const { threads } = this.selected.get(node)!
        return threads === 'all' ? -1 : threads
      },
      again: (node) => this.waiting.push(node),
    })
  }

  transitionOf(control: Control, action: Action): Transition {
    return this.parts.transitions.of(control, action)
  }

  /** Lazy pruning: removes the node with everything below it, and explores the action that led to it anew. */
  prune(node: ArgNode): void {
    const { parent, incoming } = node
    if (!parent || !incoming) {
      this.restart()
      return
    }
    for (const sibling of parent.children.filter((child) => child.incoming!.key === incoming.key))
      for (const uncovered of this.graph.remove(sibling)) this.waiting.push(uncovered)
    parent.explored.delete(incoming.key)
    this.waiting.push(parent)
  }

  /** Leaves an error node out for good: what is found from now on is incomplete. */
  abandon(node: ArgNode): void {
    for (const uncovered of this.graph.remove(node)) this.waiting.push(uncovered)
  }

  /** After a refinement: preserved nodes whose persistent set is none any more are explored further. */
  explorePreserved(): void {
    const grown = this.selection.update()
    if (this.parts.reduction !== 'aapor' || grown.length === 0) return
    const again = this.selection.processPreserved(this.wokenNodes(), this.selected, grown)
    this.counts.reexpanded += again.length
    for (const node of again) this.waiting.push(node)
  }

  /** All nodes, each after its sleep set is looked at again. */
  private *wokenNodes(): Generator<ArgNode> {
    for (const node of this.allNodes()) {
      // soundness 5: what justified a sleep may depend on it now.
      this.sleepSets?.revise(node)
      yield node
    }
  }

  /** The transition of an explored action. */
  exploredTransition(node: ArgNode, key: string): Transition | undefined {
    const action = this.selection.actionsOf(node.control, 'all').find((each) => actionKey(each) === key)
    return action && this.transitionOf(node.control, action)
  }

  /** Every node, parents before children. */
  *allNodes(): Generator<ArgNode> {
    for (const root of this.roots) yield* this.graph.below(root)
  }

  /** Every expanded node. */
  *expandedNodes(): Generator<ArgNode> {
    for (const root of this.roots) for (const node of this.graph.below(root)) if (node.expanded) yield node
  }

  selectedAt(node: ArgNode): Selected | undefined {
    return this.selected.get(node)
  }

  /** The threads that sleep at a node, as bits. */
  sleepingAt(node: ArgNode): number {
    return this.sleepSets?.at(node) ?? 0
  }

  /** Adds the graph's counts to the totals. */
  count(): void {
    if (!this.graph) return
    this.counts.nodes += this.graph.size
    this.counts.covers += this.graph.covers
    this.counts.comparisons += this.graph.comparisons
  }
}

const actionKey = ({ thread, edge }: Action): string => `${thread}:${edge.id}`
