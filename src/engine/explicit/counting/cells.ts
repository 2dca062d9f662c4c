// The cells that hold numbers of threads, and new numbers for them.
import type { Layout } from '../../../semantics/layout.js'
import { type Memory, readValue, unknownBytes, writeValue } from '../../../semantics/memory.js'
import { withItem } from '../../../semantics/vector.js'
import { byteSize, type Type, type Value } from '../../../xcfa/index.js'
import type { Identities } from './identities.js'
import { GONE } from './state.js'

/** Why a program cannot be counted, met while it runs. */
export class NotCountable extends Error {}

interface GlobalCell {
  readonly slot: number
  readonly offset: number
}

interface RegionCell {
  readonly object: number
  readonly storage: 'static' | 'thread' | 'heap'
  readonly at: number
  readonly type: Type
  readonly offset: number
}

/** More cells than this are too many to look at in every step. */
const MAX_CELLS = 512

interface Shared {
  readonly globals: readonly Value[]
  readonly memory: Memory
}

export class NumberCells {
  private readonly globals: readonly GlobalCell[]
  private readonly cells: readonly RegionCell[]

  constructor(layout: Layout, { variables, regions }: Identities) {
    this.globals = [...variables].map(([variable, offset]) => ({ slot: layout.globals.get(variable)!, offset }))
    this.cells = [...regions].flatMap(([{ slots, element }, offset]) =>
      slots.flatMap(({ object, offset: first, step, count }) => {
        if (element === 'bytes' || count > MAX_CELLS) throw new NotCountable('too many numbers of threads in memory')
        const { index } = layout.objects.find((owner) => owner.object === object)!
        const cell = { object: index, storage: object.storage, type: element, offset }
        return Array.from({ length: count }, (_, i) => ({ ...cell, at: first + i * step }))
      }),
    )
    if (this.cells.length > MAX_CELLS) throw new NotCountable('too many numbers of threads in memory')
  }

  /** The numbers of instances that are stored, in the order in which they are found first. */
  numbersIn(shared: Shared): readonly number[] {
    const found: number[] = []
    this.replace(shared, (number) => {
      if (!found.includes(number)) found.push(number)
      return number
    })
    return found
  }

  /** The same with other numbers of instances. */
  replace({ globals, memory }: Shared, renamed: (number: number) => number): Shared {
    let values: Value[] | undefined
    for (const { slot, offset } of this.globals) {
      const number = Number(globals[slot]!) - offset
      if (number <= 0 || number === GONE) continue
      const after = renamed(number)
      if (after !== number) (values ??= globals.slice())[slot] = after + offset
    }
    return { globals: values ?? globals, memory: this.replaceIn(memory, renamed) }
  }

  private replaceIn(memory: Memory, renamed: (number: number) => number): Memory {
    let next: Memory[number][] | undefined
    for (const { object, storage, at, type, offset } of this.cells) {
      const column = (next ?? memory)[object]
      if (!column) continue
      if (storage === 'heap' && column.length * this.cells.length > 4 * MAX_CELLS)
        throw new NotCountable('too many numbers of threads in memory')
      for (let instance = 0; instance < column.length; instance++) {
        const block = column.at(instance)
        const size = byteSize(type)
        if (!block?.live || at + size > block.bytes.length || unknownBytes(block, at, size) > 0) continue
        const number = Number(readValue(block, at, type)) - offset
        if (number <= 0 || number === GONE) continue
        const after = renamed(number)
        if (after === number) continue
        next ??= memory.slice()
        next[object] = withItem(next[object]!, instance, writeValue(block, at, type, after + offset), () => false)
      }
    }
    return next ?? memory
  }
}
