// What the digest of a certificate of executions is a sum of. An execution is what each thread reads from whom, and in
// which order the writes to a location come; accesses that one thread alone makes to a location follow from the rest and
// are left out, so that it does not matter which memory counts as private.

/** One access of a thread, in the order of the program. */
export interface DigestedAccess {
  /** Names the place in memory, within this execution. */
  readonly location: string | number
  /** For reads: the thread and the number of the access that is read from, or nobody. */
  readonly source?: { readonly thread: string; readonly access: number } | 'initial'
}

export interface DigestedExecution {
  /** By name: main is 0, the k-th thread that it starts k, the k-th one that thread T starts T/k. */
  readonly threads: ReadonlyMap<string, readonly DigestedAccess[]>
  /** Writes in coherence order, for each location. */
  readonly orders: readonly (readonly { readonly thread: string; readonly access: number }[])[]
}

/** Equal for the same execution, whoever has found it. */
export const executionText = ({ threads, orders }: DigestedExecution): string => {
  const users = new Map<DigestedAccess['location'], Set<string>>()
  for (const [name, accesses] of threads)
    for (const { location } of accesses) {
      const found = users.get(location)
      if (found) found.add(name)
      else users.set(location, new Set([name]))
    }
  const isShared = ({ location }: DigestedAccess): boolean => users.get(location)!.size > 1
  const numbers = new Map<string, readonly number[]>()
  for (const [name, accesses] of threads) {
    let next = 0
    numbers.set(
      name,
      accesses.map((access) => (isShared(access) ? next++ : -1)),
    )
  }
  const nameOf = ({ thread, access }: { thread: string; access: number }): string =>
    `${thread}.${numbers.get(thread)![access]}`
  const textOf = ({ source }: DigestedAccess): string =>
    source === undefined ? 'w' : source === 'initial' ? 'i' : nameOf(source)
  const byThread = [...threads].map(([name, accesses]) => `${name}:${accesses.filter(isShared).map(textOf).join()}`)
  const byLocation = orders.flatMap((order) => {
    const shared = order.filter(({ thread, access }) => numbers.get(thread)![access]! >= 0)
    return shared.length > 1 ? [shared.map(nameOf).join('<')] : []
  })
  return `${byThread.sort().join('|')};${byLocation.sort().join(';')}`
}

/** A sum of hashes of 64 bits, modulo 2^64: it does not depend on the order in which executions are met. */
export class Digest {
  private low = 0
  private high = 0

  add(text: string): void {
    let a = 0xdeadbeef
    let b = 0x41c6ce57
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      a = Math.imul(a ^ c, 0x9e3779b1)
      b = Math.imul(b ^ c, 0x5f356495)
    }
    this.plus(mixed(a, b), mixed(b, a))
  }

  /** Adds another sum, as `toString` writes it. */
  merge(sum: string): void {
    this.plus(Number.parseInt(sum.slice(8), 16), Number.parseInt(sum.slice(0, 8), 16))
  }

  toString(): string {
    return [this.high, this.low].map((half) => half.toString(16).padStart(8, '0')).join('')
  }

  private plus(low: number, high: number): void {
    const sum = this.low + low
    this.low = sum >>> 0
    this.high = (this.high + high + (sum > 0xffffffff ? 1 : 0)) >>> 0
  }
}

/** Every bit of both halves counts for every bit of the result. */
const mixed = (a: number, b: number): number => {
  const first = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  return (first ^ (first >>> 16)) >>> 0
}
