// Addresses of data by name: a global, a block of the heap by its number, a place on a thread's stack.
import type { RunAnswer } from './events.js'
import { type ElfSymbol, symbolsBySlide } from './symbols.js'
import type { TellContext } from './tell-context.js'

interface Named {
  readonly answer: RunAnswer
  readonly symbols: readonly ElfSymbol[]
  readonly member?: TellContext['member']
}

export const namesFor = ({ answer, symbols, member }: Named): ((address: number) => string) => {
  const objects = symbolsBySlide(answer.anchor, symbols)
    .filter((s) => s.kind === 'object' && s.size > 0 && !s.name.startsWith('__'))
    .sort((a, b) => a.address - b.address)
  const blocks = answer.events
    .filter((e) => e.kind === 'allocate')
    .map((e) => ({ start: e.address, size: Number(e.value) }))
  return (address) => {
    const object = objects.findLast((s) => s.address <= address)
    if (object && address < object.address + object.size) {
      const [name, offset] = [tidyName(object.name), address - object.address]
      return member?.(name, object.size, offset) ?? plus(name, offset)
    }
    const block = blocks.findLastIndex((b) => address >= b.start && address < b.start + Math.max(1, b.size))
    if (block >= 0) return plus(`block ${block + 1}`, address - blocks[block]!.start)
    return `0x${address.toString(16)}`
  }
}

/** Compilers append numbers to the names of static variables of functions. */
const tidyName = (name: string): string => name.replace(/\.\d+$/, '')

const plus = (name: string, offset: number): string => (offset === 0 ? name : `${name}+${offset}`)
