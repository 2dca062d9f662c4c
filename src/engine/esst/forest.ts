// The abstract reachability forest (esst.txt, 4.1 to 4.3): rules E1 and E2, HAVOC, and coverage.
//
// Departures. SP is taken of all regions of a node together, not of the running thread's and the global one only: all
// of them hold, and interpolants then always refute the path that they came from. Handles (handles.ts) belong to a
// node like the state of the scheduler. Whoever reaches its final location tells the scheduler, as if by a primitive.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { SchedulerState } from '../../semantics/cooperative/schedulers/index.js'
import { programValue } from '../../symbolic/index.js'
import type { Edge, Expr, Location, Value, Variable } from '../../xcfa/index.js'
import { type Arguments, combinations, MAX_VALUES, Undetermined } from './arguments.js'
import type { EdgeVia } from './counterexample.js'
import { executionsOf } from './execute.js'
import type { Executed, Ground } from './ground.js'
import { knownValue } from './handles.js'
import { type Configured, type ForestNode, factsOf, isWeaker, keyOf, type ThreadRegion, type Via } from './node.js'
import type { Transition } from './operations.js'
import type { Precision } from './precision.js'
import { TOP } from './regions.js'

export interface ForestOptions {
  /** Regions of threads that do not run see the operation itself instead of HAVOC (4.6). */
  readonly leak: boolean
  /** Labels that interpolants give, instead of predicate abstraction (lazy.ts). */
  readonly isLazy: boolean
}

export interface Overflow {
  readonly node: ForestNode
  readonly via: EdgeVia
}

export class Forest {
  readonly root: ForestNode
  readonly counts = { nodes: 0, covers: 0, coverChecks: 0 }
  /** Edges on which integers may leave their type. */
  readonly overflows = new Map<Edge, Overflow>()
  /** Lazy: what is left to show, with labels that are not there yet. */
  private readonly obligations: (Overflow & { readonly transition: Transition })[] = []
  private readonly byKey = new Map<string, ForestNode[]>()

  constructor(
    readonly ground: Ground,
    readonly precision: Precision,
    private readonly options: ForestOptions,
  ) {
    const { program, scheduler, operations, regions } = ground
    const { main } = program
    const { operation, memory } = operations.initial()
    const first = operations.transition(operation, () => undefined)
    const named = (predicate: Term): Term => predicate
    const before = { region: TOP, named }
    const data = regions.post([memory], first, precision.at(0, main.initial), named, before)
    const global = regions.post([memory], first, precision.global, named, before)
    const threads = [{ template: main, location: main.initial, data }]
    this.root = this.create(
      { threads, global, scheduler: scheduler.initial(), handles: new Map() },
      undefined,
      undefined,
    )
  }

  private create(configured: Configured, parent: ForestNode | undefined, via: Via | undefined): ForestNode {
    const node: ForestNode = {
      ...configured,
      id: this.counts.nodes++,
      parent,
      via,
      key: keyOf(configured),
      switches: (parent?.switches ?? 0) + (via?.kind === 'connector' ? 1 : 0),
      depth: (parent?.depth ?? 0) + (via?.kind === 'edge' ? 1 : 0),
      children: [],
      coveredBy: undefined,
      covering: new Set(),
      isDead: false,
      isExpanded: false,
      sleep: parent?.sleep ?? new Set(),
      chosen: new Set(),
      isFull: false,
    }
    parent?.children.push(node)
    return node
  }

  /** E1: one node for each edge of the running thread that some state of this node can take. */
  unwind(node: ForestNode): readonly ForestNode[] {
    const { edgesFrom, scheduler } = this.ground
    const { location } = node.threads[node.scheduler.running!]!
    const facts = this.factsOf(node)
    const executed = edgesFrom(location).map((edge) => {
      if (scheduler.isNative?.(node.scheduler)) this.ground.refuseNative(edge)
      return {
        edge,
        results: executionsOf(this.ground, node, edge, (args) => this.argumentsOf(node, edge, args, facts)),
      }
    })
    this.register(node)
    return executed.flatMap(({ edge, results }) =>
      results.flatMap((result) => this.successor(node, edge, result, facts)),
    )
  }

  factsOf(node: ForestNode): readonly Term[] {
    return factsOf(node).map(this.ground.named(node.handles))
  }

  private successor(node: ForestNode, edge: Edge, executed: Executed, facts: readonly Term[]): readonly ForestNode[] {
    const { regions } = this.ground
    const thread = node.scheduler.running!
    const { operation, value, args, handles } = executed
    const transition = this.ground.transition(edge, thread, node.handles, executed)
    const via: EdgeVia = {
      ...{ kind: 'edge', thread, edge, operation },
      ...(value !== undefined && { value }),
      ...(args && { args }),
    }
    // Before the guard is asked: it may be false only because it was computed in integers.
    this.noteOverflow({ node, via }, facts, transition)
    if (!regions.isFeasible(facts, transition)) return []
    const threads = this.regionsAfter(node, thread, edge.target, transition, executed, facts)
    const before = { region: node.global, named: this.ground.named(node.handles) }
    const global = regions.post(facts, transition, this.precision.global, this.ground.named(handles), before)
    const configured = { threads, global, scheduler: executed.scheduler, handles }
    return [this.create(configured, node, via)]
  }

  private noteOverflow(overflow: Overflow, facts: readonly Term[], transition: Transition): void {
    if (transition.obligations.length === 0) return
    if (this.options.isLazy) this.obligations.push({ ...overflow, transition })
    else if (!this.overflows.has(overflow.via.edge) && this.mayOverflow(facts, transition))
      this.overflows.set(overflow.via.edge, overflow)
  }

  /** Where integers may leave their type, as far as the labels say. */
  *possibleOverflows(): Generator<Overflow> {
    yield* this.overflows.values()
    for (const { node, via, transition } of this.obligations)
      if (!node.isDead && this.mayOverflow(this.factsOf(node), transition)) yield { node, via }
  }

  private argumentsOf(
    node: ForestNode,
    edge: Edge,
    args: readonly Expr[],
    facts: readonly Term[],
  ): readonly Arguments[] {
    const { operations, regions } = this.ground
    const thread = node.scheduler.running!
    const known = (v: Variable, t: number): Value | undefined => this.ground.valueOf(node.handles, v, t)
    const values = args.map((arg) => {
      const value = knownValue(arg, (v) => known(v, thread))
      if (value !== undefined) return { found: [value], isFree: false }
      const found = regions.valuesOf(facts, operations.valueOf(arg, thread, known), MAX_VALUES)
      if (!found) throw new Undetermined(node, edge, thread, arg)
      return { found: found.map((each) => programValue(arg.type, each)), isFree: true }
    })
    return combinations(args, values)
  }

  private regionsAfter(
    node: ForestNode,
    thread: number,
    target: Location,
    transition: Transition,
    { handles, started }: Executed,
    facts: readonly Term[],
  ): readonly ThreadRegion[] {
    const { regions } = this.ground
    const [named, namedBefore] = [this.ground.named(handles), this.ground.named(node.handles)]
    const others = this.options.leak ? transition : havoc(transition)
    const after = (t: ThreadRegion, number: number, location: Location, op: Transition): ThreadRegion => ({
      template: t.template,
      location,
      data: regions.post(facts, op, this.precision.at(number, location), named, { region: t.data, named: namedBefore }),
    })
    const threads = node.threads.map((t, number) => {
      if (number === thread) return after(t, number, target, transition)
      return concerns(transition, t) ? after(t, number, t.location, others) : t
    })
    return started ? [...threads, after(started, threads.length, started.location, transition)] : threads
  }

  private mayOverflow(facts: readonly Term[], transition: Transition): boolean {
    const before = { ...transition, guard: logic.TRUE }
    return !transition.obligations.every(({ holds }) => this.ground.regions.holds(facts, before, holds))
  }

  /** E2 for one state that the scheduler chose. */
  connect(node: ForestNode, scheduler: SchedulerState, sleep: ReadonlySet<number>): ForestNode {
    const { threads, global, handles } = node
    const child = this.create({ threads, global, scheduler, handles }, node, { kind: 'connector' })
    child.sleep = sleep
    return child
  }

  /** Nodes are found as covering ones from when they are expanded. */
  register(node: ForestNode): void {
    node.isExpanded = true
    const others = this.byKey.get(node.key)
    if (others) others.push(node)
    else this.byKey.set(node.key, [node])
  }

  /** All of them, parents first. */
  *nodes(): Generator<ForestNode> {
    const work = [this.root]
    for (const node of work) {
      yield node
      work.push(...node.children)
    }
  }

  /** Expanded nodes of the same locations, scheduler state and handles. */
  alike(node: ForestNode): readonly ForestNode[] {
    return (this.byKey.get(node.key) ?? []).filter((other) => !other.isDead && other !== node)
  }

  /** Expanded nodes that could cover this one (Definition 4.3). */
  coverers(node: ForestNode): readonly ForestNode[] {
    return this.alike(node).filter((other) => this.isCoverable(node, other))
  }

  isCoverable(node: ForestNode, by: ForestNode): boolean {
    this.counts.coverChecks++
    if (isWeaker(by, node)) return true
    return this.options.isLazy && this.ground.regions.implies(this.factsOf(node), this.factsOf(by))
  }

  cover(node: ForestNode, by: ForestNode): void {
    node.coveredBy = by
    by.covering.add(node)
    this.counts.covers++
  }

  uncover(node: ForestNode): void {
    node.coveredBy?.covering.delete(node)
    node.coveredBy = undefined
    this.counts.covers--
  }
}

/** HAVOC(op): globals that the operation may update become anything (4.3). */
const havoc = ({ substitution }: Transition): Transition => {
  const any = [...substitution.keys()].map((v, i): [Term, Term] => [v, logic.variable(`havoc!${i}`, v.sort)])
  return { guard: logic.TRUE, obligations: [], substitution: new Map(any) }
}

/** Whether the operation may change what a thread's region speaks of. */
const concerns = ({ substitution }: Transition, { data }: ThreadRegion): boolean =>
  [...data.keys()].some((predicate) => logic.freeVariables(predicate).some((v) => substitution.has(v)))
