// From a model of a formula to values of the program, as a trace has them.
import { toSigned } from '../logic/index.js'
import type { Type, Value } from '../xcfa/index.js'

/** A value of the logic as one of the program: a number where it is exact, otherwise a bigint. */
export const programValue = (type: Type, value: unknown): Value => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'bigint') return Number(value)
  const exact = type.kind === 'int' && type.signed && value >= 0n ? toSigned(value, type.width) : value
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact
}
