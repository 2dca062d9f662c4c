// Values of registers and writes as expressions over what reads return. Simplification is only what makes false
// dependencies (`xor r,r`) constants; dependencies themselves are tracked apart, by syntax.
import type { Operator } from '../../frontend/litmus/test.js'

export type SymbolicValue =
  | { readonly kind: 'constant'; readonly value: bigint }
  | { readonly kind: 'read'; readonly read: ReadEvent }
  | {
      readonly kind: 'operation'
      readonly operator: Operator
      readonly operands: readonly SymbolicValue[]
      readonly width: number
    }

/** A read event, as far as values are concerned. */
export interface ReadEvent {
  readonly size: number
}

export const constantOf = (value: bigint): SymbolicValue => ({ kind: 'constant', value: BigInt.asUintN(64, value) })

export const readOf = (read: ReadEvent): SymbolicValue => ({ kind: 'read', read })

export const sameSymbol = (a: SymbolicValue, b: SymbolicValue): boolean => {
  if (a === b) return true
  switch (a.kind) {
    case 'constant':
      return b.kind === 'constant' && a.value === b.value
    case 'read':
      return b.kind === 'read' && a.read === b.read
    case 'operation':
      return (
        b.kind === 'operation' &&
        a.operator === b.operator &&
        a.width === b.width &&
        a.operands.every((operand, i) => sameSymbol(operand, b.operands[i]!))
      )
  }
}

/** How many low bits can be set. */
const bitsOf = (symbol: SymbolicValue): number => {
  switch (symbol.kind) {
    case 'constant':
      return symbol.value.toString(2).length
    case 'read':
      return symbol.read.size * 8
    case 'operation':
      return /^[=!<>]=?u?$/.test(symbol.operator) ? 1 : symbol.operator === 'sext' ? 64 : Math.min(symbol.width, 64)
  }
}

const isZero = (symbol: SymbolicValue): boolean => symbol.kind === 'constant' && symbol.value === 0n

export const operationOf = (operator: Operator, operands: readonly SymbolicValue[], width: number): SymbolicValue => {
  if (operands.every((operand) => operand.kind === 'constant'))
    return constantOf(
      compute(
        operator,
        operands.map((operand) => (operand as { readonly value: bigint }).value),
        width,
      ),
    )
  const [a, b] = operands as readonly [SymbolicValue, SymbolicValue]
  const narrow = (symbol: SymbolicValue): SymbolicValue =>
    bitsOf(symbol) <= width ? symbol : operationOf('zext', [symbol], width)
  switch (operator) {
    case 'zext':
      if (bitsOf(a) <= width) return a
      break
    case 'sext':
      if (a.kind === 'operation' && a.operator === 'sext' && a.width <= width) return a
      break
    case '^':
    case '-':
      if (sameSymbol(a, b)) return constantOf(0n)
      if (isZero(b)) return narrow(a)
      break
    case '+':
    case '|':
      if (isZero(b)) return narrow(a)
      if (isZero(a)) return narrow(b)
      break
    case '&':
    case '*':
      if (isZero(a) || isZero(b)) return constantOf(0n)
      break
    case '<<':
    case '>>>':
      if (isZero(b)) return narrow(a)
      break
    case '==':
      if (sameSymbol(a, b)) return constantOf(1n)
      // "(a == b) == 0" is "a != b".
      if (isZero(b) && a.kind === 'operation' && (a.operator === '==' || a.operator === '!='))
        return operationOf(a.operator === '==' ? '!=' : '==', a.operands, a.width)
      break
    case '<=':
    case '>=':
    case '<=u':
    case '>=u':
      if (sameSymbol(a, b)) return constantOf(1n)
      break
    case '!=':
    case '<':
    case '>':
    case '<u':
    case '>u':
      if (sameSymbol(a, b)) return constantOf(0n)
      break
  }
  return { kind: 'operation', operator, operands, width }
}

const compute = (operator: Operator, values: readonly bigint[], width: number): bigint => {
  const unsigned = values.map((value) => BigInt.asUintN(width, value))
  const signed = values.map((value) => BigInt.asIntN(width, value))
  const [a, b] = unsigned as [bigint, bigint]
  const [sa, sb] = signed as [bigint, bigint]
  const wrap = (value: bigint): bigint => BigInt.asUintN(width, value)
  const truth = (value: boolean): bigint => (value ? 1n : 0n)
  const shift = (value: bigint): bigint => value % BigInt(width)
  switch (operator) {
    case '+':
      return wrap(a + b)
    case '-':
      return wrap(a - b)
    case '*':
      return wrap(a * b)
    // Division by zero has no meaning in the tests' languages; zero is what the machines deliver.
    case '/':
      return sb === 0n ? 0n : wrap(sa / sb)
    case '%':
      return sb === 0n ? 0n : wrap(sa % sb)
    case '&':
      return a & b
    case '|':
      return a | b
    case '^':
      return wrap(a ^ b)
    case '<<':
      return wrap(a << shift(b))
    case '>>':
      return wrap(sa >> shift(b))
    case '>>>':
      return a >> shift(b)
    case '==':
      return truth(a === b)
    case '!=':
      return truth(a !== b)
    case '<':
      return truth(sa < sb)
    case '<=':
      return truth(sa <= sb)
    case '>':
      return truth(sa > sb)
    case '>=':
      return truth(sa >= sb)
    case '<u':
      return truth(a < b)
    case '<=u':
      return truth(a <= b)
    case '>u':
      return truth(a > b)
    case '>=u':
      return truth(a >= b)
    case 'sext':
      return BigInt.asUintN(64, sa)
    case 'zext':
      return a
  }
}

/** The value, if all reads that matter are known. */
export const knownValue = (symbol: SymbolicValue, known: ReadonlyMap<ReadEvent, bigint>): bigint | undefined => {
  switch (symbol.kind) {
    case 'constant':
      return symbol.value
    case 'read':
      return known.get(symbol.read)
    case 'operation': {
      const values: bigint[] = []
      for (const operand of symbol.operands) {
        const value = knownValue(operand, known)
        if (value === undefined) return undefined
        values.push(value)
      }
      return BigInt.asUintN(64, compute(symbol.operator, values, symbol.width))
    }
  }
}

/** The reads that a value depends on. */
export const readsIn = (symbol: SymbolicValue): readonly ReadEvent[] => {
  switch (symbol.kind) {
    case 'constant':
      return []
    case 'read':
      return [symbol.read]
    case 'operation':
      return symbol.operands.flatMap(readsIn)
  }
}
