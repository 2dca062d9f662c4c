// Weak memory as a program transformation (impact.txt, section V; soundness.md 18): each thread writes into a store
// buffer of its own, of bounded length, and steps of its own make the entries visible. Under TSO the oldest entry goes
// first; under PSO any entry does that no older one for the same place holds back. Loads look into the buffer first.
// Fences, atomic operations that write, atomic blocks, and every call of the thread library wait until it is empty,
// and so does the end of a thread. Stores with a weaker order are ordinary ones; those that release, and fences that
// do, keep stores in order under PSO, which TSO does anyhow. The result is an ordinary program, with which every engine and replay work.
import { eq, varExpr } from '../../build.js'
import type { Edge, Location, Procedure, Program } from '../../model.js'
import type { Draft } from '../edit.js'
import { withEdges } from '../edit.js'
import { type Access, accessOf } from './accesses.js'
import { bufferOf, type StoreBuffer } from './layout.js'
import { flushEdges, forwarded, stored } from './steps.js'

type WeakMemory = 'tso' | 'pso'

export interface StoreBufferOptions {
  readonly model: WeakMemory
  /** Entries of a buffer. */
  readonly length: number
  /** What a store does when the buffer is full: wait for an entry to go, or be the only error of the program. */
  readonly full: 'wait' | 'error'
}

export const storeBuffers = (program: Program, options: StoreBufferOptions): Program => {
  const buffers = new Map<string, StoreBuffer>()
  for (const procedure of program.templates.values())
    buffers.set(procedure.name, bufferOf(procedure, program, options.length))
  const fresh = freshIds(program)
  const drafts = new Map<string, Rewritten>()
  for (const procedure of program.templates.values())
    drafts.set(procedure.name, rewrite(procedure, buffers.get(procedure.name)!, options, fresh))
  return withEdges(withLocals(program, buffers, drafts), ({ name }) => drafts.get(name)!.edges)
}

interface Rewritten {
  readonly edges: readonly Draft[]
  readonly locations: readonly Location[]
}

const freshIds = (program: Program): (() => number) => {
  let next = 0
  for (const { locations } of program.templates.values()) for (const { id } of locations) next = Math.max(next, id + 1)
  return () => next++
}

const withLocals = (
  program: Program,
  buffers: ReadonlyMap<string, StoreBuffer>,
  rewritten: ReadonlyMap<string, Rewritten>,
): Program => {
  const templates = new Map<string, Procedure>()
  for (const [name, procedure] of program.templates)
    templates.set(name, {
      ...procedure,
      locals: [...procedure.locals, ...buffers.get(name)!.variables],
      locations: rewritten.get(name)!.locations,
    })
  return { ...program, templates, main: templates.get(program.main.name)! }
}

// ---- one template

const rewrite = (
  procedure: Procedure,
  buffer: StoreBuffer,
  options: StoreBufferOptions,
  fresh: () => number,
): Rewritten => {
  const locations: Location[] = procedure.locations.map((location) => asHalt(location, options))
  const located = new Map(procedure.locations.map((location, i) => [location, locations[i]!]))
  const place = (location: Location): Location => located.get(location) ?? asHalt(location, options)
  const add = (location: Location): Location => {
    locations.push(location)
    return location
  }
  const accesses = new Map(procedure.edges.map((edge) => [edge, accessOf(edge)]))
  const filled = maybeFilled(procedure, accesses)
  const edges: Draft[] = []
  const drained = new Map<Location, Location>()
  /** Where the thread is after it waited at `location` for its buffer to be empty. */
  const afterDrain = (location: Location): Location => {
    const known = drained.get(location)
    if (known) return known
    const waited = add({ ...place(location), id: fresh(), kind: 'plain' })
    drained.set(location, waited)
    edges.push({
      source: place(location),
      target: waited,
      labels: [{ kind: 'assume', condition: isEmpty(buffer) }],
      position: location.position,
      text: 'the store buffer is empty',
    })
    return waited
  }
  const end = add({ ...procedure.final, id: fresh(), kind: 'plain' })
  const full =
    options.full === 'error'
      ? add({ id: fresh(), kind: 'error', atomic: false, position: procedure.position, violation: FULL })
      : undefined
  for (const edge of procedure.edges) {
    const access = accesses.get(edge)!
    const isFilled = filled.has(edge.source)
    const target = edge.target === procedure.final ? end : place(edge.target)
    const base = { ...withoutId(edge), target }
    if (access.kind === 'fence') {
      const needsDrain = isFilled && !edge.source.atomic
      edges.push({ ...base, source: needsDrain ? afterDrain(edge.source) : place(edge.source) })
    } else if (access.kind === 'store' || (access.kind === 'barrier' && isFilled && options.model === 'pso'))
      edges.push(...stored({ ...base, source: place(edge.source) }, access, buffer, full))
    else edges.push({ ...base, source: place(edge.source), labels: isFilled ? forwarded(edge, buffer) : edge.labels })
  }
  edges.push({
    source: end,
    target: place(procedure.final),
    labels: [{ kind: 'assume', condition: isEmpty(buffer) }],
    position: procedure.final.position,
    text: 'the store buffer is empty',
  })
  for (const location of filled)
    if (canFlush(location)) {
      const at = location === procedure.final ? end : place(location)
      edges.push(...flushEdges(at, buffer, options.model))
    }
  return { edges, locations }
}

const FULL = { kind: 'reach-error', text: 'a store buffer is full' } as const

/** When the question is whether buffers become full, other errors just end the program. */
const asHalt = (location: Location, { full }: StoreBufferOptions): Location => {
  if (full === 'wait' || location.kind !== 'error') return location
  const { violation, ...rest } = location
  return { ...rest, kind: 'halt', reason: { kind: 'exit', text: violation?.text ?? '' } }
}

const withoutId = (edge: Edge): Draft => {
  const { id: _, ...rest } = edge
  return rest
}

const isEmpty = (buffer: StoreBuffer) => eq(varExpr(buffer.entries[0]!.what), buffer.nothing)

/** Entries may be there: after a store, until a fence. The end of the thread counts as its last location. */
const maybeFilled = (procedure: Procedure, accesses: ReadonlyMap<Edge, Access>): ReadonlySet<Location> => {
  const filled = new Set<Location>()
  for (let changed = true; changed; ) {
    changed = false
    for (const edge of procedure.edges) {
      const access = accesses.get(edge)!
      const leaves = access.kind === 'store' || (access.kind !== 'fence' && filled.has(edge.source))
      if (leaves && !filled.has(edge.target)) {
        filled.add(edge.target)
        changed = true
      }
    }
  }
  return filled
}

/** Not inside atomic blocks (buffers are empty there), and not where the thread stands still for ever. */
const canFlush = (location: Location): boolean => !location.atomic && location.kind !== 'error'
