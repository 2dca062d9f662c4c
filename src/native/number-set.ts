// A set of hashes, which are positive numbers: one table of them, so that a search that remembers millions leaves nothing for
// the garbage collector.

const FIRST_ROOM = 1024

export class NumberSet {
  private table = new Float64Array(FIRST_ROOM)
  private count = 0

  get size(): number {
    return this.count
  }

  /** Whether it is new. */
  add(hash: number): boolean {
    const value = hash + 1
    const at = this.slotOf(value)
    if (this.table[at] === value) return false
    this.table[at] = value
    if (2 * ++this.count > this.table.length) this.grow()
    return true
  }

  /** Where it is, or would be; 0 stands for nothing. */
  private slotOf(value: number): number {
    const mask = this.table.length - 1
    let at = ((value % 4294967291) >>> 0) & mask
    while (this.table[at] !== 0 && this.table[at] !== value) at = (at + 1) & mask
    return at
  }

  private grow(): void {
    const old = this.table
    this.table = new Float64Array(2 * old.length)
    for (const value of old) if (value !== 0) this.table[this.slotOf(value)] = value
  }
}
