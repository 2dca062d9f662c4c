// Program expressions over mathematical integers. Unsigned integers are exact, by remainders modulo 2^w where
// intervals do not show them needless; signed ones are as long as the obligations hold, up to the first operation
// that breaks one. Pointers are non-negative and never wrap. Floats keep the solver's floating-point sorts.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Expr, Value } from '../expr.js'
import { byteSize, type Type } from '../types.js'
import { isSigned } from '../value.js'
import { compareShared, floatBinary, floatSortOf } from './bitvectors.js'
import { type Encoding, type EncodingOptions, type Environment, type Interval, NotExpressible } from './encoding.js'
import { bitwise, shiftCases } from './integer-bits.js'
import { type Bounds, type IntervalCache, intervalOf, operationInterval, typeInterval, within } from './intervals.js'

type BinaryExpr = Extract<Expr, { kind: 'binary' }>
const zero = logic.intConst(0)

const sortOf = (type: Type): logic.Sort => {
  switch (type.kind) {
    case 'bool':
      return logic.BOOL_SORT
    case 'float':
      return floatSortOf(type)
    case 'int':
    case 'pointer':
      return logic.INT_SORT
  }
}

const constant = (type: Type, value: Value): Term => {
  switch (type.kind) {
    case 'bool':
      return logic.boolConst(Number(value) !== 0)
    case 'float':
      return logic.floatConst(Number(value), floatSortOf(type))
    case 'int':
    case 'pointer':
      return logic.intConst(BigInt(value))
  }
}

const inInterval = (term: Term, { low, high }: Interval): Term =>
  logic.and(logic.le(logic.intConst(low), term), logic.le(term, logic.intConst(high)))

/** The value of the type with the same low bits, of a term that lies in the interval. */
const wrapTo = (type: Type, term: Term, interval: Interval): Term => {
  const all = typeInterval(type)
  if (within(interval, all)) return term
  const size = all.high - all.low + 1n
  const modulus = logic.intConst(size)
  if (within(interval, { low: all.low - size, high: all.high + size })) {
    const down =
      interval.high > all.high
        ? logic.ite(logic.lt(logic.intConst(all.high), term), logic.sub(term, modulus), term)
        : term
    return interval.low < all.low
      ? logic.ite(logic.lt(term, logic.intConst(all.low)), logic.add(term, modulus), down)
      : down
  }
  if (all.low === 0n) return logic.mod(term, modulus)
  const low = logic.intConst(all.low)
  return logic.add(logic.mod(logic.sub(term, low), modulus), low)
}

const convert = (from: Type, to: Type, term: Term, interval: Interval = typeInterval(from)): Term => {
  if (from.kind === 'bool') return to.kind === 'bool' ? term : logic.ite(term, constant(to, 1), constant(to, 0))
  const isTrue = (): Term =>
    from.kind === 'float'
      ? logic.not(logic.fpEq(term, logic.floatConst(0, floatSortOf(from))))
      : logic.not(logic.eq(term, zero))
  if (to.kind === 'bool') return isTrue()
  if (to.kind === 'int' && to.width === 1 && !to.signed)
    return within(interval, { low: 0n, high: 1n }) && from.kind !== 'float'
      ? term
      : logic.ite(isTrue(), logic.intConst(1), zero)
  if (from.kind === 'float' && to.kind === 'float') return logic.fpFromFp(term, floatSortOf(to))
  if (from.kind === 'float' || to.kind === 'float')
    throw new NotExpressible('a conversion between integers and floats in integer arithmetic')
  return wrapTo(to, term, interval)
}

const reinterpret = (from: Type, to: Type, term: Term): Term => {
  if (sortOf(from) === sortOf(to) && from.kind !== 'int' && from.kind !== 'pointer') return term
  if (from.kind === 'float' || to.kind === 'float')
    throw new NotExpressible('the bits of a float in integer arithmetic')
  if (to.kind === 'bool') return logic.eq(logic.mod(term, logic.intConst(2)), logic.intConst(1))
  return from.kind === 'bool' ? convert(from, to, term) : wrapTo(to, term, typeInterval(from))
}

/** Towards zero, as C divides; by zero it gives 0. */
const quotient = (a: Term, b: Term, { low }: Interval): Term => {
  const exact =
    low >= 0n ? logic.div(a, b) : logic.ite(logic.le(zero, a), logic.div(a, b), logic.neg(logic.div(logic.neg(a), b)))
  return logic.ite(logic.eq(b, zero), zero, exact)
}

/** With the sign of the dividend; by zero it gives the dividend. */
const remainder = (a: Term, b: Term, { low }: Interval): Term => {
  const exact =
    low >= 0n ? logic.mod(a, b) : logic.ite(logic.le(zero, a), logic.mod(a, b), logic.neg(logic.mod(logic.neg(a), b)))
  return logic.ite(logic.eq(b, zero), a, exact)
}

/** Where obligations are collected: the condition under which the expression is evaluated, and the list. */
interface Collector {
  readonly guard: Term
  readonly found: Term[]
}

class IntegerTerms {
  constructor(
    private readonly environment: Environment,
    private readonly bounds: Bounds,
    private readonly intervals: IntervalCache,
    private readonly wrapping: boolean,
  ) {}

  term(e: Expr, collect?: Collector): Term {
    switch (e.kind) {
      case 'const':
        return constant(e.type, e.value)
      case 'var':
        return this.environment(e.variable)
      case 'unary':
        return this.unary(e, collect)
      case 'binary':
        return this.binary(e, collect)
      case 'compare': {
        const left = this.term(e.left, collect)
        const right = this.term(e.right, collect)
        const shared = compareShared(e.op, e.left.type, left, right)
        return shared ?? (e.op === 'lt' ? logic.lt(left, right) : logic.le(left, right))
      }
      case 'not':
        return logic.not(this.term(e.arg, collect))
      case 'and':
      case 'or':
        return this.junction(e, collect)
      case 'ite': {
        const condition = this.term(e.condition, collect)
        const then = this.term(e.then, guarded(collect, condition))
        const otherwise = this.term(e.else, guarded(collect, logic.not(condition)))
        return logic.ite(condition, then, otherwise)
      }
      case 'cast':
        return convert(e.arg.type, e.type, this.term(e.arg, collect), this.intervalOf(e.arg))
      case 'bitcast':
        return reinterpret(e.arg.type, e.type, this.term(e.arg, collect))
    }
  }

  private intervalOf(e: Expr): Interval {
    return intervalOf(e, this.bounds, this.intervals, this.wrapping)
  }

  /** C evaluates the next operand only if the ones before leave it open. */
  private junction(e: Extract<Expr, { kind: 'and' | 'or' }>, collect: Collector | undefined): Term {
    const args: Term[] = []
    let before = collect
    for (const arg of e.args) {
      const value = this.term(arg, before)
      args.push(value)
      before = guarded(before, e.kind === 'and' ? value : logic.not(value))
    }
    return e.kind === 'and' ? logic.and(args) : logic.or(args)
  }

  /** Signed: the mathematical result, with an obligation, unless it is to wrap. Unsigned: wrapped. */
  private finish(type: Type, result: Term, interval: Interval | undefined, collect: Collector | undefined): Term {
    if (type.kind === 'pointer') return result
    const all = typeInterval(type)
    if (interval && within(interval, all)) return result
    if (!isSigned(type))
      return interval ? wrapTo(type, result, interval) : logic.mod(result, logic.intConst(all.high + 1n))
    if (this.wrapping) return wrapTo(type, result, interval ?? { low: all.low << 64n, high: all.high << 64n })
    collect?.found.push(logic.implies(collect.guard, inInterval(result, all)))
    return result
  }

  private unary(e: Extract<Expr, { kind: 'unary' }>, collect: Collector | undefined): Term {
    const arg = this.term(e.arg, collect)
    if (e.type.kind === 'float') return logic.fpNeg(arg)
    const { low, high } = this.intervalOf(e.arg)
    if (e.op === 'neg') return this.finish(e.type, logic.neg(arg), { low: -high, high: -low }, collect)
    const greatest = isSigned(e.type) ? -1n : typeInterval(e.type).high
    return logic.sub(logic.intConst(greatest), arg)
  }

  private binary(e: BinaryExpr, collect: Collector | undefined): Term {
    const left = this.term(e.left, collect)
    const right = this.term(e.right, collect)
    if (e.type.kind === 'float') return floatBinary(e, left, right)
    const a = this.intervalOf(e.left)
    const b = this.intervalOf(e.right)
    const interval = operationInterval(e.op, a, b)
    switch (e.op) {
      case 'add':
        return this.finish(e.type, logic.add(left, right), interval, collect)
      case 'sub':
        return this.finish(e.type, logic.sub(left, right), interval, collect)
      case 'mul':
        return this.finish(e.type, logic.mul(left, right), interval, collect)
      case 'div':
        // Only the least value divided by -1 leaves the type; unsigned division never does.
        return isSigned(e.type) && b.low <= -1n && b.high >= -1n
          ? this.finish(e.type, quotient(left, right, a), undefined, collect)
          : quotient(left, right, a)
      case 'rem':
        return remainder(left, right, a)
      case 'bitand':
      case 'bitor':
      case 'bitxor':
        return bitwise(e.op, left, right, [a, b])
      case 'shl':
      case 'shr':
        return this.shift(e, left, right, [a, b], collect)
    }
  }

  private shift(
    e: BinaryExpr,
    left: Term,
    right: Term,
    [a, b]: readonly [Interval, Interval],
    collect: Collector | undefined,
  ): Term {
    const all = typeInterval(e.type)
    const width = BigInt((all.high - all.low).toString(2).length)
    const shifted = shiftCases(right, b, width, (k) => {
      if (k < 0n || k >= width) {
        const outside = e.op === 'shr' && isSigned(e.type)
        return outside ? logic.ite(logic.lt(left, zero), logic.intConst(-1), zero) : zero
      }
      const factor = logic.intConst(1n << k)
      return e.op === 'shr' ? logic.div(left, factor) : logic.mul(left, factor)
    })
    return e.op === 'shr' ? shifted : this.finish(e.type, shifted, operationInterval('shl', a, b), collect)
  }
}

const guarded = (collect: Collector | undefined, condition: Term): Collector | undefined =>
  collect && { guard: logic.and(collect.guard, condition), found: collect.found }

export const integerEncoding = (options: EncodingOptions = {}): Encoding => {
  const bounds: Bounds = options.bounds ?? (() => undefined)
  const intervals: IntervalCache = new WeakMap()
  const wrapping = options.wrapping ?? false
  const bytesOf = (type: Type, term: Term): readonly Term[] => {
    if (type.kind === 'float') throw new NotExpressible('the bytes of a float in integer arithmetic')
    const whole = type.kind === 'bool' ? convert(type, { kind: 'int', width: 8, signed: false }, term) : term
    const size = byteSize(type)
    if (size === 1 && !isSigned(type)) return [whole]
    return Array.from({ length: size }, (_, i) =>
      logic.mod(logic.div(whole, logic.intConst(1n << BigInt(8 * i))), logic.intConst(256)),
    )
  }
  return {
    arithmetic: 'int',
    wraps: wrapping,
    addressSort: logic.INT_SORT,
    sortOf,
    regionSort: ({ element }) =>
      logic.arraySort(logic.INT_SORT, element === 'bytes' ? logic.INT_SORT : sortOf(element)),
    constant,
    term: (e, environment) => new IntegerTerms(environment, bounds, intervals, wrapping).term(e),
    obligations: (e, environment) => {
      const collector: Collector = { guard: logic.TRUE, found: [] }
      new IntegerTerms(environment, bounds, intervals, wrapping).term(e, collector)
      return collector.found.filter((condition) => condition !== logic.TRUE)
    },
    inRange: (type, term) =>
      type.kind === 'bool' || type.kind === 'float' ? logic.TRUE : inInterval(term, typeInterval(type)),
    reinterpret,
    convert: (from, to, term) => convert(from, to, term),
    toBytes: bytesOf,
    fromBytes: (type, bytes) => {
      if (type.kind === 'float') throw new NotExpressible('the bytes of a float in integer arithmetic')
      const whole = logic.add(...bytes.map((byte, i) => logic.mul(logic.intConst(1n << BigInt(8 * i)), byte)))
      const interval = { low: 0n, high: (1n << BigInt(8 * bytes.length)) - 1n }
      if (type.kind === 'bool') return logic.eq(logic.mod(whole, logic.intConst(2)), logic.intConst(1))
      return wrapTo(type, whole, interval)
    },
  }
}
