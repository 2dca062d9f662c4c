// The accesses of the unrolled program as a memory model sees them: reads and writes of variables and memory cells by
// event, with what must hold for them to take place. Events of one thread are in program order; inside an event reads
// come before writes.
import { and, bvSort, bvUlt, eq, FALSE, or, type Term, TRUE, variable } from '../../../../logic/index.js'
import { type Edge, type MemoryOrder, type Region, syncOrder, type Variable } from '../../../../xcfa/index.js'
import { type Encoding, NotExpressible } from '../../../../xcfa/terms/index.js'
import type { Event, Execution } from '../events.js'
import { initialValueOf } from '../initial.js'
import type { UnrolledEdge } from '../unroll.js'

type Place = Variable | Region

interface SiteBase {
  readonly id: number
  readonly event: Event
  readonly place: Place
  /** Absent for a variable. */
  readonly address?: Term
  readonly value: Term
  /** It takes place. */
  readonly condition: Term
  readonly atomic: boolean
}

export interface ReadSite extends SiteBase {
  readonly kind: 'R'
  readonly initial: Term
}

export interface WriteSite extends SiteBase {
  readonly kind: 'W'
  /** Its number in the order of writes to its location. */
  readonly rank: Term
}

export type Site = ReadSite | WriteSite

/** Where a read may take its value from: one of these literals holds. */
export interface Source {
  readonly read: ReadSite
  readonly initially: Term
  readonly candidates: readonly { readonly source: Term; readonly write: WriteSite }[]
}

export interface Sites {
  readonly reads: readonly ReadSite[]
  readonly writes: readonly WriteSite[]
  /** Cells of locks, barriers and their like, which only the library's steps access. */
  readonly managed: ReadonlySet<Place>
}

/**
 * The places that only steps of the thread library access: the fields of its objects, and its own variables. Its
 * steps happen one after the other, whatever the memory model says of the program's accesses.
 */
const managedPlaces = ({ accesses }: Execution): ReadonlySet<Place> => {
  const found = new Set<Place>()
  const others = new Set<Place>()
  for (const [{ edge }, list] of accesses)
    for (const { place } of list) {
      const isOwn = 'role' in place && (place.role === 'library' || place.role === 'thread-count')
      if (isOwn || isLibraryStep(edge)) found.add(place)
      // Their initialisation is a step like any other, but has no order of its own.
      else if (!isAtomicEdge(edge) || edge.sync!.c11 !== undefined) others.add(place)
    }
  return new Set([...found].filter((place) => !others.has(place)))
}

const isLibraryStep = (edge: Edge): boolean => isAtomicEdge(edge) && edge.sync!.kind !== 'atomic'

export const sameLocation = (a: Site, b: Site): Term => {
  if (a.place !== b.place) return FALSE
  return a.address && b.address ? eq(a.address, b.address) : TRUE
}

export const coherenceBefore = (a: WriteSite, b: WriteSite): Term => bvUlt(a.rank, b.rank)

/** The edges of an event, those inside its atomic block included. */
const edgesOfEvent = (event: Event): readonly UnrolledEdge[] => {
  const found: UnrolledEdge[] = []
  const open = [event.node]
  const seen = new Set(open)
  for (let node = open.pop(); node; node = open.pop())
    for (const edge of node.outgoing) {
      found.push(edge)
      if (!edge.target.isInside || seen.has(edge.target)) continue
      seen.add(edge.target)
      open.push(edge.target)
    }
  return found
}

export const sitesOf = (execution: Execution, encoding: Encoding): Sites => {
  const reads: ReadSite[] = []
  const writes: WriteSite[] = []
  const managed = managedPlaces(execution)
  const counted = execution.events.reduce((sum, e) => sum + countWrites(e), 0)
  const rankSort = bvSort(Math.max(1, Math.ceil(Math.log2(counted + 2))))
  let ids = 0
  for (const event of execution.events) {
    const edges = edgesOfEvent(event)
    const accesses = edges.flatMap((edge) =>
      (execution.accesses.get(edge) ?? []).map((access) => ({ access, taken: execution.taken.get(edge)! })),
    )
    /** When an access like this takes place; where terms were rewritten, when the event does. */
    const when = (place: Place, write: boolean, address?: Term): { condition: Term; atomic: boolean } => {
      const ofPlace = accesses.filter(({ access }) => access.place === place && access.write === write)
      const exact = ofPlace.filter(({ access }) => address === undefined || access.address === address)
      const matching = exact.length > 0 ? exact : ofPlace
      const executed = or(event.node.outgoing.map((e) => execution.taken.get(e)!))
      return {
        condition: matching.length > 0 ? and(executed, or(matching.map(({ taken }) => taken))) : executed,
        atomic: managed.has(place) || (matching.length > 0 && matching.every(({ access }) => access.atomic)),
      }
    }
    for (const [v, value] of event.variableReads)
      reads.push({
        kind: 'R',
        id: ids++,
        event,
        place: v,
        value,
        initial: initialValueOf(encoding, v),
        ...when(v, false),
      })
    for (const [region, found] of event.regionReads) {
      if (region.element === 'bytes')
        throw new NotExpressible(`accesses of several sizes to ${region.name} under a memory model`)
      for (const { address, value } of found)
        reads.push({
          ...{ kind: 'R', id: ids++, event, place: region, address, value },
          initial: execution.initialMemory.at(region, address, 'all'),
          ...when(region, false, address),
        })
    }
    for (const [v, found] of event.variableWrites)
      for (const { condition, value } of found)
        writes.push({
          ...when(v, true),
          kind: 'W',
          id: ids,
          event,
          place: v,
          value,
          condition,
          rank: variable(`rank${ids++}`, rankSort),
        })
    for (const [region, found] of event.regionWrites) {
      if (region.element === 'bytes')
        throw new NotExpressible(`accesses of several sizes to ${region.name} under a memory model`)
      for (const { condition, address, value } of found)
        writes.push({
          ...when(region, true, address),
          ...{ kind: 'W', id: ids, event, place: region, address, value, condition },
          rank: variable(`rank${ids++}`, rankSort),
        })
    }
  }
  return { reads, writes, managed }
}

const countWrites = (event: Event): number =>
  [...event.variableWrites.values(), ...event.regionWrites.values()].reduce((sum, list) => sum + list.length, 0)

const isAtomicEdge = (edge: Edge): boolean =>
  edge.sync !== undefined && edge.sync.kind !== 'start' && edge.sync.kind !== 'join'

/** The order that an edge's access has, by C11's names; `writes`: the step changes something. */
export const orderOfEdge = (edge: Edge, kind: 'R' | 'W', writes: boolean, isManaged: boolean): readonly string[] => {
  const { sync } = edge
  // The library notes the number of threads when one starts.
  if (!isAtomicEdge(edge)) return isManaged ? ['A', 'RLX'] : ['NA']
  if (sync!.kind !== 'atomic') return ['A', tagOf(syncOrder(sync!.kind, kind === 'R' ? 'read' : 'write', writes), kind)]
  const order: MemoryOrder = (writes ? undefined : sync!.c11Failure) ?? sync!.c11 ?? 'seq_cst'
  return ['A', tagOf(order, kind)]
}

const tagOf = (order: MemoryOrder, kind: 'R' | 'W'): string => {
  switch (order) {
    case 'seq_cst':
      return 'SC'
    case 'relaxed':
      return 'RLX'
    case 'acquire':
      return kind === 'R' ? 'ACQ' : 'RLX'
    case 'release':
      return kind === 'W' ? 'REL' : 'RLX'
    case 'acq_rel':
      return kind === 'R' ? 'ACQ' : 'REL'
    case 'unknown':
      throw new NotExpressible('a memory order that is computed when the program runs')
  }
}

export const fenceTag = (order: MemoryOrder | undefined): string => {
  switch (order) {
    case undefined:
    case 'seq_cst':
      return 'SC'
    case 'acquire':
      return 'ACQ'
    case 'release':
      return 'REL'
    case 'acq_rel':
      return 'ACQ_REL'
    case 'relaxed':
      return 'RLX'
    case 'unknown':
      throw new NotExpressible('a memory order that is computed when the program runs')
  }
}
