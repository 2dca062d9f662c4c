// Where everything of a state is: fields packed into as few 32-bit words as their ranges allow, none across two words,
// each program counter beside its thread's locals, so that most steps change one word (platform.md).
import {
  intType,
  type Label,
  type Location,
  type MemoryObject,
  type Procedure,
  type Program,
  type Region,
  type Type,
  type Variable,
} from '../../../xcfa/index.js'
import { placeRegion, type RegionCells } from './memory.js'
import { bitsOf, type Domain, type Domains, firstDomain, type Owner, range } from './range.js'

/** `count` cells of the same domain in consecutive bits: a scalar (count 1), a region, an array of flags. */
export interface Cells {
  readonly owner: Owner
  readonly type: Type
  readonly domain: Domain
  readonly count: number
  /** Bits of a cell; a power of two where there are several. 64: two words, low first. */
  readonly bits: number
  readonly word: number
  readonly shift: number
}

export interface TemplateLayout {
  readonly procedure: Procedure
  /** The program counter of each location. */
  readonly counters: ReadonlyMap<Location, number>
  readonly locals: ReadonlyMap<Variable, Cells>
}

/** A thread number. Counter 0: not started. */
export interface SlotLayout {
  readonly number: number
  readonly counter: Cells
  readonly locations: readonly (Location | undefined)[]
  /** Counters of threads that undefined behaviour stopped at a location; they have no location in `locations`. */
  readonly stopped: ReadonlyMap<Location, number>
  readonly templates: readonly TemplateLayout[]
}

export interface HeapLayout {
  /** First instance and number of instances of each object, in the common numbering, and bytes of each. */
  readonly instances: ReadonlyMap<MemoryObject, HeapShape & { readonly first: number }>
  /** For each instance: 0 if it is not live, otherwise its size + 1. */
  readonly extents: Cells | undefined
  /** For each object: how many instances were allocated. */
  readonly allocated: ReadonlyMap<MemoryObject, Cells>
}

export interface Layout {
  readonly program: Program
  readonly words: number
  readonly slots: readonly SlotLayout[]
  readonly threadCount: Cells
  readonly globals: ReadonlyMap<Variable, Cells>
  /** For globals that start with any value: a flag, set until somebody has chosen or written one. */
  readonly unchosen: ReadonlyMap<Variable, Cells>
  readonly regions: ReadonlyMap<Region, RegionCells>
  readonly heap: HeapLayout
}

/** How much of everything a layout provides; exploration that needs more starts again with a larger shape. */
export interface Shape {
  /** The templates that each thread number may run. */
  readonly slots: readonly (readonly string[])[]
  /** Heap objects; no instances where nothing is said. */
  readonly heap: ReadonlyMap<MemoryObject, HeapShape>
  readonly domains: Domains
}

interface HeapShape {
  readonly count: number
  /** The largest instance so far: what an allocation may at most ask for is often far more. */
  readonly bytes: number
}

const COUNT_TYPE = intType(32, false)
export const BYTE = intType(8, false)

/**
 * `isStored`: whether a local ever keeps a value between two steps. `lazy`: globals that start with any value get one
 * when they are first read, and not in the initial state.
 */
export const layoutOf = (program: Program, shape: Shape, isStored: IsStored, lazy: boolean): Layout => {
  const packer = new Packer()
  const domainOf = (owner: Owner, type: Type): Domain => shape.domains.get(owner) ?? firstDomain(type)
  const scalar = (owner: Owner, type: Type, domain = domainOf(owner, type)): Cells =>
    packer.place({ owner, type, domain, count: 1, bits: bitsOf(domain) })
  const array = (owner: Owner, type: Type, count: number, domain = domainOf(owner, type)): Cells =>
    packer.place({ owner, type, domain, count, bits: count === 1 ? bitsOf(domain) : powerOfTwo(bitsOf(domain)) })

  const slots = shape.slots.map((names, number) => {
    packer.startGroup()
    return slotLayout(program, names, number, scalar, isStored)
  })
  packer.startGroup()
  const threadCount = scalar('thread count', COUNT_TYPE, range(1, Math.max(2, slots.length)))
  const globals = new Map(program.globals.map((variable) => [variable, scalar(variable, variable.type)]))
  const unchosen = new Map(
    program.globals
      .filter((variable) => variable.initial === 'any' && lazy)
      .map((variable) => [variable, scalar(`unchosen ${variable.id}`, BYTE, range(0, 1))]),
  )
  const heap = heapLayout(shape, scalar, array)
  const regions = new Map(
    program.regions.map((region) => [region, placeRegion(region, program, shape, heap, array)] as const),
  )
  return { program, words: packer.words, slots, threadCount, globals, unchosen, regions, heap }
}

type PlaceScalar = (owner: Owner, type: Type, domain?: Domain) => Cells
export type PlaceArray = (owner: Owner, type: Type, count: number, domain?: Domain) => Cells

export type IsStored = (variable: Variable, procedure: Procedure) => boolean

const slotLayout = (
  program: Program,
  names: readonly string[],
  number: number,
  scalar: PlaceScalar,
  isStored: IsStored,
): SlotLayout => {
  const locations: (Location | undefined)[] = [undefined]
  const counters = names.map((name) => {
    const procedure = program.templates.get(name)!
    const map = new Map<Location, number>()
    for (const location of procedure.locations) map.set(location, locations.push(location) - 1)
    return { procedure, map }
  })
  const stopped = new Map<Location, number>()
  for (const { procedure } of counters)
    for (const { source, labels } of procedure.edges)
      if (!stopped.has(source) && labels.some(mayStop)) stopped.set(source, locations.push(undefined) - 1)
  const counter = scalar(`counter ${number}`, COUNT_TYPE, range(0, locations.length - 1))
  const templates = counters.map(({ procedure, map }) => ({
    procedure,
    counters: map,
    locals: new Map(
      procedure.locals
        .filter((variable) => variable !== procedure.self && isStored(variable, procedure))
        .map((variable) => [variable, scalar(localOwner(variable, number), variable.type)] as const),
    ),
  }))
  return { number, counter, locations, stopped, templates }
}

/** Each thread has ranges of its own for its locals: what is passed to a thread is often a constant of its own. */
const localOwner = ({ id }: Variable, slot: number): string => `local ${id} of ${slot}`

const mayStop = ({ kind }: Label): boolean => kind === 'load' || kind === 'store' || kind === 'free'

const heapLayout = (shape: Shape, scalar: PlaceScalar, array: PlaceArray): HeapLayout => {
  const instances = new Map<MemoryObject, HeapShape & { first: number }>()
  const allocated = new Map<MemoryObject, Cells>()
  let total = 0
  for (const [object, { count, bytes }] of shape.heap) {
    instances.set(object, { first: total, count, bytes })
    allocated.set(object, scalar(`allocated ${object.id}`, COUNT_TYPE, range(0, count)))
    total += count
  }
  const extents = total > 0 ? array('extents', COUNT_TYPE, total) : undefined
  return { instances, extents, allocated }
}

const powerOfTwo = (bits: number): number => {
  if (bits === 0) return 0
  let size = 1
  while (size < bits) size *= 2
  return size
}

/** First fit into the words of the same group, then into any other with room, then into a new word. */
class Packer {
  private readonly free: number[] = []
  private groupStart = 0

  get words(): number {
    return Math.max(1, this.free.length)
  }

  /** What follows belongs together. */
  startGroup(): void {
    this.groupStart = this.free.length
  }

  place(cells: Omit<Cells, 'word' | 'shift'>): Cells {
    const bits = cells.count * cells.bits
    if (bits === 0) return { ...cells, word: 0, shift: 0 }
    if (bits > 32 || cells.bits === 64) return { ...cells, word: this.newWords(Math.ceil(bits / 32)), shift: 0 }
    const word = this.wordWith(bits)
    const shift = 32 - this.free[word]!
    this.free[word]! -= bits
    return { ...cells, word, shift }
  }

  private wordWith(bits: number): number {
    for (let word = this.groupStart; word < this.free.length; word++) if (this.free[word]! >= bits) return word
    const earlier = this.free.findIndex((room) => room >= bits)
    if (earlier >= 0) return earlier
    return this.free.push(32) - 1
  }

  private newWords(count: number): number {
    const first = this.free.length
    for (let i = 0; i < count; i++) this.free.push(0)
    return first
  }
}
