// Arithmetic of concrete values against the definition by bigints: exact result, then its low bits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BinaryOp,
  binaryValue,
  bitcastValue,
  castValue,
  compareValue,
  FLOAT,
  intType,
  type Type,
  unaryValue,
  type Value,
  wrap,
} from '../../src/xcfa/index.js'

const low = (width: number, signed: boolean, exact: bigint): bigint =>
  signed ? BigInt.asIntN(width, exact) : BigInt.asUintN(width, exact)

/** By the definitions in expr.ts, with nothing shared with the implementation. */
const reference = (op: BinaryOp, width: number, signed: boolean, a: bigint, b: bigint): bigint => {
  const overWide = b < 0n || b >= BigInt(width)
  const exact: Record<BinaryOp, () => bigint> = {
    add: () => a + b,
    sub: () => a - b,
    mul: () => a * b,
    div: () => (b === 0n ? 0n : a / b),
    rem: () => (b === 0n ? a : a % b),
    shl: () => (overWide ? 0n : a << b),
    shr: () => (overWide ? (a < 0n ? -1n : 0n) : a >> b),
    bitand: () => a & b,
    bitor: () => a | b,
    bitxor: () => a ^ b,
  }
  return low(width, signed, exact[op]())
}

const operations: readonly BinaryOp[] = ['add', 'sub', 'mul', 'div', 'rem', 'shl', 'shr', 'bitand', 'bitor', 'bitxor']

const isCanonical = (value: Value): boolean =>
  typeof value === 'number'
    ? Number.isSafeInteger(value) && !Object.is(value, -0)
    : !Number.isSafeInteger(Number(value))

const agree = (op: BinaryOp, width: number, signed: boolean, a: bigint, b: bigint): void => {
  const type = intType(width, signed)
  const result = binaryValue(op, type, wrap(type, a), wrap(type, b))
  if (!isCanonical(result) || BigInt(result) !== reference(op, width, signed, a, b))
    throw new Error(`${op} of ${a} and ${b} as ${signed ? 'int' : 'uint'}${width} gave ${result}`)
}

describe('arithmetic of concrete values', () => {
  it('is exact for all pairs of 8-bit and 3-bit values', () => {
    for (const width of [3, 8])
      for (const signed of [false, true]) {
        const count = 1n << BigInt(width)
        for (let a = 0n; a < count; a++)
          for (let b = 0n; b < count; b++)
            for (const op of operations) agree(op, width, signed, low(width, signed, a), low(width, signed, b))
      }
    expect(true).toBe(true)
  })

  it('is exact for every width from 1 to 64', () => {
    // Values near powers of two are where wrapping and the change from number to bigint go wrong.
    const near = fc.tuple(fc.integer({ min: 0, max: 64 }), fc.bigInt(-2n, 2n), fc.boolean())
    const interesting = fc.oneof(
      near.map(([power, delta, negative]) => (negative ? -1n : 1n) * (1n << BigInt(power)) + delta),
      fc.bigInt(-(1n << 64n), 1n << 64n),
      fc.bigInt(-100n, 100n),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        fc.oneof(fc.constantFrom(32, 64), fc.integer({ min: 1, max: 64 })),
        fc.boolean(),
        interesting,
        interesting,
        (op, width, signed, a, b) => agree(op, width, signed, low(width, signed, a), low(width, signed, b)),
      ),
      { numRuns: 40_000, seed: 1 },
    )
  })

  it('negates and complements with wrapping', () => {
    for (const width of [8, 32, 64])
      for (const signed of [false, true]) {
        const type = intType(width, signed)
        for (const power of [0n, 7n, 31n, 53n, 63n])
          for (const delta of [-1n, 0n, 1n]) {
            const a = low(width, signed, (1n << power) + delta)
            expect(BigInt(unaryValue('neg', type, wrap(type, a)))).toBe(low(width, signed, -a))
            expect(BigInt(unaryValue('bitnot', type, wrap(type, a)))).toBe(low(width, signed, ~a))
          }
      }
  })

  it('compares by the signedness of the type', () => {
    const unsigned = intType(32, false)
    const signed = intType(32, true)
    expect(compareValue('lt', unsigned, wrap(unsigned, -1), wrap(unsigned, 1))).toBe(false)
    expect(compareValue('lt', signed, wrap(signed, -1), wrap(signed, 1))).toBe(true)
    const wide = intType(64, false)
    expect(compareValue('lt', wide, 5, wrap(wide, -1))).toBe(true)
    expect(compareValue('eq', FLOAT[64], Number.NaN, Number.NaN)).toBe(false)
    expect(compareValue('ne', FLOAT[64], Number.NaN, Number.NaN)).toBe(true)
    expect(compareValue('eq', FLOAT[64], 0, -0)).toBe(true)
  })
})

describe('conversions', () => {
  const int = intType(32, true)
  const long = intType(64, true)
  const unsignedLong = intType(64, false)
  const convert = (from: Type, to: Type, value: Value): Value => castValue(from, to, value)

  it('wrap and extend integers', () => {
    expect(convert(int, intType(8, true), 200)).toBe(-56)
    expect(convert(int, unsignedLong, -1)).toBe(18446744073709551615n)
    expect(convert(unsignedLong, int, 18446744073709551615n)).toBe(-1)
    expect(convert(intType(32, false), long, 4294967295)).toBe(4294967295)
  })

  it('to _Bool mean "not zero"', () => {
    const bool = intType(1, false)
    expect(convert(int, bool, 256)).toBe(1)
    expect(convert(FLOAT[64], bool, 0.25)).toBe(1)
    expect(convert(FLOAT[64], bool, -0)).toBe(0)
    expect(convert(FLOAT[64], bool, Number.NaN)).toBe(1)
  })

  it('from floats truncate towards zero, and give 0 out of range', () => {
    expect(convert(FLOAT[64], int, -2.9)).toBe(-2)
    expect(Object.is(convert(FLOAT[64], int, -0.5), 0)).toBe(true)
    expect(convert(FLOAT[64], int, 2147483648)).toBe(0)
    expect(convert(FLOAT[64], int, Number.POSITIVE_INFINITY)).toBe(0)
    expect(convert(FLOAT[64], long, 2 ** 62)).toBe(4611686018427387904n)
  })

  it('from integers to float round once', () => {
    // 2^54 + 2^30 + 1 lies just above the middle between two floats: rounding first to double would lose the 1.
    const justAbove = 2n ** 54n + 2n ** 30n + 1n
    expect(convert(long, FLOAT[32], justAbove)).toBe(2 ** 54 + 2 ** 31)
    expect(convert(long, FLOAT[32], -justAbove)).toBe(-(2 ** 54 + 2 ** 31))
    expect(convert(long, FLOAT[32], 2n ** 54n + 2n ** 30n)).toBe(2 ** 54)
    expect(convert(unsignedLong, FLOAT[64], 18446744073709551615n)).toBe(2 ** 64)
  })

  it('of bits go through memory', () => {
    expect(bitcastValue(FLOAT[32], intType(32, false), 1)).toBe(0x3f800000)
    expect(bitcastValue(FLOAT[64], unsignedLong, -0)).toBe(9223372036854775808n)
    expect(bitcastValue(int, FLOAT[32], -1082130432)).toBe(-1)
    expect(bitcastValue(long, FLOAT[64], 4607182418800017408n)).toBe(1)
  })

  it('float arithmetic rounds to its width', () => {
    expect(binaryValue('add', FLOAT[32], 16777216, 1)).toBe(16777216)
    expect(binaryValue('add', FLOAT[64], 16777216, 1)).toBe(16777217)
    expect(binaryValue('div', FLOAT[64], 1, 0)).toBe(Number.POSITIVE_INFINITY)
  })
})
