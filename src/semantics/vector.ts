// Sequences of states that share what does not change: a step of one of ten thousand threads copies a few short arrays,
// not all the others. Few items are an array.

/** What is asked of a sequence; arrays have it. */
export interface Sequence<T> extends Iterable<T> {
  readonly length: number
  at(number: number): T | undefined
  map<U>(f: (item: T, number: number) => U): U[]
  findIndex(test: (item: T) => unknown): number
  some(test: (item: T) => unknown): boolean
  every(test: (item: T) => unknown): boolean
  forEach(f: (item: T, number: number) => void): void
  entries(): IterableIterator<[number, T]>
}

/** More items than this are kept in parts of this size, and so many parts in a group. */
const PART = 32

interface Part<T> {
  readonly items: readonly T[]
  readonly isMarked: boolean
}

interface Group<T> {
  readonly parts: readonly Part<T>[]
  readonly isMarked: boolean
}

/** Which items are found without looking at all. */
type Mark<T> = (item: T) => boolean

/** The same with another item; a number beyond the end is the next one. */
export const withItem = <T>(items: Sequence<T>, number: number, item: T, isMarked: Mark<T>): Sequence<T> => {
  if (items instanceof Vector) return (items as Vector<T>).with(number, item)
  const copy = [...items]
  copy[number] = item
  return copy.length <= PART ? copy : Vector.of(copy, isMarked)
}

/** The first item that is marked, or -1. */
export const firstMarked = <T>(items: Sequence<T>, isMarked: Mark<T>): number =>
  items instanceof Vector ? (items as Vector<T>).firstMarked() : items.findIndex(isMarked)

class Vector<T> implements Sequence<T> {
  private constructor(
    private readonly groups: readonly Group<T>[],
    readonly length: number,
    private readonly isMarked: Mark<T>,
  ) {}

  static of<T>(items: readonly T[], isMarked: Mark<T>): Vector<T> {
    return items.reduce((all, item, i) => all.with(i, item), new Vector<T>([], 0, isMarked))
  }

  with(number: number, item: T): Vector<T> {
    const part = Math.floor(number / PART)
    const group = Math.floor(part / PART)
    const groups = this.groups.slice()
    const parts = (groups[group]?.parts ?? []).slice()
    const items = (parts[part % PART]?.items ?? []).slice()
    items[number % PART] = item
    parts[part % PART] = { items, isMarked: items.some(this.isMarked) }
    groups[group] = { parts, isMarked: parts.some(({ isMarked }) => isMarked) }
    return new Vector(groups, Math.max(this.length, number + 1), this.isMarked)
  }

  firstMarked(): number {
    return this.groups.some(({ isMarked }) => isMarked) ? this.findIndex(this.isMarked) : -1
  }

  at(number: number): T | undefined {
    const part = Math.floor(number / PART)
    return this.groups[Math.floor(part / PART)]?.parts[part % PART]?.items[number % PART]
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (const { parts } of this.groups) for (const { items } of parts) yield* items
  }

  *entries(): IterableIterator<[number, T]> {
    let number = 0
    for (const item of this) yield [number++, item]
  }

  map<U>(f: (item: T, number: number) => U): U[] {
    const mapped: U[] = []
    for (const [number, item] of this.entries()) mapped.push(f(item, number))
    return mapped
  }

  findIndex(test: (item: T) => unknown): number {
    let number = 0
    for (const { parts } of this.groups)
      for (const { items } of parts)
        for (const item of items) {
          if (test(item)) return number
          number++
        }
    return -1
  }

  some(test: (item: T) => unknown): boolean {
    return this.findIndex(test) >= 0
  }

  every(test: (item: T) => unknown): boolean {
    return !this.some((item) => !test(item))
  }

  forEach(f: (item: T, number: number) => void): void {
    let number = 0
    for (const { parts } of this.groups) for (const { items } of parts) for (const item of items) f(item, number++)
  }
}
