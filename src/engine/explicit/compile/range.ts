// What values a stored cell must be able to hold. Ranges are guesses from what a first exploration saw, and every
// write is checked against them: a value outside widens the range and the exploration starts again.
import type { Region, Type, Value, Variable } from '../../../xcfa/index.js'

/** `range`: integers low..high. `raw`: the 32 bits of an int, an unsigned or a float. `wide`: 64 bits in two words. */
export type Domain =
  | { readonly kind: 'range'; readonly low: number; readonly high: number }
  | { readonly kind: 'raw'; readonly as: 'signed' | 'unsigned' | 'float' }
  | { readonly kind: 'wide'; readonly as: 'signed' | 'unsigned' | 'float' }

/** Whose values: all cells of a region share one domain. */
export type Owner = Variable | Region | string
export type Domains = ReadonlyMap<Owner, Domain>

export const range = (low: number, high: number): Domain => ({ kind: 'range', low, high })

/** The smallest domain that needs no check, or for 64-bit types a guess that nearly always holds. */
export const firstDomain = (type: Type): Domain => {
  switch (type.kind) {
    case 'bool':
      return range(0, 1)
    case 'float':
      return { kind: type.width === 32 ? 'raw' : 'wide', as: 'float' }
    case 'pointer':
      return range(0, 2 ** 31 - 1)
    case 'int':
      if (type.width > 32) return range(-(2 ** 31), 2 ** 31 - 1)
      if (type.width === 32) return { kind: 'raw', as: type.signed ? 'signed' : 'unsigned' }
      return type.signed ? range(-(2 ** (type.width - 1)), 2 ** (type.width - 1) - 1) : range(0, 2 ** type.width - 1)
  }
}

/** The domain that holds every value of the type. */
export const fullDomain = (type: Type): Domain => {
  if (type.kind === 'pointer' || (type.kind === 'int' && type.width > 32))
    return { kind: 'wide', as: type.kind === 'int' && type.signed ? 'signed' : 'unsigned' }
  return firstDomain(type)
}

export const bitsOf = (domain: Domain): number => {
  switch (domain.kind) {
    case 'range':
      return domain.high === domain.low ? 0 : bitLength(domain.high - domain.low)
    case 'raw':
      return 32
    case 'wide':
      return 64
  }
}

/** Bits of the largest of the numbers 0..span. */
const bitLength = (span: number): number => {
  let bits = 1
  while (2 ** bits <= span) bits++
  return bits
}

/** A domain of so many bits or more is made the largest there is: the rest costs little, and a restart much. */
const WIDE_BITS = 24

/** A domain for values from low to high as seen so far, with some room above, within the type's own. */
export const observedDomain = (type: Type, low: Value, high: Value): Domain => {
  const full = fullDomain(type)
  if (type.kind === 'float' || typeof low === 'bigint' || typeof high === 'bigint') return full
  const span = high - low
  // So far a constant: it needs no bits, only the check on write.
  if (span === 0) return range(low, high)
  const bits = bitLength(span <= 1 ? span : span + (span >> 2))
  if (bits >= WIDE_BITS) return span < 2 ** 32 && full.kind === 'wide' ? fitted(low, high, 32, type) : full
  return fitted(low, high, bits, type)
}

/** All that `bits` bits hold from low on, at least to high, shifted into the type where it would leave it. */
const fitted = (low: number, high: number, bits: number, type: Type): Domain => {
  const full = firstDomain(type)
  const [least, greatest] = full.kind === 'range' ? [full.low, full.high] : bounds(full)
  let bottom = low
  let top = low + 2 ** bits - 1
  if (top > greatest && high <= greatest) {
    bottom = Math.max(least, bottom - (top - greatest))
    top = greatest
  }
  return range(Math.min(low, bottom), top)
}

const bounds = (domain: Domain): readonly [number, number] =>
  domain.kind === 'raw' && domain.as === 'unsigned' ? [0, 2 ** 32 - 1] : [-(2 ** 31), 2 ** 31 - 1]

/** The domain after a value did not fit: twice the bits, so that restarts are few. */
export const widened = (type: Type, domain: Domain, value: Value): Domain => {
  const full = fullDomain(type)
  if (domain.kind !== 'range' || typeof value === 'bigint') return full
  const low = Math.min(domain.low, value)
  const high = Math.max(domain.high, value)
  const needed = Math.max(bitLength(high - low), Math.min(2 * bitsOf(domain), 32))
  const bits = needed >= WIDE_BITS ? Math.max(needed, 32) : needed
  if (bits >= 32 && (full.kind !== 'wide' || high - low >= 2 ** 32)) return full
  if (full.kind === 'range' && bits >= bitsOf(full)) return full
  return value < domain.low ? range(Math.max(high - 2 ** bits + 1, lowest(type)), high) : fitted(low, high, bits, type)
}

const lowest = (type: Type): number => (type.kind === 'int' && type.signed ? -(2 ** 52) : 0)
