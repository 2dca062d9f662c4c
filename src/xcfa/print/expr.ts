// Types, values and expressions in C-like syntax, with as few parentheses as C's precedence allows.
import type { BinaryOp, CompareOp, Expr, Type, Value } from '../index.js'

/** Names for addresses, so that constants of pointer type read as `&x`. */
export type AddressName = (address: Value) => string | undefined

export const typeText = (type: Type): string => {
  switch (type.kind) {
    case 'int':
      return intText(type.width, type.signed)
    case 'pointer':
      return 'void *'
    case 'float':
      return type.width === 32 ? 'float' : 'double'
    case 'bool':
      return 'bool'
  }
}

const INTEGERS: Readonly<Record<number, string>> = { 8: 'char', 16: 'short', 32: 'int', 64: 'long' }

const intText = (width: number, signed: boolean): string => {
  if (width === 1 && !signed) return '_Bool'
  const name = INTEGERS[width]
  if (!name) return `${signed ? '' : 'u'}int${width}`
  if (width === 8) return signed ? 'signed char' : 'unsigned char'
  return signed ? name : `unsigned ${name}`
}

const BINARY: Readonly<Record<BinaryOp, readonly [string, number]>> = {
  mul: ['*', 10],
  div: ['/', 10],
  rem: ['%', 10],
  add: ['+', 9],
  sub: ['-', 9],
  shl: ['<<', 8],
  shr: ['>>', 8],
  bitand: ['&', 5],
  bitxor: ['^', 4],
  bitor: ['|', 3],
}
const COMPARE: Readonly<Record<CompareOp, readonly [string, number]>> = {
  lt: ['<', 7],
  le: ['<=', 7],
  eq: ['==', 6],
  ne: ['!=', 6],
}
const UNARY = 11

const noName: AddressName = () => undefined

/** `level`: how tightly the context binds; a weaker operator gets parentheses. */
export const exprText = (expr: Expr, nameOf: AddressName = noName, level = 0): string => {
  const wrap = (strength: number, text: string): string => (strength < level ? `(${text})` : text)
  const part = (e: Expr, at: number): string => exprText(e, nameOf, at)
  switch (expr.kind) {
    case 'const':
      return valueText(expr.value, expr.type, nameOf)
    case 'var':
      return expr.variable.name
    case 'unary':
      return wrap(UNARY, `${expr.op === 'neg' ? '-' : '~'}${part(expr.arg, UNARY + 1)}`)
    case 'not':
      return wrap(UNARY, `!${part(expr.arg, UNARY)}`)
    case 'cast':
      return wrap(UNARY, `(${typeText(expr.type)})${part(expr.arg, UNARY)}`)
    case 'bitcast':
      return `bits<${typeText(expr.type)}>(${part(expr.arg, 0)})`
    case 'binary':
    case 'compare': {
      const [symbol, strength] = expr.kind === 'binary' ? BINARY[expr.op] : COMPARE[expr.op]
      return wrap(strength, `${part(expr.left, strength)} ${symbol} ${part(expr.right, strength + 1)}`)
    }
    case 'and':
    case 'or': {
      const strength = expr.kind === 'and' ? 2 : 1
      if (expr.args.length === 0) return expr.kind === 'and' ? 'true' : 'false'
      return expr.args.length === 1
        ? part(expr.args[0]!, level)
        : wrap(strength, expr.args.map((arg) => part(arg, strength + 1)).join(expr.kind === 'and' ? ' && ' : ' || '))
    }
    case 'ite':
      return wrap(0.5, `${part(expr.condition, 1)} ? ${part(expr.then, 1)} : ${part(expr.else, 0.5)}`)
  }
}

export const valueText = (value: Value, type: Type, nameOf: AddressName = noName): string => {
  if (type.kind === 'bool') return value ? 'true' : 'false'
  if (type.kind === 'pointer') return value ? (nameOf(value) ?? `0x${value.toString(16)}`) : 'NULL'
  if (type.kind === 'float' && Number.isInteger(value)) return `${value}.0`
  return Object.is(value, -0) ? '-0' : String(value)
}
