// Numbers that divide every value of an offset: a[3 * i] lies at multiples of 12 bytes. Arithmetic wraps, and a wrapped
// multiple of 3 need not be one (3 * 1431655766 is 2 modulo 2^32), so a factor survives a wrap only as far as it is a
// power of two. Whether an operation can wrap is decided by the ranges of the operands' types.
import { gcd } from '../../../logic/gcd.js'
import type { Expr } from '../../expr.js'
import { rangeOf } from '../../value.js'

/** A number that the factor divides, somewhere between low and high; the expression equals it modulo its width. */
interface Multiple {
  readonly factor: number
  readonly low: bigint
  readonly high: bigint
}

/**
 * A number that divides every value of the expression, a term of an address. The term's own multiplication is that of C's
 * indexing: an offset too large for the address space lies in no object, so that it may count as exact.
 */
export const factorOf = (term: Expr, pointerWidth: number): number => {
  const { factor } = outermost(term, pointerWidth)
  return factor === 0 ? 1 : factor
}

const outermost = (e: Expr, width: number): Multiple => {
  if (e.kind === 'cast' && isWide(e, width) && isWide(e.arg, width)) return outermost(e.arg, width)
  if (e.kind !== 'binary' || e.op !== 'mul' || !isWide(e, width)) return multipleOf(e, width)
  return product(multipleOf(e.left, width), multipleOf(e.right, width))
}

const isWide = (e: Expr, width: number): boolean => e.type.kind === 'int' && e.type.width >= width

const multipleOf = (e: Expr, width: number): Multiple => {
  if (e.kind === 'const' && e.type.kind !== 'float') {
    const value = BigInt(e.value)
    const least = isWide(e, width) && value >= 1n << BigInt(width - 1) ? value - (1n << BigInt(width)) : value
    return { factor: Math.abs(Number(least)), low: least, high: least }
  }
  return fitted(unwrapped(e, width), e, width)
}

/** What the expression is before it wraps to its type. */
const unwrapped = (e: Expr, width: number): Multiple => {
  switch (e.kind) {
    case 'cast':
      return e.type.kind === 'int' && e.arg.type.kind === 'int' ? multipleOf(e.arg, width) : anyOf(e)
    case 'unary':
      return e.op === 'neg' ? negated(multipleOf(e.arg, width)) : anyOf(e)
    case 'ite': {
      const [then, otherwise] = [multipleOf(e.then, width), multipleOf(e.else, width)]
      const factor = gcd(then.factor, otherwise.factor)
      return { factor, low: least(then.low, otherwise.low), high: greatest(then.high, otherwise.high) }
    }
    case 'binary': {
      if (e.type.kind !== 'int') return anyOf(e)
      const left = multipleOf(e.left, width)
      if (e.op === 'mul') return product(left, multipleOf(e.right, width))
      if (e.op === 'add') return sum(left, multipleOf(e.right, width))
      if (e.op === 'sub') return sum(left, negated(multipleOf(e.right, width)))
      const by =
        e.op === 'shl' && e.right.kind === 'const' && e.right.value < 31 ? 2 ** Number(e.right.value) : undefined
      return by === undefined ? anyOf(e) : product(left, { factor: by, low: BigInt(by), high: BigInt(by) })
    }
    default:
      return anyOf(e)
  }
}

/** Any value of the expression's type. */
const anyOf = (e: Expr): Multiple => {
  if (e.type.kind !== 'int') return { factor: 1, low: 0n, high: (1n << 64n) - 1n }
  const { low, high } = rangeOf(e.type)
  return { factor: 1, low: BigInt(low), high: BigInt(high) }
}

const sum = (a: Multiple, b: Multiple): Multiple => ({
  factor: gcd(a.factor, b.factor),
  low: a.low + b.low,
  high: a.high + b.high,
})

const negated = ({ factor, low, high }: Multiple): Multiple => ({ factor, low: -high, high: -low })

const product = (a: Multiple, b: Multiple): Multiple => {
  const ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
  return { factor: a.factor * b.factor, low: ends.reduce(least), high: ends.reduce(greatest) }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/**
 * The multiple, where it is a value of the type; otherwise what a wrap leaves of it. Addresses wrap like types of their
 * width: there a negative number and its unsigned form are the same offset.
 */
const fitted = (multiple: Multiple, e: Expr, width: number): Multiple => {
  if (e.type.kind !== 'int') return multiple
  const { low, high } = rangeOf(e.type)
  const wide = isWide(e, width)
  const floor = wide ? -(1n << BigInt(e.type.width - 1)) : BigInt(low)
  const ceiling = wide ? (1n << BigInt(e.type.width)) - 1n : BigInt(high)
  if (multiple.low >= floor && multiple.high <= ceiling) return multiple
  return { factor: powerOfTwoIn(multiple.factor, e.type.width), low: BigInt(low), high: BigInt(high) }
}

/** The greatest power of two that divides the factor, at most 2^width; of 0 that is 0. */
const powerOfTwoIn = (factor: number, width: number): number => {
  if (factor === 0 || !Number.isSafeInteger(factor)) return factor === 0 ? 0 : 1
  let power = 1
  while (factor % (2 * power) === 0 && power < 2 ** width) power *= 2
  return power
}

/** The greatest of the factors that the expression is a sum of: how far it moves in one step, if nothing wraps. */
export const widestOf = (expr: Expr): number => {
  switch (expr.kind) {
    case 'const':
      return Math.abs(Number(expr.value))
    case 'cast':
      return widestOf(expr.arg)
    case 'unary':
      return expr.op === 'neg' ? widestOf(expr.arg) : 1
    case 'ite':
      return Math.max(widestOf(expr.then), widestOf(expr.else), 1)
    case 'binary':
      if (expr.op === 'add' || expr.op === 'sub') return Math.max(widestOf(expr.left), widestOf(expr.right))
      if (expr.op === 'mul') return widestOf(expr.left) * widestOf(expr.right) || 1
      return expr.op === 'shl' && expr.right.kind === 'const' && expr.right.value < 31
        ? widestOf(expr.left) * 2 ** Number(expr.right.value)
        : 1
    default:
      return 1
  }
}
