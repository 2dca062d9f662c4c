// Fewer edges with the same meaning: what is unreachable goes, edges that do nothing go, and inside atomic blocks,
// where no other thread moves, edges that follow each other become one step. A loop or a branch in an atomic block
// leaves locations inside it.
import {
  type Edge,
  type Expr,
  type Label,
  type Location,
  type Procedure,
  type Sync,
  substitute,
  variablesOf,
} from '../../index.js'
import { read, written } from '../labels.js'

export interface TidyOptions {
  /** Edges for which purely local work before and after may join the step (library models). */
  readonly joins?: (edge: Edge) => boolean
}

export const tidy = (procedure: Procedure, options: TidyOptions = {}): Procedure => {
  const graph = createGraph(procedure)
  // Removing one location can make the next one removable.
  const work = [...procedure.locations]
  const queued = new Set(work)
  for (let location = work.pop(); location; location = work.pop()) {
    queued.delete(location)
    const neighbours = [
      ...graph.incoming(location).map((e) => e.source),
      ...graph.outgoing(location).map((e) => e.target),
    ]
    if (!removable(graph, location, options)) continue
    contract(graph, location)
    for (const neighbour of neighbours)
      if (neighbour !== location && !queued.has(neighbour)) {
        queued.add(neighbour)
        work.push(neighbour)
      }
  }
  return graph.procedure()
}

// ---- the graph

interface Graph {
  readonly initial: Location
  incoming(location: Location): readonly Edge[]
  outgoing(location: Location): readonly Edge[]
  add(edge: Edge): void
  remove(edge: Edge): void
  procedure(): Procedure
}

const createGraph = (procedure: Procedure): Graph => {
  const into = new Map<Location, Set<Edge>>()
  const from = new Map<Location, Set<Edge>>()
  const group = (groups: Map<Location, Set<Edge>>, location: Location): Set<Edge> => {
    let edges = groups.get(location)
    if (!edges) groups.set(location, (edges = new Set()))
    return edges
  }
  const graph: Graph = {
    initial: procedure.initial,
    incoming: (location) => [...group(into, location)],
    outgoing: (location) => [...group(from, location)],
    add(edge) {
      group(into, edge.target).add(edge)
      group(from, edge.source).add(edge)
    },
    remove(edge) {
      group(into, edge.target).delete(edge)
      group(from, edge.source).delete(edge)
    },
    procedure() {
      const edges: Edge[] = []
      const seen = new Set([procedure.initial])
      for (const location of seen)
        for (const edge of group(from, location)) {
          edges.push(edge)
          seen.add(edge.target)
        }
      const locations = procedure.locations.filter((location) => seen.has(location) || location === procedure.final)
      const order = new Map(locations.map((location, i) => [location, i]))
      edges.sort((a, b) => order.get(a.source)! - order.get(b.source)! || a.id - b.id)
      return { ...procedure, locations, edges }
    },
  }
  // Only what is reachable takes part: an unreachable edge would count as a way in.
  const reached = new Set([procedure.initial])
  const all = new Map<Location, Edge[]>()
  for (const edge of procedure.edges) all.set(edge.source, [...(all.get(edge.source) ?? []), edge])
  for (const location of reached)
    for (const edge of all.get(location) ?? []) {
      graph.add(edge)
      reached.add(edge.target)
    }
  return graph
}

// ---- which locations can go

const MAX_LABELS = 64

const removable = (graph: Graph, location: Location, options: TidyOptions): boolean => {
  if (location.kind !== 'plain' || location === graph.initial) return false
  const before = graph.incoming(location)
  const after = graph.outgoing(location)
  if (before.length === 0 || after.length === 0) return false
  if (before.some((edge) => edge.source === location)) return false
  const [first] = before
  const [next] = after
  // A call stays alone on its edge, but nothing need follow it.
  const hasCall = [...before, ...after].some((edge) => edge.labels.some(isCall))
  if (after.length === 1 && next && isEmpty(next) && (location.atomic || !isOpen(next.target))) return true
  if (location.atomic) return !hasCall && mayJoinInBlock(before, after)
  if (before.length === 1 && first && isEmpty(first) && !isOpen(first.source) && isOnlyWay(graph, first)) return true
  return !hasCall && joinsLocally(before, after, options)
}

/** Inside an atomic block. */
const isOpen = (location: Location): boolean => location.atomic

/** One way in or one way out: the number of edges does not grow. A long step after many ways in is not copied. */
const mayJoinInBlock = (before: readonly Edge[], after: readonly Edge[]): boolean => {
  if (before.length === 1) return before[0]!.labels.length * (after.length - 1) <= MAX_LABELS
  return after.length === 1 && after[0]!.labels.length * (before.length - 1) <= MAX_LABELS
}

/** Nothing else starts where the edge starts: the two locations are the same place. */
const isOnlyWay = (graph: Graph, edge: Edge): boolean => graph.outgoing(edge.source).length === 1

/**
 * First on an edge that makes a frame object arbitrary. Inlining replaces it: an edge that is executed at most once
 * does nothing, and the object starts as arbitrary; LARGE has no stores, and must be executed at most once.
 */
export const UNINITIALISED = 'uninitialised'
export const UNINITIALISED_LARGE = 'uninitialised-large'

const isCall = (label: Label): boolean =>
  label.kind === 'call' ||
  (label.kind === 'primitive' && (label.unsupported !== undefined || label.name.startsWith(UNINITIALISED)))

const isEmpty = (edge: Edge): boolean =>
  edge.labels.length === 0 && (edge.sync === undefined || (edge.sync.kind === 'atomic' && !edge.sync.spurious))

/** Local work before steps of the library, or after them, belongs to the step. */
const joinsLocally = (before: readonly Edge[], after: readonly Edge[], { joins }: TidyOptions): boolean => {
  if (!joins || !before.every(joins) || !after.every(joins)) return false
  if (before.length === 1 && isLocalWork(before[0]!)) return !after.some((edge) => loosesObject(before[0]!, edge))
  return after.length === 1 && isLocalWork(after[0]!)
}

/** Assignments among local variables, which nobody sees. */
const isLocalWork = (edge: Edge): boolean =>
  edge.sync === undefined &&
  edge.labels.every(
    (label) =>
      label.kind === 'assign' &&
      label.target.scope === 'local' &&
      [...read(label)].every((variable) => variable.scope === 'local'),
  )

/** The second step's object could not be said before the first. */
const loosesObject = (first: Edge, second: Edge): boolean =>
  second.sync?.object !== undefined && objectBefore(first.labels, second.sync.object) === undefined

// ---- joining

const contract = (graph: Graph, location: Location): void => {
  const before = graph.incoming(location)
  const after = graph.outgoing(location)
  for (const edge of [...before, ...after]) graph.remove(edge)
  for (const first of before) for (const second of after) graph.add(joined(first, second))
}

const joined = (first: Edge, second: Edge): Edge => {
  // The text and place of the step that does something.
  const main = isEmpty(first) || (isLocalWork(first) && !isLocalWork(second)) ? second : first
  const { sync: _, ...rest } = main
  const sync = joinedSync(first, second)
  return {
    ...rest,
    text: main === first && !isEmpty(second) && !isLocalWork(second) ? joinedText(first.text, second.text) : main.text,
    source: first.source,
    target: second.target,
    labels: [...first.labels, ...second.labels],
    ...(sync ? { sync } : {}),
  }
}

const LONGEST_TEXT = 60

/** A block of several statements shows them all, as far as there is room. */
const joinedText = (first: string, second: string): string => {
  if (first === second || second === '' || first.endsWith('...') || first.endsWith(second)) return first
  if (first === '') return second
  const both = `${first} ${second}`
  return both.length <= LONGEST_TEXT ? both : `${both.slice(0, LONGEST_TEXT - 3).trimEnd()}...`
}

const joinedSync = (first: Edge, second: Edge): Sync | undefined => {
  const a = first.sync
  const b = movedBefore(first.labels, second.sync)
  if (!a || !b) return a ?? b
  const spurious = a.spurious || b.spurious ? { spurious: true } : {}
  if (a.kind === b.kind && sameObject(a.object, b.object)) {
    const { order, ...rest } = a
    return { ...rest, ...(order !== undefined && order === b.order ? { order } : {}), ...spurious }
  }
  if (isEmpty(first)) return { ...b, ...spurious }
  if (isEmpty(second)) return { ...a, ...spurious }
  return { kind: 'atomic', ...spurious }
}

const sameObject = (a: Expr | undefined, b: Expr | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b))

const movedBefore = (labels: readonly Label[], sync: Sync | undefined): Sync | undefined => {
  if (!sync?.object) return sync
  const { object, ...rest } = sync
  const moved = objectBefore(labels, object)
  return moved ? { ...rest, object: moved } : rest
}

/** What the expression is before the labels; undefined where it depends on something that they read or choose. */
const objectBefore = (labels: readonly Label[], object: Expr): Expr | undefined => {
  let moved = object
  for (const label of [...labels].reverse()) {
    const used = variablesOf(moved)
    if (!written(label).some((variable) => used.has(variable))) continue
    if (label.kind !== 'assign') return undefined
    moved = substitute(moved, (variable) => (variable === label.target ? label.value : undefined))
  }
  return moved
}
