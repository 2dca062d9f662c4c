// Values that are sums: a constant, and symbols times coefficients, in the width of addresses. A narrower value is one
// symbol plus a constant, which wraps at its own width: extended to the width of addresses it is a symbol of its own, since
// extending keeps different values different, not their distances. Pointers do not wrap (types.ts).
import type { Expr } from './expr.js'
import type { Variable } from './model.js'
import type { Type } from './types.js'
import { wrap } from './value.js'

export type Linear = Constant | Narrow | Sum

interface Constant {
  readonly kind: 'constant'
  readonly value: number
}

/** `symbol` plus `offset`, in so many bits. */
interface Narrow {
  readonly kind: 'narrow'
  readonly symbol: string
  readonly offset: number
  readonly width: number
}

export interface Sum {
  readonly kind: 'sum'
  readonly constant: number
  readonly parts: ReadonlyMap<string, Part>
}

interface Part {
  readonly coefficient: number
  readonly symbol: string
  /** What is extended to the width of addresses; undefined: the symbol itself. */
  readonly narrow: Narrow | undefined
}

/** What a variable is; undefined: nothing is known of it. */
export type Meaning = (variable: Variable) => Linear | undefined

/** `wide`: bits of an address. */
export const linearOf = (e: Expr, meaning: Meaning, wide: number): Linear | undefined => {
  const of = (part: Expr): Linear | undefined => linearOf(part, meaning, wide)
  switch (e.kind) {
    case 'const':
      return e.type.kind === 'int' || e.type.kind === 'pointer' ? constant(e.type, e.value) : undefined
    case 'var':
      return meaning(e.variable)
    case 'cast':
    case 'bitcast': {
      const inner = of(e.arg)
      return inner && converted(inner, e.arg.type, e.type, wide)
    }
    case 'binary': {
      const [left, right] = [of(e.left), of(e.right)]
      return left && right && combined(e, left, right, wide)
    }
    default:
      return undefined
  }
}

/** A symbol of a type. */
export const symbolOf = (symbol: string, type: Type, wide: number): Linear | undefined => {
  const width = widthOf(type)
  if (width === wide) return { kind: 'sum', constant: 0, parts: new Map([[symbol, part(symbol, 1)]]) }
  return width !== undefined && width > 1 && width < wide ? { kind: 'narrow', symbol, offset: 0, width } : undefined
}

/** A value in the width of addresses as a sum. */
export const asSum = (value: Linear | undefined): Sum | undefined => {
  if (value?.kind === 'constant') return { kind: 'sum', constant: value.value, parts: new Map() }
  return value?.kind === 'sum' ? value : undefined
}

const part = (symbol: string, coefficient: number, narrow?: Narrow): Part => ({ coefficient, symbol, narrow })

const widthOf = (type: Type): number | undefined =>
  type.kind === 'int' || type.kind === 'pointer' ? type.width : undefined

const constant = (type: Type, value: number | bigint): Constant | undefined => {
  const signed = typeof value === 'bigint' ? Number(BigInt.asIntN(widthOf(type) ?? 64, value)) : value
  return Number.isSafeInteger(signed) ? { kind: 'constant', value: signed } : undefined
}

const converted = (value: Linear, from: Type, to: Type, wide: number): Linear | undefined => {
  const [before, after] = [widthOf(from), widthOf(to)]
  if (before === undefined || after === undefined || after === 1) return undefined
  switch (value.kind) {
    case 'constant':
      return constant(to, wrap(to, value.value))
    case 'narrow': {
      if (after === before) return value
      if (after !== wide) return undefined
      const key = `${from.kind === 'int' && from.signed ? 's' : 'z'}:${value.symbol}+${value.offset}`
      return { kind: 'sum', constant: 0, parts: new Map([[key, part(value.symbol, 1, value)]]) }
    }
    case 'sum': {
      if (after === wide) return value
      const [only, ...others] = value.parts.values()
      const isExtended = only && others.length === 0 && value.constant === 0 && only.coefficient === 1
      return isExtended && only.narrow?.width === after ? only.narrow : undefined
    }
  }
}

const combined = (
  { op, type }: Extract<Expr, { kind: 'binary' }>,
  left: Linear,
  right: Linear,
  wide: number,
): Linear | undefined => {
  if (widthOf(type) !== wide) return inNarrow(op, left, right)
  if (right.kind === 'constant' && (op === 'mul' || op === 'shl')) {
    if (op === 'shl' && (right.value < 0 || right.value > 30)) return undefined
    return times(asSum(left), op === 'mul' ? right.value : 2 ** right.value, wide)
  }
  if (left.kind === 'constant' && op === 'mul') return times(asSum(right), left.value, wide)
  const [a, b] = [asSum(left), asSum(right)]
  if (!a || !b || (op !== 'add' && op !== 'sub')) return undefined
  return plus(a, b, op === 'add' ? 1 : -1, wide)
}

const inNarrow = (op: string, left: Linear, right: Linear): Linear | undefined => {
  if (op === 'add' && left.kind === 'constant' && right.kind === 'narrow') return inNarrow(op, right, left)
  if (left.kind !== 'narrow' || right.kind !== 'constant' || (op !== 'add' && op !== 'sub')) return undefined
  const offset = left.offset + (op === 'add' ? right.value : -right.value)
  return { ...left, offset: Number(BigInt.asIntN(left.width, BigInt(offset))) }
}

const times = (sum: Sum | undefined, factor: number, wide: number): Sum | undefined =>
  sum && plus({ kind: 'sum', constant: 0, parts: new Map() }, sum, factor, wide)

const plus = (a: Sum, b: Sum, factor: number, wide: number): Sum | undefined => {
  const parts = new Map(a.parts)
  for (const [key, p] of b.parts)
    parts.set(key, { ...p, coefficient: p.coefficient * factor + (parts.get(key)?.coefficient ?? 0) })
  return wrapped(a.constant + b.constant * factor, parts, wide)
}

/** Numbers are taken as signed ones: adding the largest one is subtracting 1. */
const wrapped = (constant: number, parts: ReadonlyMap<string, Part>, wide: number): Sum | undefined => {
  const signed = (value: number): number =>
    Number.isSafeInteger(value) ? Number(BigInt.asIntN(wide, BigInt(value))) : Number.NaN
  const all = [...parts].map(([key, p]) => [key, { ...p, coefficient: signed(p.coefficient) }] as const)
  if (![signed(constant), ...all.map(([, p]) => p.coefficient)].every(Number.isSafeInteger)) return undefined
  return { kind: 'sum', constant: signed(constant), parts: new Map(all.filter(([, p]) => p.coefficient !== 0)) }
}
