// Memory as state variables: one for the content of each cell (peephole.txt, 3.1: separate variables for an index and
// for the content), so that an access at a constant address is an access to a variable, and another one a choice among
// the cells of its region. Regions with too many cells stay arrays.
import { and, constArray, eq, FALSE, ite, select, store, type Term, variable } from '../../../logic/index.js'
import { instancesIn, type Surroundings } from '../../../reduction/guarded-independence-summary.js'
import { intType, type MemoryObject, POINTER, type Program, type Region } from '../../../xcfa/index.js'
import { regionTerm } from '../../../xcfa/terms/index.js'
import { withoutSelects, writesOf } from '../partial-order/memory.js'

/** Regions with more cells than this are arrays. */
const MAX_CELLS = 96
/** No array is filled with more initial values than this. */
const MAX_INITIAL_CELLS = 4096

const BYTE = intType(8, false)

interface Cell {
  readonly address: Term
  /** The state variable. */
  readonly content: Term
}

interface Memory {
  readonly region: Region
  /** Undefined: it is an array. */
  readonly cells: readonly Cell[] | undefined
}

export class Cells {
  private readonly memories = new Map<Term, Memory>()
  /** First values of the state variables made here. */
  readonly initial = new Map<Term, Term>()
  usesArrays = false
  private readonly declared = new Set<number>()

  constructor(
    private readonly program: Program,
    private readonly surroundings: Surroundings,
  ) {
    this.declare(0)
  }

  /** The terms with reads of cells instead of reads of arrays. */
  resolve(terms: readonly Term[], thread: number): readonly Term[] {
    this.declare(thread)
    return withoutSelects(terms, (array, address) => {
      const cells = this.memories.get(array)?.cells
      return cells && cells.length > 0 ? readOf(cells, address) : select(array, address)
    })
  }

  /** What a transition's changes of a region are for state variables. `after` is resolved already. */
  effects(region: Region, thread: number, after: Term): ReadonlyMap<Term, Term> {
    this.declare(thread)
    const array = regionTerm(region, thread, this.surroundings.encoding)
    const { cells } = this.memories.get(array)!
    if (!cells) return new Map([[array, after]])
    const result = new Map<Term, Term>()
    for (const { condition, address, value } of writesOf(after))
      for (const cell of cells) {
        const here = and(condition, eq(address, cell.address))
        const before = result.get(cell.content) ?? cell.content
        const now = ite(here, value, before)
        if (now !== before) result.set(cell.content, now)
      }
    return result
  }

  /** The regions that a thread sees, with their first contents. */
  private declare(thread: number): void {
    if (this.declared.has(thread)) return
    this.declared.add(thread)
    const { encoding } = this.surroundings
    for (const region of this.program.regions) {
      const array = regionTerm(region, thread, encoding)
      if (this.memories.has(array)) continue
      const places = this.placesOf(region, thread)
      if (places.length > MAX_CELLS) {
        this.memories.set(array, { region, cells: undefined })
        this.usesArrays = true
        this.initial.set(array, this.initialArray(region, thread, places))
        continue
      }
      const cells = places.map(({ at, first }): Cell => {
        const content = variable(`${array.name}[${at}]`, encoding.regionSort(region).element)
        this.initial.set(content, first ?? variable(`${content.name}@initial`, content.sort))
        return { address: this.addressTerm(at), content }
      })
      this.memories.set(array, { region, cells })
    }
  }

  private addressTerm(at: number): Term {
    const { encoding } = this.surroundings
    const { addressSort } = encoding
    return encoding.constant(POINTER[addressSort.kind === 'bv' && addressSort.width === 32 ? 32 : 64], at)
  }

  /** Every cell of a region with its first value; undefined: any. */
  private placesOf(
    region: Region,
    thread: number,
  ): readonly { readonly at: number; readonly first: Term | undefined }[] {
    const places = new Map<number, Term | undefined>()
    for (const { object, offset, step, count } of region.slots) {
      if (object.procedure !== undefined) continue
      const values = this.initialValues(region, object)
      for (const k of this.instancesOf(region, object, thread))
        for (let i = 0; i < count; i++) {
          const within = offset + i * step
          places.set(object.base + k * object.stride + within, values(within))
        }
    }
    return [...places].map(([at, first]) => ({ at, first }))
  }

  private instancesOf(region: Region, object: MemoryObject, thread: number): readonly number[] {
    if (region.scope === 'local' && object.storage === 'thread') return [thread]
    return Array.from({ length: instancesIn(this.surroundings)(object) }, (_, k) => k)
  }

  private initialValues(region: Region, object: MemoryObject): (offset: number) => Term | undefined {
    const { encoding } = this.surroundings
    const element = region.element === 'bytes' ? BYTE : region.element
    const otherwise = object.contents === 'any' ? undefined : encoding.constant(element, 0)
    const given = new Map<number, Term>()
    for (const { offset, type, value } of object.initial) {
      const term = encoding.constant(type, value)
      const parts =
        region.element === 'bytes' ? encoding.toBytes(type, term) : [encoding.reinterpret(type, element, term)]
      for (const [i, part] of parts.entries()) given.set(offset + i, part)
    }
    return (offset) => given.get(offset) ?? otherwise
  }

  private initialArray(region: Region, thread: number, places: ReturnType<Cells['placesOf']>): Term {
    const { encoding } = this.surroundings
    const sort = encoding.regionSort(region)
    const element = region.element === 'bytes' ? BYTE : region.element
    const zero = encoding.constant(element, 0)
    const anything = places.some(({ first }) => first === undefined)
    const base = anything
      ? variable(`${regionTerm(region, thread, encoding).name}@initial`, sort)
      : constArray(sort, zero)
    const needed = places.filter(({ first }) => first !== undefined && (anything || first !== zero))
    if (needed.length > MAX_INITIAL_CELLS) throw new TooManyCells(region)
    return needed.reduce((array, { at, first }) => store(array, this.addressTerm(at), first!), base)
  }
}

/** A region whose first contents are too many for a formula. */
export class TooManyCells extends Error {
  constructor(region: Region) {
    super(`too many initial values in ${region.name}`)
  }
}

const readOf = (cells: readonly Cell[], address: Term): Term => {
  const exact = cells.find((cell) => cell.address === address)
  if (exact) return exact.content
  const [first, ...rest] = cells.filter((cell) => eq(cell.address, address) !== FALSE)
  if (!first) return cells[0]!.content
  return rest.reduce((otherwise, cell) => ite(eq(address, cell.address), cell.content, otherwise), first.content)
}
