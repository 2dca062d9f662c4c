// The variables V = (V_G, V_1, ..., V_N) of redcomp.txt section III: shared variables and memory, and for each thread
// its program counter and locals. A thread that was not started yet is at UNSTARTED.
import { eq, INT_SORT, intConst, or, type Term, TRUE, variable } from '../../../logic/index.js'
import { elementOf, initialMemory } from '../../../symbolic/initial.js'
import type { Load, Location, Procedure, Program, Region, Store, Variable } from '../../../xcfa/index.js'
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

export const stateSpace = (threads: Threads, encoding: Encoding): StateSpace => new ThreadStateSpace(threads, encoding)

class ThreadStateSpace implements StateSpace {
  readonly program: Program
  readonly threads: readonly Thread[]
  readonly shared: readonly StateVariable[]
  readonly knownNumbers: number
  private readonly known: readonly number[]
  private readonly hasAnyNumber: boolean
  private readonly layouts = new Map<string, RegionLayout>()
  private readonly codes = new Map<Location, Term>()
  private readonly lives: readonly ReturnType<typeof liveLocals>[]
  private readonly localRegions: readonly Region[]
  private readonly readsItself: ReadonlySet<Procedure>

  constructor(
    { program, threads }: Threads,
    readonly encoding: Encoding,
  ) {
    this.program = program
    this.threads = threads
    this.known = threads.filter((t) => t.number !== undefined).map((t) => t.number!)
    this.knownNumbers = this.known.length === 0 ? 1 : Math.max(...this.known) + 1
    this.hasAnyNumber = threads.some((t) => t.number === undefined)
    for (const { template } of threads)
      for (const [i, location] of template.locations.entries()) this.codes.set(location, intConst(i))
    this.lives = threads.map(({ template }) => liveLocals(template))
    this.localRegions = program.regions.filter((r) => r.scope === 'local')
    this.readsItself = new Set(threads.map((t) => t.template).filter(readsOwnNumber))
    this.shared = this.sharedVariables()
  }

  own(thread: Thread): readonly StateVariable[] {
    const { template, number } = thread
    const variables = new Set([...template.parameters, ...template.locals])
    if (number === undefined) variables.add(template.self)
    else variables.delete(template.self)
    return [
      ...[...variables].map((v) => this.scalar(this.local(thread, v), v, this.encoding.constant(v.type, 0))),
      ...this.localRegions.flatMap((r) => this.regionVariables(r, thread)),
    ]
  }

  live(thread: Thread, location: Location): readonly Term[] {
    const { template, number } = thread
    const variables = [...(this.lives[thread.index]!.get(location) ?? [])].filter((v) => v !== template.self)
    const terms = variables.map((v) => this.local(thread, v))
    if (number === undefined && this.readsItself.has(template)) terms.push(this.local(thread, template.self))
    return [...terms, ...this.localRegions.flatMap((r) => this.regionVariables(r, thread).map(({ term }) => term))]
  }

  counter(thread: Thread): Term {
    return variable(`pc:${thread.index}`, INT_SORT)
  }

  code(location: Location): Term {
    const found = this.codes.get(location)
    if (!found) throw new Error('a location of no thread')
    return found
  }

  value(thread: Thread, v: Variable): Term {
    if (v.scope === 'global') return this.global(v)
    if (v === thread.template.self && thread.number !== undefined) return this.encoding.constant(v.type, thread.number)
    return this.local(thread, v)
  }

  memory(thread: Thread, region: Region): Term {
    const owner = ownerOf(region, thread)
    const layout = this.layout(region, owner)
    if (layout.kind === 'array') return this.array(region, owner)
    const cells = layout.addresses.map((address) => ({ address, value: this.cell(region, owner, address) }))
    return memoryOfCells(this.encoding, region, cells)
  }

  cellsAfter(thread: Thread, region: Region, memory: Term): ReadonlyMap<Term, Term> {
    const owner = ownerOf(region, thread)
    const layout = this.layout(region, owner)
    if (layout.kind === 'array') return new Map([[this.array(region, owner), memory]])
    return new Map(
      layout.addresses.map((address) => {
        const after = cellValue(memory, addressTerm(this.encoding, address))
        return [this.cell(region, owner, address), after] as const
      }),
    )
  }

  valid(thread: Thread, { region, type }: Load | Store, address: Term): Term {
    const layout = this.layout(region, ownerOf(region, thread))
    if (layout.kind === 'array') return TRUE
    const valid = validAddresses(region, layout.addresses, byteSize(type))
    return or(valid.map((a) => eq(address, addressTerm(this.encoding, a))))
  }

  allocated(object: number): Term {
    return variable(`allocated:${object}`, INT_SORT)
  }

  private sharedVariables(): readonly StateVariable[] {
    const { globals, regions, objects } = this.program
    const initial = ({ type, initial }: Variable): Term | undefined =>
      initial === 'any' ? undefined : this.encoding.constant(type, initial)
    return [
      ...globals.map((v) => this.scalar(this.global(v), v, initial(v))),
      ...regions.filter((r) => r.scope === 'global').flatMap((r) => this.regionVariables(r, undefined)),
      ...objects
        .filter(({ storage }) => storage === 'heap')
        .map(({ id }) => ({ term: this.allocated(id), initial: intConst(0), range: TRUE })),
    ]
  }

  /** The numbers of the threads that have an instance of a region; undefined: there may be any number. */
  private instancesOf(owner: Thread | undefined): readonly number[] | undefined {
    if (owner) return owner.number === undefined ? undefined : [owner.number]
    return this.hasAnyNumber ? undefined : this.known
  }

  private layout(region: Region, owner: Thread | undefined): RegionLayout {
    const key = `${region.id} ${owner?.index ?? ''}`
    let found = this.layouts.get(key)
    if (!found) this.layouts.set(key, (found = layoutOf(region, this.instancesOf(owner))))
    return found
  }

  private regionVariables(region: Region, owner: Thread | undefined): readonly StateVariable[] {
    const layout = this.layout(region, owner)
    if (layout.kind === 'array')
      return [{ term: this.array(region, owner), initial: this.initialArray(region, owner), range: TRUE }]
    return layout.addresses.map((address) => {
      const term = this.cell(region, owner, address)
      const range = this.encoding.inRange(elementOf(region), term)
      return { term, initial: initialCell(this.encoding, region, address), range }
    })
  }

  /** Undefined: anything, also where threads of any number have values to begin with. */
  private initialArray(region: Region, owner: Thread | undefined): Term | undefined {
    const { value, arbitrary } = initialMemory(this.encoding, region, {
      owner: owner?.number,
      instances: ({ storage }) => (storage === 'thread' ? this.instancesOf(owner) : [0]),
      maxCells: MAX_INITIAL_CELLS,
    })
    return arbitrary ? undefined : value
  }

  private scalar(term: Term, { type }: Variable, initial: Term | undefined): StateVariable {
    return { term, initial, range: this.encoding.inRange(type, term) }
  }

  private cell(region: Region, owner: Thread | undefined, address: number): Term {
    return variable(`${prefix(owner)}${region.name}#${region.id}@${address}`, this.encoding.sortOf(elementOf(region)))
  }

  private array(region: Region, owner: Thread | undefined): Term {
    return variable(`${prefix(owner)}${region.name}#${region.id}`, this.encoding.regionSort(region))
  }

  private global(v: Variable): Term {
    return variable(`${v.name}#${v.id}`, this.encoding.sortOf(v.type))
  }

  private local(thread: Thread, v: Variable): Term {
    return variable(`${prefix(thread)}${v.name}#${v.id}`, this.encoding.sortOf(v.type))
  }
}

const ownerOf = (region: Region, thread: Thread): Thread | undefined => (region.scope === 'local' ? thread : undefined)

const prefix = (owner: Thread | undefined): string => (owner ? `${owner.index}:` : '')

const readsOwnNumber = ({ edges, self }: Procedure): boolean =>
  edges.some(({ labels }) => labels.some((label) => read(label).has(self)))
