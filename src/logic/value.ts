// Values of the logic and what each operator does to them: the one place that says so. Constructors fold constants
// with it, and evaluation under a model is the same function bottom up. Totality is SMT-LIB's where it fixes a value;
// where it does not (integer division by zero, floats out of range) `fold` says undefined and nobody folds.
import { bigGcd } from './gcd.js'
import type { Sort } from './sort.js'
import type { Operator } from './term.js'

/** Bool: boolean; Int: bigint; Real: Rational; BV: bigint from 0; Float: number (one NaN); Array: ArrayValue. */
export type Value = boolean | bigint | number | Rational | ArrayValue

export interface Rational {
  readonly kind: 'rational'
  readonly numerator: bigint
  /** Positive, without a common divisor with the numerator. */
  readonly denominator: bigint
}

export interface ArrayValue {
  readonly kind: 'array'
  readonly otherwise: Value
  /** By the key of the index; never an entry equal to `otherwise`. */
  readonly entries: ReadonlyMap<string, { readonly index: Value; readonly value: Value }>
}

export const rational = (numerator: bigint, denominator: bigint): Rational => {
  const divisor = bigGcd(numerator, denominator) * (denominator < 0n ? -1n : 1n)
  return { kind: 'rational', numerator: numerator / divisor, denominator: denominator / divisor }
}

/** A text that is the same exactly for equal values of one sort. */
export const valueKey = (value: Value): string => {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value !== 'object') return String(value)
  if (value.kind === 'rational') return `${value.numerator}/${value.denominator}`
  const entries = [...value.entries].map(([key, entry]) => `${key}:${valueKey(entry.value)}`).sort()
  return `[${valueKey(value.otherwise)};${entries.join(',')}]`
}

const sameValue = (a: Value, b: Value): boolean =>
  typeof a === 'object' || typeof b === 'object' ? valueKey(a) === valueKey(b) : Object.is(a, b)

export const arraySelect = (array: ArrayValue, index: Value): Value =>
  array.entries.get(valueKey(index))?.value ?? array.otherwise

export const arrayStore = (array: ArrayValue, index: Value, value: Value): ArrayValue => {
  const entries = new Map(array.entries)
  if (sameValue(value, array.otherwise)) entries.delete(valueKey(index))
  else entries.set(valueKey(index), { index, value })
  return { kind: 'array', otherwise: array.otherwise, entries }
}

export const toSigned = (value: bigint, width: number): bigint => BigInt.asIntN(width, value)

/** Division whose remainder is never negative, as SMT-LIB has it. */
export const euclideanDivision = (a: bigint, b: bigint): { quotient: bigint; remainder: bigint } => {
  let quotient = a / b
  let remainder = a % b
  if (remainder < 0n) {
    quotient += b > 0n ? -1n : 1n
    remainder += b > 0n ? b : -b
  }
  return { quotient, remainder }
}

const view = new DataView(new ArrayBuffer(8))
const floatFromBits = (bits: bigint, width: number): number => {
  if (width === 32) {
    view.setUint32(0, Number(bits))
    return view.getFloat32(0)
  }
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}
export const floatToBits = (value: number, width: number): bigint => {
  if (width === 32) {
    view.setFloat32(0, value)
    return BigInt(view.getUint32(0))
  }
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}
/** Rounds to a float sort; only the two sorts of C are folded. */
const round = (value: number, sort: Sort): number | undefined => {
  if (sort.kind !== 'float') return undefined
  if (sort.exponent === 11 && sort.significand === 53) return value
  return sort.exponent === 8 && sort.significand === 24 ? Math.fround(value) : undefined
}

/** The integer nearest in float32, rounding once: through a double it could round twice. */
const integerToFloat = (value: bigint, sort: Sort): number | undefined => {
  const double = Number(value)
  const single = round(double, sort)
  if (single === undefined || single === double || BigInt(double) === value) return single
  const exact = (candidate: number) => {
    const difference = BigInt(candidate) - value
    return difference < 0n ? -difference : difference
  }
  const step = 2 ** (Math.floor(Math.log2(Math.abs(single))) - 23)
  let best = single
  for (const other of [Math.fround(single - step), Math.fround(single + step)])
    if (exact(other) < exact(best)) best = other
  return best
}

const compareRational = (a: Rational, b: Rational): bigint => a.numerator * b.denominator - b.numerator * a.denominator

const signedDivision = (a: bigint, b: bigint, width: number): bigint =>
  b === 0n ? (a < 0n ? 1n : -1n) : BigInt.asUintN(width, a / b)

/** What the operator gives for these values, or undefined where the logic leaves it open. Result sort: `sort`. */
export const fold = (
  op: Operator,
  sort: Sort,
  index: number,
  values: readonly Value[],
  argSorts: readonly Sort[],
): Value | undefined => {
  const first = argSorts[0]
  switch (first?.kind) {
    case 'bv':
      return (
        foldBitVector(op, sort, index, values as readonly bigint[], first.width) ?? foldCore(op, sort, index, values)
      )
    case 'float':
      return foldFloat(op, sort, values as readonly number[], first) ?? foldCore(op, sort, index, values)
    default:
      return foldCore(op, sort, index, values)
  }
}

const foldCore = (op: Operator, sort: Sort, index: number, values: readonly Value[]): Value | undefined => {
  const [a, b, c] = values as readonly [Value, Value, Value]
  switch (op) {
    case 'not':
      return !a
    case 'and':
      return values.every((v) => v === true)
    case 'or':
      return values.some((v) => v === true)
    case '=':
      return sameValue(a, b)
    case 'ite':
      return a ? b : c
    case 'select':
      return arraySelect(a as ArrayValue, b)
    case 'store':
      return arrayStore(a as ArrayValue, b, c)
    case 'const-array':
      return { kind: 'array', otherwise: a, entries: new Map() }
    case 'int2bv':
      return BigInt.asUintN(sort.kind === 'bv' ? sort.width : index, a as bigint)
    case 'to_real':
      return rational(a as bigint, 1n)
    default:
      return typeof a === 'bigint'
        ? foldInteger(op, values as readonly bigint[])
        : typeof a === 'object' && a.kind === 'rational'
          ? foldRational(op, values as readonly Rational[])
          : undefined
  }
}

const foldInteger = (op: Operator, values: readonly bigint[]): Value | undefined => {
  const [a, b] = values as readonly [bigint, bigint]
  switch (op) {
    case '+':
      return values.reduce((x, y) => x + y)
    case '*':
      return values.reduce((x, y) => x * y)
    case '<=':
      return a <= b
    case '<':
      return a < b
    case 'div':
      return b === 0n ? undefined : euclideanDivision(a, b).quotient
    case 'mod':
      return b === 0n ? undefined : euclideanDivision(a, b).remainder
    default:
      return undefined
  }
}

const foldRational = (op: Operator, values: readonly Rational[]): Value | undefined => {
  const [a, b] = values as readonly [Rational, Rational]
  switch (op) {
    case '+':
      return values.reduce((x, y) =>
        rational(x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator),
      )
    case '*':
      return values.reduce((x, y) => rational(x.numerator * y.numerator, x.denominator * y.denominator))
    case '<=':
      return compareRational(a, b) <= 0n
    case '<':
      return compareRational(a, b) < 0n
    default:
      return undefined
  }
}

const foldBitVector = (
  op: Operator,
  sort: Sort,
  index: number,
  values: readonly bigint[],
  width: number,
): Value | undefined => {
  const [a, b] = values as readonly [bigint, bigint]
  const wrap = (value: bigint) => BigInt.asUintN(width, value)
  const signed = (value: bigint) => BigInt.asIntN(width, value)
  switch (op) {
    case 'bvadd':
      return wrap(values.reduce((x, y) => x + y))
    case 'bvmul':
      return wrap(values.reduce((x, y) => x * y))
    case 'bvneg':
      return wrap(-a)
    case 'bvnot':
      return wrap(~a)
    case 'bvand':
      return values.reduce((x, y) => x & y)
    case 'bvor':
      return values.reduce((x, y) => x | y)
    case 'bvxor':
      return values.reduce((x, y) => x ^ y)
    case 'bvudiv':
      return b === 0n ? wrap(-1n) : a / b
    case 'bvurem':
      return b === 0n ? a : a % b
    case 'bvsdiv':
      return wrap(signedDivision(signed(a), signed(b), width))
    case 'bvsrem':
      return b === 0n ? a : wrap(signed(a) % signed(b))
    case 'bvshl':
      return b >= BigInt(width) ? 0n : wrap(a << b)
    case 'bvlshr':
      return b >= BigInt(width) ? 0n : a >> b
    case 'bvashr':
      return wrap(signed(a) >> (b >= BigInt(width) ? BigInt(width) : b))
    case 'bvult':
      return a < b
    case 'bvule':
      return a <= b
    case 'bvslt':
      return signed(a) < signed(b)
    case 'bvsle':
      return signed(a) <= signed(b)
    case 'concat':
      return (a << BigInt((sort.kind === 'bv' ? sort.width : 0) - width)) | b
    case 'extract':
      return BigInt.asUintN(Math.floor(index / 65536) - (index % 65536) + 1, a >> BigInt(index % 65536))
    case 'zero_extend':
    case 'bv2nat':
      return a
    case 'sign_extend':
      return BigInt.asUintN(width + index, signed(a))
    case 'fp.from_bits':
      return width === 32 || width === 64 ? floatFromBits(a, width) : undefined
    case 'fp.from_signed':
      return integerToFloat(signed(a), sort)
    case 'fp.from_unsigned':
      return integerToFloat(a, sort)
    default:
      return undefined
  }
}

const foldFloat = (op: Operator, sort: Sort, values: readonly number[], from: Sort): Value | undefined => {
  const [a, b] = values as readonly [number, number]
  switch (op) {
    case 'fp.add':
      return round(a + b, sort)
    case 'fp.sub':
      return round(a - b, sort)
    case 'fp.mul':
      return round(a * b, sort)
    case 'fp.div':
      return round(a / b, sort)
    case 'fp.neg':
      return -a
    case 'fp.lt':
      return a < b
    case 'fp.leq':
      return a <= b
    case 'fp.eq':
      return a === b
    case 'fp.isNaN':
      return Number.isNaN(a)
    case 'fp.from_fp':
      return round(a, sort)
    case 'fp.to_bits':
      return from.kind !== 'float' || Number.isNaN(a) ? undefined : floatToBits(a, from.exponent + from.significand)
    case 'fp.to_signed':
    case 'fp.to_unsigned': {
      if (sort.kind !== 'bv' || !Number.isFinite(a)) return undefined
      const truncated = BigInt(Math.trunc(a))
      const wrapped = BigInt.asUintN(sort.width, truncated)
      const back = op === 'fp.to_signed' ? BigInt.asIntN(sort.width, wrapped) : wrapped
      return back === truncated ? wrapped : undefined
    }
    default:
      return undefined
  }
}
