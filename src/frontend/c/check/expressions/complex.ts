// Complex numbers (C11 6.2.5p11, GNU __complex__ of integers, too). A complex type is a record of two members, so that
// objects of it are laid out, copied, passed and returned as records are; what is computed with them is computed by parts,
// after each operand has been evaluated once. Real operands stay real (C11 G.5): x + z adds nothing to z's other part.
import type { Position } from '../../../../xcfa/index.js'
import type { CExpr, CRecord, CType, CVariable } from '../../ast.js'
import type { SyntaxNode } from '../../parse/index.js'
import { type Context, fail, unsupported } from '../context.js'
import {
  alignOf,
  BOOL,
  compatibleUnqualified,
  DOUBLE,
  FLOAT,
  INT,
  isArithmetic,
  isComplexRecord,
  sizeOf,
  typeName,
  unqualified,
} from '../types.js'
import { cast, commonType, constant, isLvalue, toValue } from './convert.js'
import { hiddenVariable, noteUse } from './expressions.js'
import { once } from './vectors.js'

/** The two parts of a value; a real number has one. */
interface Parts {
  readonly real: CExpr
  readonly imaginary: CExpr | undefined
}

type Operate = (op: string, left: CExpr, right: CExpr) => CExpr

export const complexType = (c: Context, of: CType, position: Position): CRecord => {
  const part = unqualified(of)
  const size = isArithmetic(part) ? sizeOf(part, c.target) : undefined
  if (size === undefined) return unsupported(`_Complex of type ${typeName(part)}`, position)
  return {
    ...{ kind: 'record', union: false, tag: `_Complex ${typeName(part)}`, complete: true },
    fields: [
      { name: '[real]', type: part, offset: 0 },
      { name: '[imaginary]', type: part, offset: size },
    ],
    ...{ size: 2 * size, align: alignOf(part, c.target) },
  }
}

export const isComplex = (type: CType): boolean => isComplexRecord(unqualified(type))

const partType = (type: CType): CType => {
  const plain = unqualified(type)
  return plain.kind === 'record' ? plain.fields[0]!.type : plain
}

const member = (complex: CExpr, index: 0 | 1): CExpr => {
  const field = (unqualified(complex.type) as CRecord).fields[index]!
  return { kind: 'member', record: complex, field, type: field.type, position: complex.position }
}

/** Both parts of a constant, such as 1.0 + 2.0i. */
const constantParts = (e: CExpr): Parts | undefined => {
  if (!isComplex(e.type)) return e.kind === 'constant' ? { real: e, imaginary: undefined } : undefined
  const entries = e.kind === 'load' && e.lvalue.kind === 'compound' ? e.lvalue.initializer : []
  const [real, imaginary] = entries.map(({ value }) => value)
  return real?.kind === 'constant' && imaginary?.kind === 'constant' ? { real, imaginary } : undefined
}

/** The scalars that a constant of a complex type is made of, for initialisers of static objects. */
export const constantEntries = (
  e: CExpr,
): readonly { readonly offset: number; readonly value: CExpr }[] | undefined => {
  const parts = isComplex(e.type) ? constantParts(e) : undefined
  if (!parts) return undefined
  const { fields } = unqualified(e.type) as CRecord
  return [parts.real, parts.imaginary!].map((value, index) => ({ offset: fields[index]!.offset, value }))
}

const partsOf = (c: Context, e: CExpr): Parts =>
  isComplex(e.type)
    ? { real: toValue(c, member(e, 0)), imaginary: toValue(c, member(e, 1)) }
    : { real: toValue(c, e), imaginary: undefined }

/** Computes with the parts of operands, each of which is evaluated once. */
const withParts = (c: Context, operands: readonly CExpr[], compute: (...parts: Parts[]) => CExpr): CExpr => {
  const known = operands.map(constantParts)
  if (known.every((parts) => parts !== undefined)) return compute(...known)
  return once(c, operands, (...kept) => compute(...kept.map((each) => partsOf(c, each))))
}

const build = (c: Context, part: CType, real: CExpr, imaginary: CExpr): CExpr => {
  const { position } = real
  const type = complexType(c, part, position)
  const variable: CVariable = { kind: 'variable', name: 'complex', type, position, storage: 'auto', addressTaken: true }
  const initializer = [real, imaginary].map((value, index) => ({
    offset: type.fields[index]!.offset,
    type: part,
    value: cast(c, value, part),
  }))
  return { kind: 'load', lvalue: { kind: 'compound', variable, initializer, type, position }, type, position }
}

/** 2.0i */
export const imaginaryLiteral = (c: Context, value: CExpr): CExpr =>
  build(c, value.type, cast(c, constant(0, INT, value.position), value.type), value)

// ---- conversions

/** From a real or complex number to a complex or real type (C11 6.3.1.6, 6.3.1.7). */
export const complexCast = (c: Context, e: CExpr, type: CType): CExpr => {
  const goal = unqualified(type)
  if (compatibleUnqualified(e.type, goal)) return e
  if (!isComplex(goal))
    return goal.kind === 'int' && goal.name === BOOL.name
      ? cast(c, isNotZero(c, e), goal)
      : cast(c, realPart(c, e), goal)
  const part = partType(goal)
  return withParts(c, [e], ({ real, imaginary }) => build(c, part, real, imaginary ?? constant(0, INT, e.position)))
}

/** Whether a conversion between these types is one of complex numbers. */
export const isComplexConversion = (from: CType, to: CType): boolean =>
  (isComplex(from) && (isComplex(to) || isArithmetic(to))) || (isComplex(to) && isArithmetic(from))

export const isNotZero = (c: Context, e: CExpr): CExpr =>
  withParts(c, [e], ({ real, imaginary }) => {
    const { position } = e
    const differs = (part: CExpr): CExpr => {
      const right = cast(c, constant(0, INT, position), part.type)
      return { kind: 'compare', op: '!=', left: part, right, type: INT, position }
    }
    if (!imaginary) return differs(real)
    return { kind: 'logical', op: '||', left: differs(real), right: differs(imaginary), type: INT, position }
  })

const realPart = (c: Context, e: CExpr): CExpr => withParts(c, [e], ({ real }) => real)

/** GNU __real__ and __imag__: lvalues of lvalues. */
export const complexPart = (c: Context, e: CExpr, which: 'real' | 'imaginary', node: SyntaxNode): CExpr => {
  if (isComplex(e.type)) {
    if (isLvalue(e)) return member(e, which === 'real' ? 0 : 1)
    return withParts(c, [e], ({ real, imaginary }) => (which === 'real' ? real : imaginary!))
  }
  if (!isArithmetic(e.type)) return fail(c, node, `__${which.slice(0, 4)}__ of '${typeName(e.type)}'`)
  const value = toValue(c, e)
  if (which === 'real') return e
  const zero = cast(c, constant(0, INT, e.position), value.type)
  return { kind: 'comma', left: value, right: zero, type: zero.type, position: e.position }
}

// ---- operators

/** The type of the parts of a result: as for real operands, but integers are not promoted, as in gcc. */
const commonPart = (c: Context, left: CExpr, right: CExpr): CType => {
  const sample = (e: CExpr): CExpr => ({ ...constant(0, partType(e.type), e.position) })
  const [a, b] = [sample(left), sample(right)]
  return compatibleUnqualified(a.type, b.type) ? unqualified(a.type) : commonType(c, a, b)
}

/** The common type of both branches of a conditional. */
export const commonComplex = (c: Context, left: CExpr, right: CExpr): CType =>
  complexType(c, commonPart(c, left, right), left.position)

export const complexBinary = (
  c: Context,
  node: SyntaxNode,
  op: string,
  [left, right]: readonly [CExpr, CExpr],
  operate: Operate,
): CExpr => {
  const isMeant = (type: CType): boolean => isComplex(type) || isArithmetic(type)
  const { position } = left
  if (!isMeant(left.type) || !isMeant(right.type) || !['+', '-', '*', '/', '==', '!='].includes(op))
    return fail(
      c,
      node,
      `invalid operands to binary ${op} (have '${typeName(left.type)}' and '${typeName(right.type)}')`,
    )
  if (op === '/' && isComplex(right.type)) return unsupported('division by a complex number', position)
  const part = commonPart(c, left, right)
  const converted = ({ real, imaginary }: Parts): Parts => ({
    real: cast(c, real, part),
    imaginary: imaginary && cast(c, imaginary, part),
  })
  return withParts(c, [left, right], (first, second) => {
    const [a, b] = [converted(first!), converted(second!)]
    if (op === '==' || op === '!=') return compared(c, op, a, b, operate)
    if (op === '*' && a.imaginary && b.imaginary) return product(c, part, a, b, operate)
    return build(c, part, operate(op, a.real, b.real), imaginaryOf(c, op, a, b, operate))
  })
}

const imaginaryOf = (c: Context, op: string, a: Parts, b: Parts, operate: Operate): CExpr => {
  if (op === '*' || op === '/')
    return a.imaginary ? operate(op, a.imaginary, b.real) : operate(op, a.real, b.imaginary!)
  if (a.imaginary && b.imaginary) return operate(op, a.imaginary, b.imaginary)
  if (a.imaginary) return a.imaginary
  return op === '+' ? b.imaginary! : negated(c, b.imaginary!)
}

const negated = (c: Context, e: CExpr): CExpr => {
  const { type, position } = e
  return e.kind === 'constant' && unqualified(type).kind === 'float'
    ? cast(c, constant(-Number(e.value), type, position), type)
    : { kind: 'unary', op: '-', operand: e, type, position }
}

const compared = (c: Context, op: '==' | '!=', a: Parts, b: Parts, operate: Operate): CExpr => {
  const { position, type } = a.real
  const zero = cast(c, constant(0, INT, position), type)
  const left = operate(op, a.real, b.real)
  const right = operate(op, a.imaginary ?? zero, b.imaginary ?? zero)
  return { kind: 'logical', op: op === '==' ? '&&' : '||', left, right, type: INT, position }
}

/** (a + bi)(c + di). Where both parts of that come out as NaN, the library has rules of its own (C11 G.5.1). */
const product = (c: Context, part: CType, a: Parts, b: Parts, operate: Operate): CExpr => {
  const real = operate('-', operate('*', a.real, b.real), operate('*', a.imaginary!, b.imaginary!))
  const imaginary = operate('+', operate('*', a.real, b.imaginary!), operate('*', a.imaginary!, b.real))
  if (unqualified(part).kind !== 'float' || (real.kind === 'constant' && imaginary.kind === 'constant'))
    return build(c, part, real, imaginary)
  const { position } = a.real
  return keeping(c, [real, imaginary], (...kept) => {
    const [left, right] = kept.map(
      (e): CExpr => ({ kind: 'compare', op: '!=', left: e, right: e, type: INT, position }),
    )
    const condition: CExpr = { kind: 'logical', op: '&&', left: left!, right: right!, type: INT, position }
    const [first, second] = kept.map((value, index): CExpr => {
      const infinite = cast(c, infiniteProduct(c, part, a, b, index), part)
      // biome-ignore lint/suspicious/noThenProperty: the branch of the tree, no promise
      return { kind: 'conditional', condition, then: infinite, else: value, type: part, position }
    })
    return build(c, part, first!, second!)
  })
}

/** Computes with values that are kept in variables. */
const keeping = (c: Context, values: readonly CExpr[], compute: (...kept: CExpr[]) => CExpr): CExpr => {
  const outer = c.function!.pending
  c.function!.pending = []
  const kept = values.map((value) => hiddenVariable(c, value, 'part'))
  const body = c.function!.pending
  c.function!.pending = outer
  const value = compute(...kept)
  return { kind: 'statements', body, value, type: value.type, position: value.position }
}

const infiniteProduct = (c: Context, part: CType, a: Parts, b: Parts, imaginary: number): CExpr => {
  const { position } = a.real
  const model = c.program.loadModel('__heddle_product')
  if (model?.kind !== 'function') return unsupported('a product of complex numbers', position)
  noteUse(c, model)
  const number = (value: number): CExpr => constant(value, INT, position)
  const isNarrow = compatibleUnqualified(part, FLOAT)
  const parts = [a.real, a.imaginary!, b.real, b.imaginary!].map((value) => cast(c, value, DOUBLE))
  const args = [...parts, number(imaginary), number(isNarrow ? 1 : 0)]
  const callee: CExpr = { kind: 'function', function: model, type: model.type, position }
  return { kind: 'call', callee, args, type: DOUBLE, position }
}

/** - and +; ~ conjugates. */
export const complexUnary = (c: Context, node: SyntaxNode, op: string, operand: CExpr): CExpr => {
  if (op === '+') return operand
  if (op !== '-' && op !== '~') return fail(c, node, `wrong type argument to unary '${op}'`)
  return withParts(c, [operand], ({ real, imaginary }) =>
    build(c, partType(operand.type), op === '-' ? negated(c, real) : real, negated(c, imaginary!)),
  )
}
