// What generated code calls besides arithmetic: the buffer of emitted successors, and the ways in which a layout can
// turn out too small. A record in the buffer: the state's words, its hash sum, the number of the edge.
import { TRUE } from '../../../logic/index.js'
import type { Reason } from '../../../verdict/reason.js'
import type { MemoryObject, Value, Variable } from '../../../xcfa/index.js'
import { type ByObligation, type ObligationKind, openObligation, threadRoom } from '../../../xcfa/terms/index.js'
import { multiplierOf } from './cells.js'
import type { Choice } from './choice.js'
import type { Cells, Layout, SlotLayout, TemplateLayout } from './layout.js'
import { initialState, readCell } from './state.js'

/** The layout is too small: start again with a larger one. */
export class LayoutTooSmall extends Error {
  constructor(readonly need: Need) {
    super('the layout is too small')
  }
}

export type Need =
  | { readonly kind: 'value'; readonly cells: Cells; readonly value: Value }
  | { readonly kind: 'slot'; readonly number: number; readonly template: string }
  | { readonly kind: 'heap'; readonly object: MemoryObject; readonly instance: number; readonly bytes: number }

/** More than explicit exploration can hold. */
export class BeyondExploration extends Error {}

/** What exploration does about an obligation: values are those of the machine and wrap, the rest ends the search. */
const EXPLORED = {
  overflow: 'wraps',
  'allocation-size': 'ends',
  'heap-instances': 'ends',
  'thread-instances': 'ends',
} as const satisfies ByObligation<'wraps' | 'ends'>

type Ending = { [K in ObligationKind]: (typeof EXPLORED)[K] extends 'ends' ? K : never }[ObligationKind]

const beyond = (kind: Ending, detail?: string): never => {
  throw new BeyondExploration(detail === undefined ? openObligation(kind) : `${openObligation(kind)}: ${detail}`)
}

/** Words of emitted successors, half a gigabyte. */
const MAX_WORDS = 2 ** 27

interface DynamicChoice {
  readonly choice: Extract<Choice, { kind: 'dynamic' }>
  readonly slot: SlotLayout
  readonly template: TemplateLayout
  readonly changed: readonly Variable[]
}

export class Runtime {
  out: Int32Array
  top = 0
  limit: number
  /** Record the choices of each successor. */
  tracing = false
  readonly notes: { readonly choices: readonly Value[]; readonly indeterminate: readonly Value[] }[] = []
  /** Edges on which undefined behaviour was met. */
  readonly undefinedEdges = new Set<number>()
  /** Why the search was not complete: numbers in `reasons`. */
  readonly partialReasons = new Set<number>()
  readonly none: readonly Value[] = []

  readonly cells: Cells[] = []
  readonly reasons: Reason[] = []
  private readonly numbers = new Map<string, number>()
  readonly objects: MemoryObject[] = []
  readonly dynamicChoices: DynamicChoice[] = []
  private readonly fresh: Int32Array
  private readonly recordSize: number

  constructor(
    private readonly layout: Layout,
    isLive: (variable: Variable) => boolean,
  ) {
    this.recordSize = layout.words + 2
    this.out = new Int32Array(1024 * this.recordSize)
    this.limit = this.out.length - this.recordSize
    this.fresh = initialState(layout, new Map(), isLive)
  }

  grow(): void {
    if (this.out.length >= MAX_WORDS) throw new BeyondExploration('too many choices in one step')
    const larger = new Int32Array(this.out.length * 2)
    larger.set(this.out)
    this.out = larger
    this.limit = larger.length - this.recordSize
  }

  note(choices: readonly Value[], indeterminate: readonly Value[]): void {
    this.notes.push({ choices, indeterminate })
  }

  over(cells: number, value: Value): never {
    throw new LayoutTooSmall({ kind: 'value', cells: this.cells[cells]!, value })
  }

  needSlot(number: number, template: string): never {
    if (threadRoom(this.layout.program, number).holds !== TRUE) beyond('thread-instances')
    throw new LayoutTooSmall({ kind: 'slot', number, template })
  }

  needHeap(object: number, instance: number, bytes: Value): never {
    const allocated = this.objects[object]!
    if (instance >= (allocated.instances ?? 1)) beyond('heap-instances')
    throw new LayoutTooSmall({ kind: 'heap', object: allocated, instance, bytes: Number(bytes) })
  }

  tooLarge(size: Value): never {
    return beyond('allocation-size', `${size} bytes`)
  }

  undefined(edge: number): void {
    this.undefinedEdges.add(edge)
  }

  reasonNumber(reason: Reason): number {
    const key = JSON.stringify(reason)
    let number = this.numbers.get(key)
    if (number === undefined) this.numbers.set(key, (number = this.reasons.push(reason) - 1))
    return number
  }

  /** These values are not all. */
  partial<T>(values: T, reason: number): T {
    this.partialReasons.add(reason)
    return values
  }

  /** A pointer is compared: into a freed block, it may be equal to what was allocated there since. */
  compared(S: Int32Array, b: number, pointer: Value, reason: number): void {
    const { extents, instances, allocated } = this.layout.heap
    const address = Number(pointer)
    for (const [object, { first }] of instances) {
      const { base, stride, size } = object
      const count = Number(readCell(S, b, allocated.get(object)!, 0))
      // Up to a stride below the first block: what comes before a block may have been computed from it.
      if (address < base - stride || address >= base + count * stride) continue
      const number = Math.floor((address - base) / stride)
      const isBetween = address > base + number * stride + size
      for (const k of isBetween || number < 0 ? [number, number + 1] : [number])
        if (k >= 0 && k < count && readCell(S, b, extents!, first + k) === 0) this.partial(undefined, reason)
    }
  }

  /** The values of a choice that depend on the state. */
  values(number: number, S: Int32Array, b: number, now: readonly Value[]): readonly Value[] {
    const { choice, slot, template, changed } = this.dynamicChoices[number]!
    const { values, reason } = choice.values((variable) => {
      const position = changed.indexOf(variable)
      if (position >= 0) return now[position]!
      if (variable === template.procedure.self) return slot.number
      const cells = variable.scope === 'global' ? this.layout.globals.get(variable) : template.locals.get(variable)
      return cells ? readCell(S, b, cells, 0) : 0
    })
    if (reason === undefined) return values
    return this.partial(values, this.reasonNumber(reason))
  }

  /** Ends the life of a heap instance: nothing remains of its contents. Returns the new hash sum. */
  clear(out: Int32Array, o: number, h: number, instance: number): number {
    const before = out.slice(o, o + this.layout.words)
    const { extents } = this.layout.heap
    this.reset(out, o, extents!, instance)
    for (const { cells, unchosen, heapInstance } of this.layout.regions.values())
      heapInstance.forEach((owner, cell) => {
        if (owner !== instance) return
        this.reset(out, o, cells, cell)
        if (unchosen) this.reset(out, o, unchosen, cell)
      })
    let hash = h
    for (let i = 0; i < before.length; i++) {
      const x = before[i]!
      const y = out[o + i]!
      if (x !== y)
        hash = (hash + Math.imul(y ^ (y >>> 15), multiplierOf(i)) - Math.imul(x ^ (x >>> 15), multiplierOf(i))) | 0
    }
    return hash
  }

  /** A cell's bits as in the initial state. */
  private reset(out: Int32Array, o: number, cells: Cells, index: number): void {
    if (cells.bits === 0) return
    const bit = cells.shift + index * cells.bits
    const word = cells.word + (bit >> 5)
    if (cells.bits >= 32) {
      out[o + word] = this.fresh[word]!
      if (cells.bits === 64) out[o + word + 1] = this.fresh[word + 1]!
      return
    }
    const mask = ((1 << cells.bits) - 1) << (bit & 31)
    out[o + word] = (out[o + word]! & ~mask) | (this.fresh[word]! & mask)
  }
}
