// The x87 extended format of C's long double on x86: a sign, 15 bits of exponent, 64 bits of significand with its leading
// bit written out. A value is its 80 bits as a bigint. Operations are computed exactly and rounded once, to nearest with
// ties to even, as the machine does; the same rounding makes floats and doubles of decimal literals.
import type { BinaryOp, CompareOp } from './expr.js'

/** The 80 bits. */
export type Extended = bigint

interface Format {
  /** Bits of the significand. */
  readonly precision: number
  /** Exponent of the least bit of the least number that is not zero. */
  readonly least: number
  /** Exponent of the leading bit of the greatest numbers. */
  readonly greatest: number
}

const EXTENDED: Format = { precision: 64, least: -16445, greatest: 16383 }
const FORMATS: Readonly<Record<32 | 64, Format>> = {
  32: { precision: 24, least: -149, greatest: 127 },
  64: { precision: 53, least: -1074, greatest: 1023 },
}

/** (-1)^negative * significand * 2^exponent. */
interface Finite {
  readonly kind: 'finite'
  readonly negative: boolean
  readonly significand: bigint
  readonly exponent: number
}

type Decoded = Finite | { readonly kind: 'infinity'; readonly negative: boolean } | { readonly kind: 'nan' }

const BIAS = 16383
const MAX_EXPONENT = 0x7fffn
const LEADING = 1n << 63n
const SIGN = 1n << 79n
const NAN_BITS: Extended = (MAX_EXPONENT << 64n) | (3n << 62n)

const finite = (negative: boolean, significand: bigint, exponent: number): Finite => ({
  ...{ kind: 'finite', negative, significand, exponent },
})

const decode = (bits: Extended): Decoded => {
  const negative = (bits & SIGN) !== 0n
  const biased = (bits >> 64n) & MAX_EXPONENT
  const significand = BigInt.asUintN(64, bits)
  const isNormal = (significand & LEADING) !== 0n
  // The machine takes numbers without their leading bit for invalid operands.
  if (biased !== 0n && !isNormal) return { kind: 'nan' }
  if (biased === MAX_EXPONENT) return significand === LEADING ? { kind: 'infinity', negative } : { kind: 'nan' }
  return finite(negative, significand, (biased === 0n ? 1 : Number(biased)) - BIAS - 63)
}

const signed = (negative: boolean, bits: bigint): Extended => (negative ? bits | SIGN : bits)
const infinity = (negative: boolean): Extended => signed(negative, (MAX_EXPONENT << 64n) | LEADING)

const lengthOf = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length)

/** To a format's precision, ties to even; undefined where the result is beyond its greatest number. */
const rounded = (
  { precision, least, greatest }: Format,
  { significand, exponent, negative }: Finite,
  sticky = false,
): Finite | undefined => {
  // Two more bits than may be kept, so that what is cut off can be compared with a half.
  const wide = (significand << 2n) | (sticky ? 1n : 0n)
  const shift = Math.max(lengthOf(wide) - precision, least - (exponent - 2))
  const fits = (result: Finite): Finite | undefined =>
    lengthOf(result.significand) + result.exponent - 1 > greatest ? undefined : result
  if (shift <= 0 || significand === 0n)
    return fits(finite(negative, significand, significand === 0n ? least : exponent))
  const places = BigInt(shift)
  const kept = wide >> places
  const rest = wide - (kept << places)
  const half = 1n << (places - 1n)
  const up = rest > half || (rest === half && (kept & 1n) === 1n)
  return fits(finite(negative, up ? kept + 1n : kept, exponent - 2 + shift))
}

const encode = (value: Finite, sticky = false): Extended => {
  const result = rounded(EXTENDED, value, sticky)
  if (!result) return infinity(value.negative)
  if (result.significand === 0n) return signed(value.negative, 0n)
  const length = lengthOf(result.significand)
  const room = Math.min(64 - length, result.exponent - EXTENDED.least)
  const significand = room >= 0 ? result.significand << BigInt(room) : result.significand >> BigInt(-room)
  const biased = (significand & LEADING) === 0n ? 0 : result.exponent - room + BIAS + 63
  return signed(value.negative, (BigInt(biased) << 64n) | significand)
}

// ---- conversions

export const extendedOfInteger = (value: bigint): Extended => encode(finite(value < 0n, value < 0n ? -value : value, 0))

const scratch = new DataView(new ArrayBuffer(8))

export const extendedOfDouble = (value: number): Extended => {
  if (Number.isNaN(value)) return NAN_BITS
  if (!Number.isFinite(value)) return infinity(value < 0)
  scratch.setFloat64(0, value)
  const bits = scratch.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & ((1n << 52n) - 1n)
  const negative = bits >> 63n === 1n
  return encode(
    biased === 0 ? finite(negative, fraction, -1074) : finite(negative, fraction | (1n << 52n), biased - 1075),
  )
}

/** Exact: a rounded significand has at most 53 bits. */
const numberOf = (value: Finite, format: Format, sticky = false): number => {
  const result = rounded(format, value, sticky)
  const sign = value.negative ? -1 : 1
  if (!result) return sign * Number.POSITIVE_INFINITY
  let magnitude = Number(result.significand)
  // A power of two may be too small or too large to be a number itself.
  for (let left = result.exponent; left !== 0; ) {
    const step = Math.max(-1000, Math.min(1000, left))
    magnitude *= 2 ** step
    left -= step
  }
  return sign * magnitude
}

export const doubleOfExtended = (bits: Extended, width: 32 | 64): number => {
  const value = decode(bits)
  switch (value.kind) {
    case 'nan':
      return Number.NaN
    case 'infinity':
      return value.negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    case 'finite':
      return numberOf(value, FORMATS[width])
  }
}

/** Towards zero; undefined for what is no number. */
export const integerOfExtended = (bits: Extended): bigint | undefined => {
  const value = decode(bits)
  if (value.kind !== 'finite') return undefined
  const { significand, exponent, negative } = value
  const magnitude = exponent >= 0 ? significand << BigInt(exponent) : significand >> BigInt(-exponent)
  return negative ? -magnitude : magnitude
}

export const isZeroExtended = (bits: Extended): boolean => {
  const value = decode(bits)
  return value.kind === 'finite' && value.significand === 0n
}

// ---- arithmetic

export const negateExtended = (bits: Extended): Extended => bits ^ SIGN

export const extendedValue = (op: BinaryOp, left: Extended, right: Extended): Extended => {
  const [a, b] = [decode(left), decode(right)]
  if (a.kind === 'nan' || b.kind === 'nan') return NAN_BITS
  switch (op) {
    case 'add':
      return sum(a, b)
    case 'sub':
      return sum(a, { ...b, negative: !b.negative })
    case 'mul':
      return product(a, b)
    case 'div':
      return quotient(a, b)
    case 'rem':
      return remainder(a, b)
    default:
      throw new Error(`${op} of long doubles`)
  }
}

type Ordered = Exclude<Decoded, { kind: 'nan' }>

const sum = (a: Ordered, b: Ordered): Extended => {
  if (a.kind === 'infinity') return b.kind === 'infinity' && a.negative !== b.negative ? NAN_BITS : infinity(a.negative)
  if (b.kind === 'infinity') return infinity(b.negative)
  const exponent = Math.min(a.exponent, b.exponent)
  const aligned = (x: Finite): bigint => {
    const magnitude = x.significand << BigInt(x.exponent - exponent)
    return x.negative ? -magnitude : magnitude
  }
  const exact = aligned(a) + aligned(b)
  // -0 is the sum of two of them only.
  if (exact === 0n) return signed(a.significand === 0n && b.significand === 0n && a.negative && b.negative, 0n)
  return encode(finite(exact < 0n, exact < 0n ? -exact : exact, exponent))
}

const product = (a: Ordered, b: Ordered): Extended => {
  const negative = a.negative !== b.negative
  if (a.kind === 'infinity' || b.kind === 'infinity')
    return [a, b].some((x) => x.kind === 'finite' && x.significand === 0n) ? NAN_BITS : infinity(negative)
  return encode(finite(negative, a.significand * b.significand, a.exponent + b.exponent))
}

const quotient = (a: Ordered, b: Ordered): Extended => {
  const negative = a.negative !== b.negative
  if (a.kind === 'infinity') return b.kind === 'infinity' ? NAN_BITS : infinity(negative)
  if (b.kind === 'infinity') return signed(negative, 0n)
  if (b.significand === 0n) return a.significand === 0n ? NAN_BITS : infinity(negative)
  const { value, sticky } = divided(a.significand, b.significand, negative)
  return encode({ ...value, exponent: value.exponent + a.exponent - b.exponent }, sticky)
}

/** A quotient of integers with more bits than any format keeps, and whether something is left. */
const divided = (dividend: bigint, divisor: bigint, negative: boolean): { value: Finite; sticky: boolean } => {
  const shift = Math.max(0, 70 + lengthOf(divisor) - lengthOf(dividend))
  const wide = dividend << BigInt(shift)
  return { value: finite(negative, wide / divisor, -shift), sticky: wide % divisor !== 0n }
}

/** That of fmod: exact, with the sign of the dividend. */
const remainder = (a: Ordered, b: Ordered): Extended => {
  if (a.kind === 'infinity' || (b.kind === 'finite' && b.significand === 0n)) return NAN_BITS
  if (b.kind === 'infinity') return encode(a)
  const exponent = Math.min(a.exponent, b.exponent)
  const aligned = (x: Finite): bigint => x.significand << BigInt(x.exponent - exponent)
  return encode(finite(a.negative, aligned(a) % aligned(b), exponent))
}

export const compareExtended = (op: CompareOp, left: Extended, right: Extended): boolean => {
  const [a, b] = [decode(left), decode(right)]
  if (a.kind === 'nan' || b.kind === 'nan') return op === 'ne'
  const order = orderOf(a, b)
  switch (op) {
    case 'eq':
      return order === 0n
    case 'ne':
      return order !== 0n
    case 'lt':
      return order < 0n
    case 'le':
      return order <= 0n
  }
}

/** Negative, zero or positive, as the difference is. */
const orderOf = (a: Ordered, b: Ordered): bigint => {
  const rank = (x: Ordered): bigint => (x.kind === 'finite' ? 0n : x.negative ? -1n : 1n)
  if (a.kind !== 'finite' || b.kind !== 'finite') return rank(a) - rank(b)
  const exponent = Math.min(a.exponent, b.exponent)
  const aligned = (x: Finite): bigint => (x.negative ? -x.significand : x.significand) << BigInt(x.exponent - exponent)
  return aligned(a) - aligned(b)
}

// ---- literals

/** A decimal or hexadecimal floating constant without its suffix, rounded once. */
export const floatLiteral = (digits: string, width: 32 | 64 | 80): number | Extended | undefined => {
  const exact = literalFraction(digits)
  if (!exact) return undefined
  const { value, sticky } = divided(exact.numerator, exact.denominator, false)
  return width === 80 ? encode(value, sticky) : numberOf(value, FORMATS[width], sticky)
}

/** No format has numbers of more digits than this before or behind the point. */
const MAX_DECIMAL_EXPONENT = 20_000

const literalFraction = (digits: string): { readonly numerator: bigint; readonly denominator: bigint } | undefined => {
  const match =
    /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/.exec(digits) ??
    /^([0-9]*)\.?([0-9]*)(?:[eE]([+-]?\d+))?$/.exec(digits)
  if (!match) return undefined
  const [, whole = '', fraction = '', exponentText = '0'] = match
  if (whole + fraction === '') return undefined
  const isHexadecimal = /^0[xX]/.test(digits)
  const significand = BigInt(`${isHexadecimal ? '0x' : ''}${whole}${fraction}`)
  const base = isHexadecimal ? 2n : 10n
  const given = Number(exponentText) - fraction.length * (isHexadecimal ? 4 : 1)
  const bound = isHexadecimal ? 4 * MAX_DECIMAL_EXPONENT : MAX_DECIMAL_EXPONENT
  const exponent = Math.max(-bound - 4 * (whole + fraction).length, Math.min(bound, given))
  return exponent >= 0
    ? { numerator: significand * base ** BigInt(exponent), denominator: 1n }
    : { numerator: significand, denominator: base ** BigInt(-exponent) }
}
