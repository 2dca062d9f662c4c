// Shared memory as one thread sees it: what somebody writes is any value, everything else is what main left there.
import type { State } from '../../../semantics/index.js'
import type { Layout } from '../../../semantics/layout.js'
import { blockAt, placeOf, readValue, unknownBytes } from '../../../semantics/memory.js'
import { byteSize, type Load, type Store, type Value, type Variable } from '../../../xcfa/index.js'
import { anyOf, type Known } from './values.js'

/** A byte of memory by its address, or a global variable. */
export type Place = number | Variable

/** A bit of a word. */
export interface Bit {
  readonly kind: 'bit'
  readonly word: readonly Place[]
  readonly bit: number
}

/** What a thread may take as a lock. */
export type Cell = Place | Bit

export const isBit = (cell: Cell): cell is Bit => typeof cell === 'object' && 'word' in cell

export const nameOf = (cell: Cell): string => {
  if (typeof cell === 'number') return `${cell}`
  return isBit(cell) ? `${cell.word.map(nameOf).join('.')}#${cell.bit}` : `v${cell.id}`
}

export class SharedCells {
  /** What somebody was seen to write. */
  private readonly changing = new Set<Place>()
  private readonly bits = new Map<string, Bit>()
  /** Something was written that was taken for frozen: what was read of it does not hold. */
  private isStale = false

  constructor(
    readonly layout: Layout,
    private readonly state: State,
  ) {}

  /** Whether all that was read since the last call holds. */
  settle(): boolean {
    const { isStale } = this
    this.isStale = false
    return !isStale
  }

  /** The same object for the same bit. */
  bit(word: readonly Place[], bit: number): Bit {
    const made: Bit = { kind: 'bit', word, bit }
    const name = nameOf(made)
    const known = this.bits.get(name)
    if (!known) this.bits.set(name, made)
    return known ?? made
  }

  write(cell: Place): void {
    if (this.changing.has(cell)) return
    this.changing.add(cell)
    this.isStale = true
  }

  get globals(): readonly Known[] {
    const known: Known[] = [...this.state.globals]
    for (const [variable, slot] of this.layout.globals)
      if (this.changing.has(variable)) known[slot] = anyOf(variable.type)
    return known
  }

  bytes(address: Value, size: number): readonly number[] {
    return Array.from({ length: size }, (_, i) => Number(address) + i)
  }

  /** Undefined: an invalid access, which stops its thread. */
  at({ region, type }: Load | Store, address: Value): { readonly value: Value | undefined } | undefined {
    const place = placeOf(this.layout, address)
    if (!place || !this.layout.hitsCell(region, place.owner.object, place.offset)) return undefined
    const size = byteSize(type)
    const block = blockAt(this.state.memory, place, size, 1)
    if (!block) return undefined
    const isAny =
      this.bytes(address, size).some((byte) => this.changing.has(byte)) || unknownBytes(block, place.offset, size) > 0
    return { value: isAny ? undefined : readValue(block, place.offset, type) }
  }

  /** Frames of other threads are not there yet: what lies in them is nothing that main could have left. */
  isFrameOfThread(address: Value): boolean {
    const place = placeOf(this.layout, address)
    return place?.owner.object.storage === 'thread' && place.instance > 0
  }
}
