// What a graph may leave out, worked out again. Two arguments.
//
// Persistent sets. Let X be the variables that labels mention. The labels prove their claim of the program in which
// every read of a variable outside X yields any value, since a formula without it holds for all its values. There,
// steps of two threads commute unless one writes what the other touches, in X. Take an execution to an error, of least
// length, from a state in the label of v, of which S are the threads followed there. If it has a step of S, the first
// one comes to the front, since nobody outside S can disturb it before: it is followed, and the execution is shorter. If
// it has none, any step of S can be taken first that is possible now and ends, and the execution is still possible
// then. That this does not go on for ever is what `checkProgress` shows: each cycle of the graph has a node that follows all.
//
// Monotonic paths (impact.txt, Definition 4.3). Local steps touch nothing that others can see, and are always possible:
// where one is followed alone, nothing is lost. Of the executions to an error with the fewest other steps take the one
// whose other steps come first in the order of thread numbers: no two of them next to each other commute if the second
// has the smaller number. It is followed step by step, through covers as well: so at each node all threads are followed
// but those whose next step commutes with each step of a greater number that may have been the last one on any way there.

import { Rejected } from '../../certificate/index.js'
import { and, eq, FALSE, freeVariables, or, substitute, type Term } from '../../logic/index.js'
import type { ThreadControl } from '../../semantics/control.js'
import type { Edge, Location } from '../../xcfa/index.js'
import { areDependent, Dependence, type Matters, mayDisturb } from './dependence.js'
import { type CheckedGraph, type GraphNode, withFacts } from './graph.js'

/** Threads that have a next step, or the one that is inside an atomic block. */
const movable = ({ flow }: CheckedGraph, { control }: GraphNode): readonly ThreadControl[] => {
  const inside = control.threads.find(({ location }) => location.atomic)
  return (inside ? [inside] : control.threads).filter(({ location }) => flow.edgesFrom(location).length > 0)
}

const followsAll = (graph: CheckedGraph, node: GraphNode): boolean =>
  movable(graph, node).every(({ number }) => node.given.threads?.includes(number))

const isUncovered = ({ isPossible, given }: GraphNode): boolean => isPossible && given.coveredBy === undefined

// ---- persistent sets

/** `everythingMatters`: two accesses that nobody's label is about are still a race (soundness 6). */
export const checkPersistent = (graph: CheckedGraph, everythingMatters: boolean): void => {
  const mentioned = new Set([...graph.nodes.values()].flatMap(({ label }) => freeVariables(label)))
  const objects = new Set([...mentioned].flatMap((v) => graph.steps.meaning(v) ?? []))
  const sets = new PersistentSets(graph, mentioned, (object) => everythingMatters || objects.has(object))
  for (const node of graph.nodes.values()) if (isUncovered(node) && !followsAll(graph, node)) sets.check(node)
  checkProgress(graph, (node) => followsAll(graph, node))
}

class PersistentSets {
  private readonly dependence: Dependence
  private readonly endless = new Map<Location, boolean>()

  constructor(
    private readonly graph: CheckedGraph,
    private readonly mentioned: ReadonlySet<Term>,
    private readonly matters: Matters,
  ) {
    this.dependence = new Dependence(graph.flow.program, graph.flow)
  }

  check(node: GraphNode): void {
    const all = movable(this.graph, node)
    const inside = all.filter(({ number }) => node.given.threads?.includes(number))
    const outside = all.filter((thread) => !inside.includes(thread))
    if (inside.length === 0) throw new Rejected(node.place, 'no thread is followed, and some could go on')
    for (const followed of inside) {
      const now = this.dependence.next(followed.location)
      if (this.mayNotEnd(node, followed))
        throw new Rejected(node.place, `thread ${followed.number} may not come out of its atomic block`)
      for (const other of outside)
        if (mayDisturb(now, this.dependence.future(other.location), this.matters))
          throw new Rejected(node.place, `thread ${other.number} may disturb thread ${followed.number}`)
    }
    if (!inside.some((thread) => canMove(this.graph, node, thread) || this.canMoveForSomeValues(node, thread)))
      throw new Rejected(node.place, 'none of the threads that are followed can go on in every state')
  }

  /** A condition on variables only that no label mentions can be satisfied by values of those. */
  private canMoveForSomeValues(node: GraphNode, { number, location }: ThreadControl): boolean {
    const { flow, steps, proof } = this.graph
    return flow.edgesFrom(location).some((edge) => {
      const { guard, facts } = steps.of(node.control, { thread: number, edge })
      const condition = and(guard, facts)
      if (freeVariables(condition).some((v) => this.mentioned.has(v))) return false
      return !proof.implies(withFacts(steps, condition), FALSE, node.place)
    })
  }

  /** Once inside an atomic block the thread may be stuck, or go on for ever. */
  private mayNotEnd(node: GraphNode, { number, location }: ThreadControl): boolean {
    const known = this.endless.get(location)
    if (known !== undefined) return known
    const { flow } = this.graph
    const targets = this.dependence.stepFrom(location).map(({ target }) => target)
    const inside = new Set([location, ...targets].filter(({ atomic }) => atomic))
    const answer =
      hasCycle(inside, (at) => flow.edgesFrom(at)) || [...inside].some((at) => this.mayBeStuck(node, number, at))
    this.endless.set(location, answer)
    return answer
  }

  /** In some state, reachable or not, no edge can be taken. */
  private mayBeStuck(node: GraphNode, thread: number, at: Location): boolean {
    const { flow, steps, proof } = this.graph
    if (flow.edgesFrom(at).some(({ labels }) => labels.some(({ kind }) => kind === 'join'))) return true
    const { facts, enabled } = someStep(this.graph, node, thread, at)
    return !proof.implies(and(facts, steps.factsAbout(facts, enabled)), enabled, node.place)
  }
}

/** That some edge can be taken. What edges choose is one variable for all: if each value lets one of them, one can be. */
const someStep = (
  { flow, steps }: CheckedGraph,
  { control }: GraphNode,
  thread: number,
  at: Location,
): { readonly facts: Term; readonly enabled: Term } => {
  const made = flow.edgesFrom(at).map((edge) => steps.of(control, { thread, edge }))
  return {
    facts: and(made.map((step) => steps.choosingAlike(step.facts))),
    enabled: or(made.map((step) => steps.choosingAlike(step.guard))),
  }
}

/** A step of the thread is possible in every state of the node. */
const canMove = (graph: CheckedGraph, node: GraphNode, { number, location }: ThreadControl): boolean => {
  const { steps, proof } = graph
  const { facts, enabled } = someStep(graph, node, number, location)
  const premise = and(node.label, facts, steps.factsAbout(node.label, facts, enabled))
  return proof.implies(premise, enabled, node.place)
}

const hasCycle = (places: ReadonlySet<Location>, edgesFrom: (at: Location) => readonly Edge[]): boolean => {
  const open = new Set(places)
  // Leaves out, again and again, whoever leads to nobody inside.
  for (let before = -1; before !== open.size; ) {
    before = open.size
    for (const at of [...open]) if (!edgesFrom(at).some(({ target }) => open.has(target))) open.delete(at)
  }
  return open.size > 0
}

/** Each cycle of steps and covers passes a node at which the search makes progress. */
const checkProgress = (graph: CheckedGraph, progresses: (node: GraphNode) => boolean): void => {
  const state = new Map<GraphNode, 'open' | 'done'>()
  const isEnd = (node: GraphNode): boolean =>
    !node.isPossible || (isUncovered(node) && !isInside(node) && progresses(node))
  const targets = ({ given, children }: GraphNode): readonly GraphNode[] =>
    given.coveredBy === undefined ? children : [graph.nodes.get(given.coveredBy)!]
  for (const start of graph.nodes.values()) {
    if (state.has(start) || isEnd(start) || isInside(start)) continue
    const stack = [{ node: start, next: 0 }]
    state.set(start, 'open')
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = targets(top.node)[top.next++]
      if (!target) {
        state.set(top.node, 'done')
        stack.pop()
      } else if (!isEnd(target)) {
        const known = state.get(target)
        if (known === 'open') throw new Rejected(target.place, 'a cycle through it leaves a thread out for ever')
        if (known) continue
        state.set(target, 'open')
        stack.push({ node: target, next: 0 })
      }
    }
  }
}

/** Blocks are entered from nodes that count: only a way through one that was is looked at. */
const isInside = ({ control }: GraphNode): boolean => control.threads.some(({ location }) => location.atomic)

// ---- monotonic paths

/** A step that others may notice: who took which edge, from which node. */
interface LastStep {
  readonly thread: number
  readonly edge: Edge
  readonly from: GraphNode
}

export const checkMonotonic = (graph: CheckedGraph): void => {
  const dependence = new Dependence(graph.flow.program, graph.flow)
  const alone = new Map<GraphNode, boolean>()
  for (const node of graph.nodes.values())
    alone.set(node, isUncovered(node) && followsLocalStep(graph, dependence, node))
  const isAlone = (node: GraphNode): boolean => alone.get(node)!
  for (const [node, lasts] of lastSteps(graph, isAlone)) {
    if (!isUncovered(node) || isAlone(node)) continue
    for (const thread of movable(graph, node))
      if (!node.given.threads?.includes(thread.number))
        for (const last of lasts)
          if (!mayBeSkipped(graph, dependence, last, node, thread))
            throw new Rejected(node.place, `thread ${thread.number} is not followed`)
  }
  checkProgress(graph, (node) => !isAlone(node))
}

/** Only one thread is followed, whose next step is its own business and always possible. */
const followsLocalStep = (graph: CheckedGraph, dependence: Dependence, node: GraphNode): boolean => {
  const all = movable(graph, node)
  const followed = all.filter(({ number }) => node.given.threads?.includes(number))
  const [thread] = followed
  if (!thread || followed.length > 1 || all.length === 1 || thread.location.atomic) return false
  const { accesses, starts, joins, ends } = dependence.next(thread.location)
  const isLocal = accesses.length === 0 && !starts && !joins && !ends
  const isOneEdge = graph.flow.edgesFrom(thread.location).every(({ target }) => !target.atomic)
  return isLocal && isOneEdge && canMove(graph, node, thread)
}

/** For each node the steps that may have been the last ones before it that others notice; undefined: there was none. */
const lastSteps = (
  { nodes }: CheckedGraph,
  isAlone: (node: GraphNode) => boolean,
): ReadonlyMap<GraphNode, ReadonlySet<LastStep | undefined>> => {
  const found = new Map<GraphNode, Set<LastStep | undefined>>()
  for (const node of nodes.values()) found.set(node, new Set(node.parent ? [] : [undefined]))
  const work = [...nodes.values()].filter((node) => !node.parent)
  const pass = (to: GraphNode, steps: Iterable<LastStep | undefined>): void => {
    const known = found.get(to)!
    const before = known.size
    for (const step of steps) known.add(step)
    if (known.size > before) work.push(to)
  }
  const own = new Map<GraphNode, LastStep>()
  const stepInto = (node: GraphNode): LastStep => {
    let step = own.get(node)
    if (!step) own.set(node, (step = { thread: node.given.thread!, edge: node.edge!, from: node.parent! }))
    return step
  }
  for (let node = work.pop(); node; node = work.pop()) {
    if (!node.isPossible) continue
    const { coveredBy } = node.given
    if (coveredBy !== undefined) pass(nodes.get(coveredBy)!, found.get(node)!)
    else for (const child of node.children) pass(child, isAlone(node) ? found.get(node)! : [stepInto(child)])
  }
  return found
}

const mayBeSkipped = (
  graph: CheckedGraph,
  dependence: Dependence,
  last: LastStep | undefined,
  node: GraphNode,
  thread: ThreadControl,
): boolean => {
  if (!last || thread.number >= last.thread) return false
  if (!areDependent(dependence.last(last.edge), dependence.next(thread.location))) return true
  // Where it was then it is still: its own variables are the same.
  if (last.from.control.threads[thread.number]?.location !== thread.location) return false
  return graph.flow.edgesFrom(thread.location).every((edge) => commute(graph, last, node.place, thread.number, edge))
}

/** In every state of the node before: if the last step and then the other can be taken, then so in the other order. */
const commute = (
  { steps, proof }: CheckedGraph,
  { from, thread, edge }: LastStep,
  place: string,
  other: number,
  otherEdge: Edge,
): boolean => {
  if (!isPlain(edge) || !isPlain(otherEdge)) return false
  const first = steps.of(from.control, { thread, edge })
  const second = steps.of(from.control, { thread: other, edge: otherEdge })
  const after = (term: Term, step: typeof first): Term => substitute(term, step.next)
  const together = and(from.label, first.guard, first.facts, after(and(second.guard, second.facts), first))
  const changed = new Set([...first.next.keys(), ...second.next.keys()])
  const value = (v: Term, one: typeof first, two: typeof first): Term => after(two.next.get(v) ?? v, one)
  const same = [...changed].map((v) => eq(value(v, first, second), value(v, second, first)))
  const exchanged = and(second.guard, after(first.guard, second), same)
  return proof.implies(and(together, steps.factsAbout(together, exchanged)), exchanged, place)
}

/** One step of data, outside atomic blocks: threads and the heap are left to the relation of edges. */
const isPlain = ({ source, target, labels }: Edge): boolean =>
  !source.atomic &&
  !target.atomic &&
  labels.every(({ kind }) => !['start', 'join', 'allocate', 'free', 'primitive', 'call'].includes(kind))
