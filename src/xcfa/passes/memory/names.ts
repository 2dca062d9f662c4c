// Names for the variables and regions that memory is split into, as the source would write them: `m.owner`, `a[]`.
import type { Slot } from '../../model.js'

/** Gives each name once; a second time it gets a number. */
export class Names {
  private readonly taken = new Map<string, number>()

  take(name: string): string {
    const count = (this.taken.get(name) ?? 0) + 1
    this.taken.set(name, count)
    return count === 1 ? name : this.take(`${name}#${count}`)
  }
}

export const nameOf = (slots: readonly Slot[]): string => {
  const names = [...new Set(slots.map(slotName))]
  return names.length <= 2 ? names.join('|') : `${names[0]}|${names[1]}|...`
}

const slotName = ({ object, offset, count }: Slot): string => {
  const { element } = object
  const cell = element
    ? element.cells.find((c) => c.offset === offset % element.size)
    : object.cells.find((c) => c.offset === offset)
  const path = cell?.path ?? (offset === 0 ? '' : `+${offset}`)
  return `${object.name}${count > 1 ? path.replace('[0]', '[]') : path}`
}
