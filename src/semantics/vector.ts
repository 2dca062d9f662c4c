// Sequences of states that share what does not change: a step of one of ten thousand threads remembers one of them, not all
// the others. Few items are an array. Of the versions of a longer sequence one has the items, and each of the others knows
// its difference to the next one on the way there (Baker, Shallow Binding Makes Functional Arrays Fast). Whoever follows an
// execution asks for versions that are one step apart.

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

/** Up to so many items are an array. */
const MAX_COPIED = 32

/** Which items are found without looking at all. */
type Mark<T> = (item: T) => boolean

/** The same with another item; a number beyond the end is the next one. */
export const withItem = <T>(items: Sequence<T>, number: number, item: T, isMarked: Mark<T>): Sequence<T> => {
  if (items instanceof Version) return (items as Version<T>).with(number, item)
  const copy = [...items]
  copy[number] = item
  return copy.length <= MAX_COPIED ? copy : Version.of(copy, isMarked)
}

/** The first item that is marked, or -1. */
export const firstMarked = <T>(items: Sequence<T>, isMarked: Mark<T>): number =>
  items instanceof Version ? (items as Version<T>).firstMarked() : items.findIndex(isMarked)

class Version<T> implements Sequence<T> {
  /** Absent where `next` has the items, with another one at `number`. */
  private held: (T | undefined)[] | undefined
  private next: Version<T> | undefined
  private number = 0
  private item: T | undefined

  private constructor(
    items: (T | undefined)[],
    readonly length: number,
    private readonly isMarked: Mark<T>,
    private readonly marked: number,
  ) {
    this.held = items
  }

  static of<T>(items: T[], isMarked: Mark<T>): Version<T> {
    return new Version<T>(items, items.length, isMarked, items.filter(isMarked).length)
  }

  with(number: number, item: T): Version<T> {
    const items = this.items()
    const before = items[number]
    const marked = this.marked + Number(this.isMarked(item)) - Number(before !== undefined && this.isMarked(before))
    const next = new Version(items, Math.max(this.length, number + 1), this.isMarked, marked)
    items[number] = item
    this.giveTo(next, number, before)
    return next
  }

  firstMarked(): number {
    return this.marked > 0 ? this.findIndex(this.isMarked) : -1
  }

  at(number: number): T | undefined {
    return number < this.length ? this.items()[number] : undefined
  }

  /** The items of this version: each version on the way to those that have them hands them on. */
  private items(): (T | undefined)[] {
    const behind: Version<T>[] = []
    let owner: Version<T> = this
    for (; owner.next; owner = owner.next) behind.push(owner)
    const items = owner.held!
    for (let i = behind.length - 1; i >= 0; i--) {
      const version = behind[i]!
      owner.giveTo(version, version.number, items[version.number])
      items[version.number] = version.item
      version.held = items
      version.next = undefined
      version.item = undefined
      owner = version
    }
    return items
  }

  private giveTo(next: Version<T>, number: number, item: T | undefined): void {
    this.held = undefined
    this.next = next
    this.number = number
    this.item = item
  }

  // Item by item: others may ask for another version in between.

  *[Symbol.iterator](): IterableIterator<T> {
    for (let i = 0; i < this.length; i++) yield this.items()[i]!
  }

  *entries(): IterableIterator<[number, T]> {
    for (let i = 0; i < this.length; i++) yield [i, this.items()[i]!]
  }

  map<U>(f: (item: T, number: number) => U): U[] {
    const mapped: U[] = []
    for (let i = 0; i < this.length; i++) mapped.push(f(this.items()[i]!, i))
    return mapped
  }

  findIndex(test: (item: T) => unknown): number {
    for (let i = 0; i < this.length; i++) if (test(this.items()[i]!)) return i
    return -1
  }

  some(test: (item: T) => unknown): boolean {
    return this.findIndex(test) >= 0
  }

  every(test: (item: T) => unknown): boolean {
    return !this.some((item) => !test(item))
  }

  forEach(f: (item: T, number: number) => void): void {
    for (let i = 0; i < this.length; i++) f(this.items()[i]!, i)
  }
}
