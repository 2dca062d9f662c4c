// Expressions as functions of a frame's variables. Those of 32 bits, which are most, have functions of their own.
import {
  type BinaryOp,
  bitcastValue,
  type Expr,
  isSigned,
  type Type,
  unaryValue,
  type Variable,
} from '../../xcfa/index.js'
import { isKnown, type Maybe, partialBinary, partialCast, partialCompare } from './value.js'

export type Get = (locals: Maybe[]) => Maybe

/** Where the variables of a procedure, and those of the program, are kept. */
export interface Scope {
  readonly globals: Maybe[]
  readonly globalIndex: ReadonlyMap<Variable, number>
  readonly localIndex: ReadonlyMap<Variable, number>
}

export const compileExpr = (scope: Scope, e: Expr): Get => {
  switch (e.kind) {
    case 'const': {
      const { value } = e
      return () => value
    }
    case 'var':
      return variable(scope, e.variable)
    case 'unary': {
      const arg = compileExpr(scope, e.arg)
      const { op, type } = e
      return (locals) => {
        const value = arg(locals)
        return isKnown(value) ? unaryValue(op, type, value) : undefined
      }
    }
    case 'binary':
      return binary(e.op, e.type, compileExpr(scope, e.left), compileExpr(scope, e.right))
    case 'compare': {
      const [left, right] = [compileExpr(scope, e.left), compileExpr(scope, e.right)]
      const { op } = e
      const { type } = e.left
      return (locals) => {
        const [a, b] = [left(locals), right(locals)]
        if (typeof a !== 'number' || typeof b !== 'number') return partialCompare(op, type, a, b)
        return (op === 'eq' ? a === b : op === 'ne' ? a !== b : op === 'lt' ? a < b : a <= b) ? 1 : 0
      }
    }
    case 'not': {
      const arg = compileExpr(scope, e.arg)
      return (locals) => {
        const value = arg(locals)
        return value === undefined ? undefined : value === 0 ? 1 : 0
      }
    }
    case 'and':
    case 'or':
      return connective(
        e.kind,
        e.args.map((arg) => compileExpr(scope, arg)),
      )
    case 'ite': {
      const [condition, then, otherwise] = [e.condition, e.then, e.else].map((part) => compileExpr(scope, part))
      return (locals) => {
        const value = condition!(locals)
        return value === undefined ? undefined : value === 0 ? otherwise!(locals) : then!(locals)
      }
    }
    case 'cast': {
      const arg = compileExpr(scope, e.arg)
      const [from, to] = [e.arg.type, e.type]
      return (locals) => partialCast(from, to, arg(locals))
    }
    case 'bitcast': {
      const arg = compileExpr(scope, e.arg)
      const [from, to] = [e.arg.type, e.type]
      return (locals) => {
        const value = arg(locals)
        return isKnown(value) ? bitcastValue(from, to, value) : undefined
      }
    }
  }
}

const variable = ({ globals, globalIndex, localIndex }: Scope, v: Variable): Get => {
  const local = localIndex.get(v)
  if (local !== undefined) return (locals) => locals[local]
  const index = globalIndex.get(v)
  if (index === undefined) throw new Error(`variable ${v.name} is nowhere`)
  return () => globals[index]
}

const connective = (kind: 'and' | 'or', args: readonly Get[]): Get => {
  const absorbing = kind === 'and' ? 0 : 1
  return (locals) => {
    let result: Maybe = 1 - absorbing
    for (const arg of args) {
      const value = arg(locals)
      if (value === absorbing) return absorbing
      if (value === undefined) result = undefined
    }
    return result
  }
}

const binary = (op: BinaryOp, type: Type, left: Get, right: Get): Get => {
  const word = type.kind === 'int' && type.width === 32 ? wordOperation(op, isSigned(type)) : undefined
  if (word)
    return (locals) => {
      const [a, b] = [left(locals), right(locals)]
      return typeof a === 'number' && typeof b === 'number' ? word(a, b) : partialBinary(op, type, a, b)
    }
  return (locals) => partialBinary(op, type, left(locals), right(locals))
}

const wordOperation = (op: BinaryOp, signed: boolean): ((a: number, b: number) => number) | undefined => {
  switch (op) {
    case 'add':
      return signed ? (a, b) => (a + b) | 0 : (a, b) => (a + b) >>> 0
    case 'sub':
      return signed ? (a, b) => (a - b) | 0 : (a, b) => (a - b) >>> 0
    case 'mul':
      return signed ? (a, b) => Math.imul(a, b) : (a, b) => Math.imul(a, b) >>> 0
    case 'bitand':
      return signed ? (a, b) => a & b : (a, b) => (a & b) >>> 0
    case 'bitor':
      return signed ? (a, b) => a | b : (a, b) => (a | b) >>> 0
    case 'bitxor':
      return signed ? (a, b) => a ^ b : (a, b) => (a ^ b) >>> 0
    default:
      return undefined
  }
}
