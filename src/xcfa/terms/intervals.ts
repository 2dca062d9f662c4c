// Which values an expression can have, by types and what is known of variables: cheap, and often enough to see that
// an operation does not overflow and that a conversion changes nothing. Signed results are taken to lie in their
// type, which the obligations of the encoding ensure.
import type { Expr } from '../expr.js'
import type { Variable } from '../model.js'
import type { Type } from '../types.js'
import { rangeOf } from '../value.js'
import type { Interval } from './encoding.js'

export type Bounds = (v: Variable) => Interval | undefined

export const within = (inner: Interval, outer: Interval): boolean => inner.low >= outer.low && inner.high <= outer.high

export const typeInterval = (type: Type): Interval => (type.kind === 'float' ? { low: 0n, high: -1n } : rangeOf(type))

const meet = (a: Interval, b: Interval): Interval => ({
  low: a.low > b.low ? a.low : b.low,
  high: a.high < b.high ? a.high : b.high,
})

/** All values of both, and what lies between them. */
export const hull = (a: Interval, b: Interval): Interval => ({
  low: a.low < b.low ? a.low : b.low,
  high: a.high > b.high ? a.high : b.high,
})

const hullOf = (values: readonly bigint[]): Interval => ({
  low: values.reduce((a, b) => (a < b ? a : b)),
  high: values.reduce((a, b) => (a > b ? a : b)),
})

/** The mathematical result of an operation on all values of two intervals; undefined: anything. */
export const operationInterval = (op: string, a: Interval, b: Interval): Interval | undefined => {
  switch (op) {
    case 'add':
      return { low: a.low + b.low, high: a.high + b.high }
    case 'sub':
      return { low: a.low - b.high, high: a.high - b.low }
    case 'mul':
      return hullOf([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high])
    case 'div':
      return divisionInterval(a, b)
    case 'rem': {
      if (a.low < 0n || b.low <= 0n) return undefined
      return { low: 0n, high: a.high < b.high - 1n ? a.high : b.high - 1n }
    }
    case 'bitand':
      if (a.low >= 0n && b.low >= 0n) return { low: 0n, high: a.high < b.high ? a.high : b.high }
      if (b.low >= 0n) return { low: 0n, high: b.high }
      return a.low >= 0n ? { low: 0n, high: a.high } : undefined
    case 'bitor':
    case 'bitxor': {
      if (a.low < 0n || b.low < 0n) return undefined
      const bits = (a.high > b.high ? a.high : b.high).toString(2).length
      return { low: 0n, high: (1n << BigInt(bits)) - 1n }
    }
    case 'shl':
      return b.low >= 0n && b.high < 64n
        ? hullOf([a.low << b.low, a.low << b.high, a.high << b.low, a.high << b.high])
        : undefined
    case 'shr':
      return b.low >= 0n && b.high < 64n
        ? hullOf([a.low >> b.low, a.low >> b.high, a.high >> b.low, a.high >> b.high])
        : undefined
    default:
      return undefined
  }
}

const divisionInterval = (a: Interval, b: Interval): Interval | undefined =>
  b.low > 0n ? hullOf([a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high, 0n]) : undefined

/** Intervals found before, for one `bounds`: nested expressions are asked for again and again. */
export type IntervalCache = WeakMap<Expr, Interval>

/** The values of an integer, pointer or truth expression. */
export const intervalOf = (
  e: Expr,
  bounds: Bounds,
  cache: IntervalCache = new WeakMap(),
  wrapping = false,
): Interval => {
  let interval = cache.get(e)
  if (!interval) cache.set(e, (interval = computeInterval(e, bounds, cache, wrapping)))
  return interval
}

/** `wrapping`: signed operations wrap, too. */
const computeInterval = (e: Expr, bounds: Bounds, cache: IntervalCache, wrapping: boolean): Interval => {
  const all = typeInterval(e.type)
  const inner = (part: Expr): Interval => intervalOf(part, bounds, cache, wrapping)
  switch (e.kind) {
    case 'const':
      return e.type.kind === 'float' ? all : { low: BigInt(e.value), high: BigInt(e.value) }
    case 'var': {
      const known = bounds(e.variable)
      return known ? meet(known, all) : all
    }
    case 'binary': {
      if (e.type.kind === 'float') return all
      const result = operationInterval(e.op, inner(e.left), inner(e.right))
      if (!result) return all
      // Unsigned results outside the type wrap to anywhere in it; signed ones stay by their obligation.
      const stays = e.type.kind === 'int' && e.type.signed && !wrapping
      return within(result, all) ? result : stays ? meet(result, all) : all
    }
    case 'unary': {
      if (e.type.kind === 'float' || e.op !== 'neg') return all
      const { low, high } = inner(e.arg)
      const result = { low: -high, high: -low }
      return within(result, all) ? result : all
    }
    case 'ite':
      return e.type.kind === 'float' ? all : hull(inner(e.then), inner(e.else))
    case 'cast': {
      if (e.arg.type.kind === 'float' || e.type.kind === 'float') return all
      const before = inner(e.arg)
      return within(before, all) ? before : all
    }
    default:
      return all
  }
}
