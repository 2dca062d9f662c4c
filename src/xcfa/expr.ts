// Expressions over program variables: typed, free of side effects, total. They mean what C means under -fwrapv:
// integer results wrap to their type. Memory is read by labels (model.ts), never inside an expression.
//
// Totality: division by zero yields 0, remainder by zero yields the dividend, an over-wide shift yields 0 (or the
// sign), a float out of range converts to 0. The front end guards these cases, so the values never matter.
import type { Variable } from './model.js'
import type { BoolType, Type } from './types.js'

/**
 * A concrete value. Integers and pointers: a number if it is a safe integer, otherwise a bigint (64-bit types only);
 * truth values: 0 or 1; floats: a number.
 */
export type Value = number | bigint

export type UnaryOp = 'neg' | 'bitnot'
export type BinaryOp = 'add' | 'sub' | 'mul' | 'div' | 'rem' | 'shl' | 'shr' | 'bitand' | 'bitor' | 'bitxor'
export type CompareOp = 'eq' | 'ne' | 'lt' | 'le'

export type Expr =
  /** `from`: an integer that was computed from these addresses, so that points-to analysis knows its objects. */
  | { readonly kind: 'const'; readonly type: Type; readonly value: Value; readonly from?: readonly Value[] }
  | { readonly kind: 'var'; readonly type: Type; readonly variable: Variable }
  /** Operand and result have type `type`. */
  | { readonly kind: 'unary'; readonly op: UnaryOp; readonly type: Type; readonly arg: Expr }
  /**
   * Both operands and the result have type `type`, with two exceptions: a shift's right operand has any integer type;
   * `add`/`sub` on a pointer take a signed integer of the pointer's width, in bytes, on the right. (A difference of
   * pointers is a `sub` of both cast to integers.)
   * `within`: this is the offset of an element of an array, from 0 to below so many bytes. Points-to
   * analysis relies on it; everybody else may drop it.
   */
  | {
      readonly kind: 'binary'
      readonly op: BinaryOp
      readonly type: Type
      readonly left: Expr
      readonly right: Expr
      readonly within?: number
    }
  /** Both operands have the same type; signedness of the comparison is theirs. */
  | {
      readonly kind: 'compare'
      readonly op: CompareOp
      readonly type: BoolType
      readonly left: Expr
      readonly right: Expr
    }
  | { readonly kind: 'not'; readonly type: BoolType; readonly arg: Expr }
  | { readonly kind: 'and' | 'or'; readonly type: BoolType; readonly args: readonly Expr[] }
  | { readonly kind: 'ite'; readonly type: Type; readonly condition: Expr; readonly then: Expr; readonly else: Expr }
  /**
   * Conversion by value as C does it: integers wrap or extend; to bool (and to width 1 unsigned, C's `_Bool`) is
   * "not zero"; bool to integer is 0 or 1; floats truncate towards zero; integers and pointers convert by value.
   */
  | { readonly kind: 'cast'; readonly type: Type; readonly arg: Expr }
  /** The same bits as another type of the same width (memory reinterpreted). */
  | { readonly kind: 'bitcast'; readonly type: Type; readonly arg: Expr }

/** Children of an expression, in evaluation order. */
export const children = (e: Expr): readonly Expr[] => {
  switch (e.kind) {
    case 'const':
    case 'var':
      return []
    case 'unary':
    case 'not':
    case 'cast':
    case 'bitcast':
      return [e.arg]
    case 'binary':
    case 'compare':
      return [e.left, e.right]
    case 'and':
    case 'or':
      return e.args
    case 'ite':
      return [e.condition, e.then, e.else]
  }
}
