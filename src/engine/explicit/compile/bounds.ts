// Bounds of values, as far as a layout's ranges tell: arithmetic whose result fits needs no wrapping, comparisons that
// always come out the same way need no code. Only safe integers; no bounds means that nothing is known.
import { type BinaryOp, rangeOf, type Type } from '../../../xcfa/index.js'
import type { Domain } from './range.js'

export interface Bounds {
  readonly low: number
  readonly high: number
}

export const exactly = (value: number): Bounds => ({ low: value, high: value })
export const TRUTH: Bounds = { low: 0, high: 1 }

/** All values of the type, where they are safe integers. */
export const typeBounds = (type: Type): Bounds | undefined => {
  if (type.kind === 'bool') return TRUTH
  if (type.kind === 'float' || type.width > 52) return undefined
  const { low, high } = rangeOf(type)
  return { low: Number(low), high: Number(high) }
}

export const domainBounds = (domain: Domain, type: Type): Bounds | undefined =>
  domain.kind === 'range' ? { low: domain.low, high: domain.high } : typeBounds(type)

export const within = (inner: Bounds, outer: Bounds): boolean => inner.low >= outer.low && inner.high <= outer.high

/** Whether every value between the bounds is one of the type. */
export const fits = (bounds: Bounds, type: Type): boolean => {
  if (type.kind === 'float') return false
  const all = typeBounds(type)
  if (all) return within(bounds, all)
  const isSigned = type.kind === 'int' && type.signed
  return bounds.low >= (isSigned ? -Number.MAX_SAFE_INTEGER : 0) && bounds.high <= Number.MAX_SAFE_INTEGER
}

export const isInt32 = ({ low, high }: Bounds): boolean => low >= -(2 ** 31) && high < 2 ** 31

export const union = (a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined =>
  a && b && { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }

/** Bounds of the mathematical result; undefined where they are not simple. */
export const resultBounds = (op: BinaryOp, a: Bounds, b: Bounds): Bounds | undefined => {
  switch (op) {
    case 'add':
      return { low: a.low + b.low, high: a.high + b.high }
    case 'sub':
      return { low: a.low - b.high, high: a.high - b.low }
    case 'mul': {
      const products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high].map((product) => product + 0)
      return { low: Math.min(...products), high: Math.max(...products) }
    }
    case 'rem':
      if (a.low < 0 || b.low <= 0) return undefined
      if (a.low === a.high && b.low === b.high) return exactly(a.low % b.low)
      return a.high < b.low ? a : { low: 0, high: Math.min(a.high, b.high - 1) }
    case 'div':
      return a.low >= 0 && b.low > 0 ? { low: Math.floor(a.low / b.high), high: Math.floor(a.high / b.low) } : undefined
    case 'bitand':
      return a.low >= 0 && b.low >= 0 ? { low: 0, high: Math.min(a.high, b.high) } : undefined
    default:
      return undefined
  }
}
