// What an encoding of program values into the logic offers. Two of them: `bv` is exact (it wraps as -fwrapv does);
// `int` takes signed integers as mathematical ones and says under which conditions (obligations) that is exact.
import type { ArraySort, Sort, Term } from '../../logic/index.js'
import type { Expr, Value } from '../expr.js'
import type { Region, Variable } from '../model.js'
import type { Type } from '../types.js'

export type Arithmetic = 'bv' | 'int'

/** The meaning of a variable at the place where an expression is evaluated. */
export type Environment = (v: Variable) => Term

/** This arithmetic has no term for an expression: take the other one, or say UNKNOWN. */
export class NotExpressible extends Error {
  constructor(readonly what: string) {
    super(`not expressible: ${what}`)
  }
}

export interface Interval {
  readonly low: bigint
  readonly high: bigint
}

export interface EncodingOptions {
  /** What is known of a variable besides its type; must hold wherever it is used. */
  readonly bounds?: (v: Variable) => Interval | undefined
  /** Bits of an address: 32 or 64. Default 64. */
  readonly pointerWidth?: 32 | 64
  /** Integers only: signed operations wrap as unsigned ones do, so that nothing is left to show. Default false. */
  readonly wrapping?: boolean
}

export interface Encoding {
  readonly arithmetic: Arithmetic
  /** Every value is one of its type: operations wrap, signed ones, too. */
  readonly wraps: boolean
  readonly addressSort: Sort
  sortOf(type: Type): Sort
  regionSort(region: Region): ArraySort
  constant(type: Type, value: Value): Term
  term(e: Expr, environment: Environment): Term
  /**
   * Conditions under which every signed operation in the expression stays in its type, each implied by what guards
   * the operation. Those that intervals show are left out. Always empty for `bv`, which wraps.
   */
  obligations(e: Expr, environment: Environment): readonly Term[]
  /** The term is a value of the type: TRUE where the sort says so already. */
  inRange(type: Type, term: Term): Term
  /** A value of one type as another of the same bytes in memory, low bits first. */
  reinterpret(from: Type, to: Type, term: Term): Term
  /** A value of type `from` converted as C does it. */
  convert(from: Type, to: Type, term: Term): Term
  /** The value as bytes, little endian, and back. */
  toBytes(type: Type, term: Term): readonly Term[]
  fromBytes(type: Type, bytes: readonly Term[]): Term
}
