// Sets of small numbers as bits.

export type Bits = Int32Array

export const emptyBits = (size: number): Bits => new Int32Array(Math.max(1, (size + 31) >> 5))

export const addBit = (set: Bits, bit: number): void => {
  set[bit >> 5]! |= 1 << (bit & 31)
}

export const hasBit = (set: Bits, bit: number): boolean => (set[bit >> 5]! & (1 << (bit & 31))) !== 0

/** Adds all of `from`; true if that changed anything. */
export const addAll = (set: Bits, from: Bits): boolean => {
  let changed = false
  for (let i = 0; i < set.length; i++) {
    const joined = set[i]! | from[i]!
    if (joined !== set[i]) {
      set[i] = joined
      changed = true
    }
  }
  return changed
}

export const intersects = (a: Bits, b: Bits): boolean => {
  for (let i = 0; i < a.length; i++) if ((a[i]! & b[i]!) !== 0) return true
  return false
}
