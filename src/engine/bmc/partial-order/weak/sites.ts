// The accesses of the unrolled program as a memory model sees them: reads and writes of variables and memory cells by
// event, with what must hold for them to take place. Events of one thread are in program order; inside an event reads
// come before writes.
import { and, bvSort, bvUlt, eq, FALSE, implies, or, type Term, TRUE, variable } from '../../../../logic/index.js'
import { type Edge, type MemoryOrder, type Region, syncOrder, type Variable } from '../../../../xcfa/index.js'
import { bytesAt, type Encoding, NotExpressible } from '../../../../xcfa/terms/index.js'
import type { EdgeAccess } from '../accesses.js'
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
  /** The atomic access of several bytes that it is a byte of. */
  readonly whole?: WholeAccess
}

/** An atomic access in memory that is accessed in several sizes, and so is one byte of a region at a time. */
interface WholeAccess {
  readonly base: Term
  readonly size: number
  /** Which of its bytes. */
  readonly index: number
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
    const when = (place: Place, write: boolean, address?: Term): Pick<Site, 'condition' | 'atomic' | 'whole'> => {
      const ofPlace = accesses.filter(({ access }) => access.place === place && access.write === write)
      const exact = ofPlace.filter(({ access }) => address === undefined || touches(encoding, access, address))
      const matching = exact.length > 0 ? exact : ofPlace
      const executed = or(event.node.outgoing.map((e) => execution.taken.get(e)!))
      const atomic = managed.has(place) || (matching.length > 0 && matching.every(({ access }) => access.atomic))
      return {
        condition: matching.length > 0 ? and(executed, or(matching.map(({ taken }) => taken))) : executed,
        atomic,
        ...(atomic &&
          address &&
          isBytes(place) && {
            whole: wholeAccess(
              encoding,
              matching.map(({ access }) => access),
              address,
            ),
          }),
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
    for (const [region, found] of event.regionReads)
      for (const { address, value } of found)
        reads.push({
          ...{ kind: 'R', id: ids++, event, place: region, address, value },
          initial: execution.initialMemory.at(region, address, 'all'),
          ...when(region, false, address),
        })
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
    // The bytes of an atomic access are written together.
    const ranks = new Map<Term, Term>()
    for (const [region, found] of event.regionWrites)
      for (const { condition, address, value } of found) {
        const how = when(region, true, address)
        const fresh = variable(`rank${ids}`, rankSort)
        const rank = (how.whole && ranks.get(how.whole.base)) ?? fresh
        if (how.whole) ranks.set(how.whole.base, rank)
        writes.push({ ...how, ...{ kind: 'W', id: ids++, event, place: region, address, value, condition, rank } })
      }
  }
  rejectMixedAtomics([...reads, ...writes])
  return { reads, writes, managed }
}

const isBytes = (place: Place): boolean => 'element' in place && place.element === 'bytes'

/** Whether an access is to this cell; to regions of bytes it is to several. */
const touches = (encoding: Encoding, { place, address: base, size }: EdgeAccess, address: Term): boolean =>
  base !== undefined && (isBytes(place) ? bytesAt(encoding, base, size).includes(address) : base === address)

const wholeAccess = (encoding: Encoding, accesses: readonly EdgeAccess[], address: Term): WholeAccess => {
  const [first, ...others] = accesses
  const base = first?.address
  const index = base ? bytesAt(encoding, base, first.size).indexOf(address) : -1
  if (!base || index < 0 || others.some((other) => other.address !== base || other.size !== first.size))
    throw new NotExpressible('an atomic step that accesses several locations, under a memory model')
  return { base, size: first.size, index }
}

/**
 * If a byte of an atomic read comes from an atomic write, the others do, too, or from writes that are not atomic and come
 * after it: those have overwritten it in part.
 */
export const readWhole = (sources: readonly Source[]): readonly Term[] => {
  const result: Term[] = []
  const bytesOf = new Map<string, Source[]>()
  const key = ({ event, place }: Site): string => `${event.id} ${place.id}`
  for (const source of sources)
    if (source.read.whole) bytesOf.set(key(source.read), [...(bytesOf.get(key(source.read)) ?? []), source])
  for (const bytes of bytesOf.values())
    for (const byte of bytes)
      for (const { source, write } of byte.candidates) {
        if (!write.whole || write.whole.index !== byte.read.whole!.index) continue
        const here = and(source, eq(byte.read.whole!.base, write.whole.base))
        for (const other of bytes) if (other !== byte) result.push(implies(here, isFromOrAfter(other, write)))
      }
  return result
}

/** That a byte of a read comes from the same atomic write as another, or from what overwrote it. */
const isFromOrAfter = ({ read, candidates }: Source, whole: WriteSite): Term =>
  or(
    candidates.flatMap(({ source, write }) => {
      if (write.event === whole.event && write.whole?.index === read.whole!.index) return [source]
      return write.whole ? [] : [and(source, coherenceBefore(whole, write))]
    }),
  )

/** Atomic accesses of different sizes to the same bytes: C has no meaning for them as atomic ones. */
const rejectMixedAtomics = (sites: readonly Site[]): void => {
  const wholes = sites.filter(({ whole }) => whole)
  for (const a of wholes)
    for (const b of wholes)
      if (a.whole!.size !== b.whole!.size && sameLocation(a, b) !== FALSE)
        throw new NotExpressible('atomic accesses of several sizes to the same bytes, under a memory model')
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
