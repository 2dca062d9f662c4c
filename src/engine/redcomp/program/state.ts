// The variables V = (V_G, V_1, ..., V_N) of redcomp.txt section III: shared variables and memory, and for each thread
// its program counter and locals. A thread that was not started yet is at UNSTARTED.
import { eq, INT_SORT, intConst, or, type Term, TRUE, variable } from '../../../logic/index.js'
import { elementOf, initialMemory } from '../../../symbolic/initial.js'
import type { Load, Location, Program, Region, Store, Variable } from '../../../xcfa/index.js'
import { byteSize } from '../../../xcfa/index.js'
import { read } from '../../../xcfa/passes/labels.js'
import { liveLocals } from '../../../xcfa/passes/live.js'
import type { Encoding } from '../../../xcfa/terms/index.js'
import {
  addressTerm,
  cellValue,
  initialCell,
  layoutOf,
  memoryOfCells,
  type RegionLayout,
  validAddresses,
} from './memory.js'
import type { Thread, Threads } from './specialise.js'

export const UNSTARTED = -1

/** More cells than this are left arbitrary at first. */
const MAX_INITIAL_CELLS = 4096

/** A state variable with its value at first; undefined: any value of its sort and range. */
export interface StateVariable {
  readonly term: Term
  readonly initial: Term | undefined
  /** What holds of any value that it may have at first. */
  readonly range: Term
}

export interface StateSpace {
  readonly program: Program
  readonly threads: readonly Thread[]
  readonly encoding: Encoding
  /** V_G. */
  readonly shared: readonly StateVariable[]
  /** V_i without the program counter: all of them, as they are when the thread starts. */
  own(thread: Thread): readonly StateVariable[]
  /** Those of V_i that matter at a location; its number only if it ever asks for it. */
  live(thread: Thread, location: Location): readonly Term[]
  counter(thread: Thread): Term
  /** The value of a program counter at a location. */
  code(location: Location): Term
  value(thread: Thread, v: Variable): Term
  /** A region as an array term, for symbolic execution by a thread: a variable, or made of cells. */
  memory(thread: Thread, region: Region): Term
  /** New values of the state variables that a region consists of. */
  cellsAfter(thread: Thread, region: Region, memory: Term): ReadonlyMap<Term, Term>
  /** Whether an access hits memory: a condition on its address. */
  valid(thread: Thread, label: Load | Store, address: Term): Term
  /** The number of heap instances of an object so far. */
  allocated(object: number): Term
  /** Numbers of threads of which there are any number begin here. */
  readonly knownNumbers: number
}

export const stateSpace = ({ program, threads }: Threads, encoding: Encoding): StateSpace => {
  const known = threads.filter((t) => t.number !== undefined).map((t) => t.number!)
  const symbolicThreads = threads.some((t) => t.number === undefined)
  const instancesOf = (owner: Thread | undefined): readonly number[] | undefined => {
    if (owner) return owner.number === undefined ? undefined : [owner.number]
    return symbolicThreads ? undefined : known
  }
  const layouts = new Map<string, RegionLayout>()
  const layout = (region: Region, owner: Thread | undefined): RegionLayout => {
    const key = `${region.id} ${owner?.index ?? ''}`
    let found = layouts.get(key)
    if (!found) {
      layouts.set(key, (found = layoutOf(region, instancesOf(owner))))
    }
    return found
  }
  const ownerOf = (region: Region, thread: Thread): Thread | undefined =>
    region.scope === 'local' ? thread : undefined
  const prefix = (owner: Thread | undefined): string => (owner ? `${owner.index}:` : '')
  const cell = (region: Region, owner: Thread | undefined, address: number): Term =>
    variable(`${prefix(owner)}${region.name}#${region.id}@${address}`, encoding.sortOf(elementOf(region)))
  const array = (region: Region, owner: Thread | undefined): Term =>
    variable(`${prefix(owner)}${region.name}#${region.id}`, encoding.regionSort(region))

  /** Undefined: anything, also where threads of any number have values to begin with. */
  const arrayAtFirst = (region: Region, owner: Thread | undefined): Term | undefined => {
    const { value, arbitrary } = initialMemory(encoding, region, {
      owner: owner?.number,
      instances: ({ storage }) => (storage === 'thread' ? instancesOf(owner) : [0]),
      maxCells: MAX_INITIAL_CELLS,
    })
    return arbitrary ? undefined : value
  }
  const regionVariables = (region: Region, owner: Thread | undefined): readonly StateVariable[] => {
    const found = layout(region, owner)
    if (found.kind === 'array')
      return [{ term: array(region, owner), initial: arrayAtFirst(region, owner), range: TRUE }]
    return found.addresses.map((address) => {
      const term = cell(region, owner, address)
      return { term, initial: initialCell(encoding, region, address), range: encoding.inRange(elementOf(region), term) }
    })
  }
  const scalar = (term: Term, v: Variable, initial: Term | undefined): StateVariable => ({
    term,
    initial,
    range: encoding.inRange(v.type, term),
  })
  const global = (v: Variable): Term => variable(`${v.name}#${v.id}`, encoding.sortOf(v.type))
  const local = (thread: Thread, v: Variable): Term =>
    variable(`${thread.index}:${v.name}#${v.id}`, encoding.sortOf(v.type))
  const value = (thread: Thread, v: Variable): Term => {
    if (v.scope === 'global') return global(v)
    if (v === thread.template.self && thread.number !== undefined) return encoding.constant(v.type, thread.number)
    return local(thread, v)
  }
  const allocated = (object: number): Term => variable(`allocated:${object}`, INT_SORT)
  const heap = program.objects.filter((o) => o.storage === 'heap')
  const codes = new Map<Location, Term>()
  for (const { template } of threads)
    for (const [i, location] of template.locations.entries()) codes.set(location, intConst(i))
  const lives = threads.map(({ template }) => liveLocals(template))
  const localRegions = program.regions.filter((r) => r.scope === 'local')
  const readsItself = new Set(
    threads.map((t) => t.template).filter((t) => t.edges.some((e) => e.labels.some((l) => read(l).has(t.self)))),
  )

  const shared: readonly StateVariable[] = [
    ...program.globals.map((v) =>
      scalar(global(v), v, v.initial === 'any' ? undefined : encoding.constant(v.type, v.initial)),
    ),
    ...program.regions.filter((r) => r.scope === 'global').flatMap((r) => regionVariables(r, undefined)),
    ...heap.map((o) => ({ term: allocated(o.id), initial: intConst(0), range: TRUE })),
  ]
  const space: StateSpace = {
    program,
    threads,
    encoding,
    shared,
    knownNumbers: known.length === 0 ? 1 : Math.max(...known) + 1,
    own: (thread) => {
      const { template, number } = thread
      const variables = new Set([...template.parameters, ...template.locals])
      if (number === undefined) variables.add(template.self)
      else variables.delete(template.self)
      return [
        ...[...variables].map((v) => scalar(local(thread, v), v, encoding.constant(v.type, 0))),
        ...localRegions.flatMap((r) => regionVariables(r, thread)),
      ]
    },
    live: (thread, location) => {
      const { template, number } = thread
      const variables = [...(lives[thread.index]!.get(location) ?? [])].filter((v) => v !== template.self)
      const terms = variables.map((v) => local(thread, v))
      if (number === undefined && readsItself.has(template)) terms.push(local(thread, template.self))
      return [...terms, ...localRegions.flatMap((r) => regionVariables(r, thread).map(({ term }) => term))]
    },
    counter: (thread) => variable(`pc:${thread.index}`, INT_SORT),
    code: (location) => {
      const found = codes.get(location)
      if (!found) throw new Error('a location of no thread')
      return found
    },
    value,
    memory: (thread, region) => {
      const owner = ownerOf(region, thread)
      const found = layout(region, owner)
      if (found.kind === 'array') return array(region, owner)
      const cells = found.addresses.map((address) => ({ address, value: cell(region, owner, address) }))
      return memoryOfCells(encoding, region, cells)
    },
    cellsAfter: (thread, region, memory) => {
      const owner = ownerOf(region, thread)
      const found = layout(region, owner)
      if (found.kind === 'array') return new Map([[array(region, owner), memory]])
      return new Map(
        found.addresses.map((a) => [cell(region, owner, a), cellValue(memory, addressTerm(encoding, a))] as const),
      )
    },
    valid: (thread, { region, type }, address) => {
      const found = layout(region, ownerOf(region, thread))
      if (found.kind === 'array') return TRUE
      return or(
        validAddresses(region, found.addresses, byteSize(type)).map((a) => eq(address, addressTerm(encoding, a))),
      )
    },
    allocated,
  }
  return space
}
