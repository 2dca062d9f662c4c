// Bit operations on mathematical integers, where division and remainder by powers of two say the same: constant
// masks, shifts by constants, operands of one bit. Everything else is NotExpressible.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { type Interval, NotExpressible } from './encoding.js'

/** A mask with more runs of ones than this is not worth its divisions. */
const RUN_LIMIT = 4
/** A shift by so many possible counts is a case split; by more it is not expressible. */
const SHIFT_CASES = 8n

const power = (k: bigint): bigint => 1n << k

/** Runs of ones of a non-negative mask: from which bit, how many. */
const runsOf = (mask: bigint): readonly { from: bigint; length: bigint }[] => {
  const runs: { from: bigint; length: bigint }[] = []
  let rest = mask
  let position = 0n
  while (rest > 0n) {
    while ((rest & 1n) === 0n) {
      rest >>= 1n
      position++
    }
    const from = position
    while ((rest & 1n) === 1n) {
      rest >>= 1n
      position++
    }
    runs.push({ from, length: position - from })
  }
  return runs
}

/** Bits [from, from + length) of a value in two's complement, in their place. */
const bitRun = (a: Term, from: bigint, length: bigint, interval: Interval): Term => {
  const shifted = from === 0n ? a : logic.div(a, logic.intConst(power(from)))
  const covers = interval.low >= 0n && interval.high < power(from + length)
  const bits = covers ? shifted : logic.mod(shifted, logic.intConst(power(length)))
  return logic.mul(logic.intConst(power(from)), bits)
}

/** `a & mask` for any integer mask: a negative one clears bits. */
const andMask = (a: Term, mask: bigint, interval: Interval): Term => {
  if (mask < 0n) return logic.sub(a, andMask(a, -mask - 1n, interval))
  const runs = runsOf(mask)
  if (runs.length === 0) return logic.intConst(0)
  if (runs.length > RUN_LIMIT) throw new NotExpressible(`the mask ${mask} in integer arithmetic`)
  return logic.add(...runs.map(({ from, length }) => bitRun(a, from, length, interval)))
}

const isBit = (interval: Interval): boolean => interval.low >= 0n && interval.high <= 1n

const constantOf = (term: Term): bigint | undefined => (term.op === 'const' ? (term.value as bigint) : undefined)

export const bitwise = (
  op: 'bitand' | 'bitor' | 'bitxor',
  a: Term,
  b: Term,
  intervals: readonly [Interval, Interval],
): Term => {
  const left = constantOf(a)
  if (left !== undefined && constantOf(b) === undefined) return bitwise(op, b, a, [intervals[1], intervals[0]])
  const mask = constantOf(b)
  if (mask !== undefined) return withConstant(op, a, mask, intervals[0])
  if (a === b) return op === 'bitxor' ? logic.intConst(0) : a
  if (!isBit(intervals[0]) || !isBit(intervals[1])) throw new NotExpressible(`${op} of two variables as integers`)
  const isOne = logic.eq(a, logic.intConst(1))
  switch (op) {
    case 'bitand':
      return logic.ite(isOne, b, logic.intConst(0))
    case 'bitor':
      return logic.ite(isOne, logic.intConst(1), b)
    case 'bitxor':
      return logic.ite(isOne, logic.sub(logic.intConst(1), b), b)
  }
}

const withConstant = (op: 'bitand' | 'bitor' | 'bitxor', a: Term, mask: bigint, interval: Interval): Term => {
  const common = andMask(a, mask, interval)
  switch (op) {
    case 'bitand':
      return common
    case 'bitor':
      return logic.sub(logic.add(a, logic.intConst(mask)), common)
    case 'bitxor':
      return logic.sub(logic.add(a, logic.intConst(mask)), logic.mul(logic.intConst(2), common))
  }
}

/** The cases of a shift count: each count with its condition. */
export const shiftCases = (count: Term, interval: Interval, width: bigint, shiftBy: (k: bigint) => Term): Term => {
  const exact = constantOf(count)
  if (exact !== undefined) return shiftBy(exact)
  const { low, high } = interval
  if (low < 0n || high >= width || high - low >= SHIFT_CASES)
    throw new NotExpressible('a shift by a variable in integer arithmetic')
  let result = shiftBy(high)
  for (let k = high - 1n; k >= low; k--) result = logic.ite(logic.eq(count, logic.intConst(k)), shiftBy(k), result)
  return result
}
