// Large-block encoding (aapor.txt section 2.2; soundness.md 7): an edge becomes one visible operation, or one atomic
// block, followed by thread-local operations that cannot block, stop or loop. Locations in between are eliminated one
// by one, each incoming edge joined with each outgoing one; a location whose elimination would copy too much stays,
// which only makes steps smaller.
import type { Edge, Expr, Label, Location, Procedure, Program, Sync } from '../index.js'
import { loopHeads } from './back-edges.js'
import { type Draft, draft, incoming, outgoing, reachable, withEdges } from './edit.js'
import { complementary, mentions, read, regionOf, written } from './labels.js'

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
  const from = asSets(outgoing(drafts))
  const to = asSets(incoming(drafts))
  const all = new Set(drafts)
  for (const location of edges.map((edge) => edge.target).filter((target) => inner.has(target))) {
    const before = [...(to.get(location) ?? [])]
    const after = [...(from.get(location) ?? [])]
    if (before.length === 0 || !worthJoining(before, after)) continue
    const joined = before.flatMap((first) => after.map((second) => join(first, second)))
    for (const edge of [...before, ...after]) {
      all.delete(edge)
      from.get(edge.source)?.delete(edge)
      to.get(edge.target)?.delete(edge)
    }
    for (const edge of joined) {
      all.add(edge)
      from.get(edge.source)!.add(edge)
      to.get(edge.target)!.add(edge)
    }
  }
  return procedure.locations.flatMap((location) => [...(from.get(location) ?? [])].filter((edge) => all.has(edge)))
}

const asSets = (groups: Map<Location, Draft[]>): Map<Location, Set<Draft>> =>
  new Map([...groups].map(([location, edges]) => [location, new Set(edges)]))

/**
 * Locations that a step may pass through. Inside an atomic block: where the thread cannot be stuck. Outside: where
 * moreover all that comes next is invisible and cannot stop. No loop heads, so that inner locations have no cycle.
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
    if (!neverBlocks(next)) return false
    if (options.keepExit && next.some((edge) => edge.target.reason?.kind === 'exit')) return false
    return location.atomic || next.every((edge) => isInvisible(edge, procedure, visible))
  }
  return new Set(procedure.locations.filter(passable))
}

const isInvisible = (edge: Edge, procedure: Procedure, visible: Visible): boolean =>
  edge.sync === undefined &&
  !edge.target.atomic &&
  edge.labels.every((label) => !alwaysVisible(label) && !mayStop(label) && !visible(label, procedure))

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
const mayStop = (label: Label): boolean => {
  if (label.kind !== 'load' && label.kind !== 'store') return false
  const { address, region } = label
  if (address.kind !== 'const') return true
  const at = Number(address.value)
  return !region.slots.some(({ object, offset, step, count }) => {
    if (object.storage !== 'static') return false
    const distance = at - object.base - offset
    return distance >= 0 && distance < Math.max(step * count, 1)
  })
}

/** Whether some edge can always be taken, as far as its guards go: an unguarded one, or two complementary guards. */
const neverBlocks = (edges: readonly Edge[]): boolean => {
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
  const { back: _, sync: __, ...rest } = first
  const sync = joinSync(first, second)
  return {
    ...rest,
    target: second.target,
    labels: [...first.labels, ...second.labels],
    position: lead.position,
    text: joinText(first, second),
    origins: [...(first.origins ?? []), ...(second.origins ?? [])],
    ...(sync ? { sync } : {}),
  }
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
  if (a.kind === b.kind && a.object === b.object) return a.spurious || !b.spurious ? a : b
  if (b.kind === 'atomic') return b.spurious && !a.spurious ? { ...a, spurious: true } : a
  if (a.kind === 'atomic') {
    const moved = moveBefore(b, first.labels)
    return a.spurious ? { ...moved, spurious: true } : moved
  }
  return { kind: 'atomic', ...(a.spurious || b.spurious ? { spurious: true } : {}) }
}

/** The object of a synchronisation is an expression before the edge: forget it if labels before it change it. */
const moveBefore = (sync: Sync, labels: readonly Label[]): Sync => {
  if (!sync.object) return sync
  const changed = new Set(labels.flatMap((label) => written(label)))
  if (![...changed].some((variable) => mentions(sync.object!, variable))) return sync
  const { object: _, ...rest } = sync
  return rest
}
