// Large-block encoding (aapor.txt section 2.2; soundness.md 7): an edge becomes one visible operation, or one atomic
// block, followed by thread-local operations that cannot block, stop or loop. Locations in between are eliminated one
// by one, each incoming edge joined with each outgoing one; a location whose elimination would copy too much stays,
// which only makes steps smaller.
import { mentions, sameExpr } from '../build.js'
import type { Expr } from '../expr.js'
import type { Edge, Label, Location, Procedure, Program, Sync } from '../model.js'
import { Unsupported } from '../unsupported.js'
import { loopHeads } from './back-edges.js'
import { type Draft, draft, incoming, joinDrafts, outgoing, reachable, withEdges } from './edit.js'
import { complementary, read, regionOf, written } from './labels.js'

/** Whether other threads can notice the label, or influence it. */
export type Visible = (label: Label, procedure: Procedure) => boolean

/** For the oracle: only registers are private; every access to memory or to a global variable is seen. */
export const everyAccess: Visible = (label) =>
  label.kind === 'fence' ||
  regionOf(label) !== undefined ||
  [...read(label), ...written(label)].some((variable) => variable.scope === 'global')

export interface LargeBlockOptions {
  /** Keep the end of the program a step of its own: for termination, where it depends on every action. */
  readonly keepExit?: boolean
  /** Whether nobody else can exist when the edge is taken: all of it then belongs to the step before it. */
  readonly isAlone?: (edge: Edge) => boolean
  /** Join atomic blocks only, and leave all else one operation an edge. */
  readonly atomicOnly?: boolean
}

/** How many labels the elimination of one location may copy. */
const COPY_LIMIT = 96

export const largeBlocks = (program: Program, visible: Visible, options: LargeBlockOptions = {}): Program =>
  withEdges(program, (procedure) => joinEdges(procedure, visible, options))

const joinEdges = (procedure: Procedure, visible: Visible, options: LargeBlockOptions): readonly Draft[] => {
  const reached = reachable(procedure.initial, procedure.edges)
  const edges = procedure.edges.filter((edge) => reached.has(edge.source))
  const inner = innerLocations(procedure, edges, visible, options)
  const drafts = edges.map((edge) => draft(edge))
  const from = outgoing(drafts)
  const waiting = new Set(drafts.filter((edge) => isAwait(edge.source, from.get(edge.source)!)))
  const graph = { from: asSets(from), to: asSets(incoming(drafts)), waiting }
  for (const { target } of edges) if (inner.has(target)) eliminate(target, graph)
  const joined = procedure.locations.flatMap((location) => [...(graph.from.get(location) ?? [])])
  checkWaits(joined, waiting)
  return joined
}

interface Graph {
  readonly from: Map<Location, Set<Draft>>
  readonly to: Map<Location, Set<Draft>>
  /** Edges that contain a wait of an atomic block. */
  readonly waiting: Set<Draft>
}

const eliminate = (location: Location, { from, to, waiting }: Graph): void => {
  const before = [...(to.get(location) ?? [])]
  const after = [...(from.get(location) ?? [])]
  if (before.length === 0 || !(isAwait(location, after) || worthJoining(before, after))) return
  for (const edge of [...before, ...after]) {
    from.get(edge.source)?.delete(edge)
    to.get(edge.target)?.delete(edge)
  }
  for (const first of before)
    for (const second of after) {
      const edge = join(first, second)
      if (waiting.has(first) || waiting.has(second)) waiting.add(edge)
      from.get(edge.source)!.add(edge)
      to.get(edge.target)!.add(edge)
    }
}

/** A wait inside an atomic block: the whole block is enabled only if what it waits for holds. */
const isAwait = (location: Location, next: readonly Draft[]): boolean =>
  location.atomic && next.length === 1 && !neverBlocks(next)

/** A wait that could not become part of the block's first step would stop all threads: we do not model that. */
const checkWaits = (edges: readonly Draft[], waiting: ReadonlySet<Draft>): void => {
  for (const edge of edges)
    if (edge.source.atomic && waiting.has(edge))
      throw new Unsupported('waiting inside an atomic block after a loop', edge.position)
}

const asSets = (groups: Map<Location, Draft[]>): Map<Location, Set<Draft>> =>
  new Map([...groups].map(([location, edges]) => [location, new Set(edges)]))

/**
 * Locations that a step may pass through. Inside an atomic block: where the thread cannot be stuck, and where it waits
 * (the step is then enabled only if the wait is over). Outside: where it cannot be stuck and moreover all that comes next is invisible and cannot stop. No loop heads, so that inner locations have no cycle.
 */
const innerLocations = (
  procedure: Procedure,
  edges: readonly Edge[],
  visible: Visible,
  options: LargeBlockOptions,
): Set<Location> => {
  const heads = loopHeads(procedure.initial, edges)
  const from = outgoing(edges)
  const passable = (location: Location): boolean => {
    const next = from.get(location) ?? []
    if (location.kind !== 'plain' || location === procedure.initial || heads.has(location)) return false
    if (!neverBlocks(next) && !isAwait(location, next)) return false
    if (options.keepExit && next.some((edge) => edge.target.reason?.kind === 'exit')) return false
    if (!location.atomic && next.some((edge) => beginsSpurious(edge, from))) return false
    return (
      location.atomic ||
      (!options.atomicOnly && next.every((edge) => options.isAlone?.(edge) || isInvisible(edge, procedure, visible)))
    )
  }
  return new Set(procedure.locations.filter(passable))
}

/**
 * Whether a spurious wake-up begins with the edge. It stays a step of its own, also of a thread that is alone: who waits
 * before it may wait for ever.
 */
const beginsSpurious = (edge: Edge, from: ReadonlyMap<Location, readonly Edge[]>): boolean => {
  const block = new Set([edge])
  for (const { target } of block) if (target.atomic) for (const next of from.get(target) ?? []) block.add(next)
  return [...block].some(({ sync }) => sync?.spurious)
}

const isInvisible = (edge: Edge, procedure: Procedure, visible: Visible): boolean =>
  edge.sync === undefined &&
  !edge.target.atomic &&
  edge.labels.every((label) => !alwaysVisible(label) && !accessMayStop(label) && !visible(label, procedure))

/** What concerns other threads by itself. */
const alwaysVisible = (label: Label): boolean => {
  switch (label.kind) {
    case 'start':
    case 'join':
    case 'allocate':
    case 'free':
    case 'call':
    case 'primitive':
      return true
    case 'assign':
    case 'assume':
    case 'havoc':
    case 'load':
    case 'store':
    case 'fence':
      return false
  }
}

/** An access outside its region stops the thread, unless its address is a constant inside. */
export const accessMayStop = (label: Label): boolean => {
  if (label.kind !== 'load' && label.kind !== 'store') return false
  const { address, region } = label
  if (address.kind !== 'const') return true
  const at = Number(address.value)
  return !region.slots.some(({ object, offset, step, count }) => {
    // Thread 0 always exists; a heap instance need not.
    if (object.storage === 'heap') return false
    const distance = at - object.base - offset
    return distance >= 0 && distance < Math.max(step * count, 1)
  })
}

/** Whether some edge can always be taken, as far as its guards go: an unguarded one, or two complementary guards. */
const neverBlocks = (edges: readonly Draft[]): boolean => {
  if (edges.some((edge) => !edge.labels.some(isGuard))) return true
  const single = edges.map((edge) => {
    const [first, ...rest] = edge.labels
    return first?.kind === 'assume' && !rest.some(isGuard) ? first.condition : undefined
  })
  return single.some((a, i) => a && single.some((b, j) => i < j && b && complementary(a, b)))
}

const isGuard = (label: Label): boolean =>
  label.kind === 'assume' || label.kind === 'join' || (label.kind === 'havoc' && !isNonEmptyRange(label.range))

const isNonEmptyRange = (range?: { readonly low: Expr; readonly high: Expr }): boolean =>
  range === undefined ||
  (range.low.kind === 'const' && range.high.kind === 'const' && range.low.value <= range.high.value)

/** Joining must not multiply edges, nor copy long ones many times. */
const worthJoining = (before: readonly Draft[], after: readonly Draft[]): boolean => {
  if (before.length === 1 && after.length === 1) return true
  if (before.length * after.length > before.length + after.length) return false
  const size = (edges: readonly Draft[]) => edges.reduce((sum, edge) => sum + edge.labels.length, 0)
  return size(before) * (after.length - 1) + size(after) * (before.length - 1) <= COPY_LIMIT
}

const join = (first: Draft, second: Draft): Draft => {
  const lead = leads(first) || !leads(second) ? first : second
  const sync = joinSync(first, second)
  return { ...joinDrafts(first, second, joinText(first, second)), position: lead.position, ...(sync && { sync }) }
}

/** Whether an edge says something to people: the entry of an atomic block does not. */
const leads = (edge: Draft): boolean => edge.labels.length > 0 && edge.text !== ''

/** In an atomic block all texts count; outside it, the visible operation is what people look for. */
const joinText = (first: Draft, second: Draft): string => {
  if (!leads(first)) return second.text || first.text
  if (!second.source.atomic || second.text === '' || first.text.includes(second.text)) return first.text
  const both = `${first.text}; ${second.text}`
  return both.length <= 60 ? both : first.text
}

/** What the joined edge is as synchronisation: the one thing that it contains, or just atomic. */
const joinSync = (first: Draft, second: Draft): Sync | undefined => {
  const [a, b] = [first.sync, second.sync]
  if (!a || !b) return a ?? (b && moveBefore(b, first.labels))
  const spurious = a.spurious || b.spurious ? { spurious: true } : {}
  if (second.labels.length === 0 || isSame(a, b)) return { ...a, ...spurious }
  if (first.labels.length === 0) return { ...b, ...spurious }
  return { kind: 'atomic', ...spurious }
}

const isSame = (a: Sync, b: Sync): boolean =>
  a.kind === b.kind && (a.object && b.object ? sameExpr(a.object, b.object) : a.object === b.object)

/** The object of a synchronisation is an expression before the edge: forget it if labels before it change it. */
const moveBefore = (sync: Sync, labels: readonly Label[]): Sync => {
  if (!sync.object) return sync
  const changed = new Set(labels.flatMap((label) => written(label)))
  if (![...changed].some((variable) => mentions(sync.object!, variable))) return sync
  const { object: _, ...rest } = sync
  return rest
}
