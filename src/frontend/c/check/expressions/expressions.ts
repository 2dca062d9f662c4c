// Expressions: names resolved, types computed, conversions made explicit, constants folded (C11 6.5).
// `checkExpression` leaves lvalues, arrays and functions as they are; `checkValue` converts them to values.
import type { Position, Value } from '../../../../xcfa/index.js'
import type { CExpr, CType, CVariable } from '../../ast.js'
import { child, field, namedChildren, type SyntaxNode, type SyntaxTree } from '../../parse/index.js'
import {
  type Context,
  type CSymbol,
  fail,
  failure,
  labelNamed,
  labelOwner,
  lookup,
  positionOf,
  suggestion,
  textOf,
  unsupported,
} from '../context.js'
import { findMember } from '../declarations/layout.js'
import { captured } from '../declarations/nested.js'
import { checkStatementExpression } from '../statements.js'
import {
  arrayOf,
  CHAR,
  INT,
  isInteger,
  isScalar,
  pointerTo,
  qualifiersOf,
  qualify,
  typeName,
  unqualified,
  VOID,
} from '../types.js'
import { checkCall } from './calls.js'
import { complexPart, complexUnary, imaginaryLiteral } from './complex.js'
import { constant, isLvalue, refuseExotic, takeAddress, toValue } from './convert.js'
import { parseCharacter, parseNumber, parseStrings } from './literals.js'
import {
  checkAssignment,
  checkBinary,
  checkConditional,
  checkIncrement,
  checkSubscript,
  checkUnary,
  makeBinary,
} from './operators.js'
import { checkAlignof, checkCast, checkCompoundLiteral, checkGeneric, checkSizeof } from './type-expressions.js'
import { isZero } from './values.js'

const MAX_DEPTH = 1000

export const checkValue = (c: Context, node: SyntaxNode): CExpr => toValue(c, checkExpression(c, node))

export const checkExpression = (c: Context, node: SyntaxNode): CExpr => {
  if (c.depth > MAX_DEPTH) fail(c, node, `nested too deeply (more than ${MAX_DEPTH} levels)`)
  c.depth++
  const result = dispatch(c, node)
  c.depth--
  return result
}

const dispatch = (c: Context, node: SyntaxNode): CExpr => {
  switch (node.type) {
    case 'identifier':
    case 'true':
    case 'false':
    case 'null':
    case 'type_identifier':
    case 'primitive_type':
      return checkIdentifier(c, node)
    case 'number_literal':
      return checkNumber(c, node)
    case 'char_literal': {
      const literal = parseCharacter(textOf(c, node)) ?? fail(c, node, 'malformed character constant')
      return constant(literal.value, literal.type, positionOf(c, node))
    }
    case 'string_literal':
    case 'concatenated_string':
      return checkString(c, node)
    case 'parenthesized_expression':
      return checkParentheses(c, node)
    case 'extension_expression':
      return checkExpression(c, namedChildren(node)[0]!)
    case 'binary_expression':
      return checkBinary(c, node)
    case 'unary_expression':
      return checkUnary(c, node)
    case 'update_expression':
      return checkIncrement(c, node)
    case 'assignment_expression':
      return checkAssignment(c, node)
    case 'conditional_expression':
      return checkConditional(c, node)
    case 'comma_expression':
      return checkComma(c, node)
    case 'pointer_expression':
      return checkPointer(c, node)
    case 'label_address_expression':
      return checkLabelAddress(c, node)
    case 'subscript_expression':
      return checkSubscript(c, node)
    case 'field_expression':
      return checkMember(c, node)
    case 'call_expression':
      return checkCall(c, node)
    case 'cast_expression':
      return checkCast(c, node)
    case 'compound_literal_expression':
      return checkCompoundLiteral(c, node)
    case 'sizeof_expression':
      return checkSizeof(c, node)
    case 'alignof_expression':
      return checkAlignof(c, node)
    case 'generic_expression':
      return checkGeneric(c, node)
    case 'gnu_asm_expression':
      return unsupported('inline assembly', positionOf(c, node))
    case 'initializer_list':
      return fail(c, node, "expected an expression before '{'")
    default:
      return fail(c, node, `expected an expression before '${textOf(c, node).slice(0, 30)}'`)
  }
}

// ---- primary expressions

const BUILTIN_CONSTANTS: Readonly<Record<string, number>> = { true: 1, TRUE: 1, false: 0, FALSE: 0 }

const checkIdentifier = (c: Context, node: SyntaxNode): CExpr => {
  const name = textOf(c, node)
  const position = positionOf(c, node)
  const symbol = lookup(c, name)
  if (!symbol) return checkPredefined(c, node, name)
  switch (symbol.kind) {
    case 'variable': {
      noteUse(c, symbol)
      const outside = captured(c, name, symbol, node)
      if (outside) return outside
      return { kind: 'variable', variable: symbol, type: symbol.type, position }
    }
    case 'function':
      noteUse(c, symbol)
      return { kind: 'function', function: symbol, type: symbol.type, position }
    case 'enumerator':
      return constant(symbol.value, symbol.type, position)
    case 'typedef':
      return fail(c, node, `expected an expression, but '${name}' is a type`)
  }
}

export const noteUse = (c: Context, symbol: CSymbol): void => {
  if (c.unevaluated > 0 || (symbol.kind !== 'variable' && symbol.kind !== 'function')) return
  if (symbol.kind === 'variable' && symbol.storage === 'auto') return
  const user = c.function?.function
  let references = c.program.references.get(user)
  if (!references) c.program.references.set(user, (references = new Set()))
  references.add(symbol)
}

const checkPredefined = (c: Context, node: SyntaxNode, name: string): CExpr => {
  const position = positionOf(c, node)
  if (c.function && (name === '__func__' || name === '__FUNCTION__' || name === '__PRETTY_FUNCTION__')) {
    const { elements } = parseStrings([`"${c.function.function.name}"`])
    const type = arrayOf(qualify(CHAR, { atomic: false, volatile: false, constant: true }), elements.length)
    return { kind: 'string', bytes: elements, type, position }
  }
  const value = BUILTIN_CONSTANTS[name]
  if (value !== undefined) return constant(value, INT, position)
  if (name === 'NULL' || name === 'nullptr') return constant(0, pointerTo(VOID), position)
  const close = suggestion(c, name, (known) => known.kind !== 'typedef')
  return fail(c, node, `'${name}' undeclared${close}`)
}

/** GNU: 2.0i, 3.0fi, 1i. */
const IMAGINARY = /^[0-9.]+(?:e[+-]?\d+)?[fl]?[ij][fl]?$/i

/** The grammar takes a sign into the number where it can: `x = -1`. */
const checkNumber = (c: Context, node: SyntaxNode): CExpr => {
  const spelling = textOf(c, node)
  const position = positionOf(c, node)
  const sign = /^[+-]/.exec(spelling)?.[0]
  const digits = sign ? spelling.slice(1) : spelling
  const isImaginary = IMAGINARY.test(digits)
  const literal =
    parseNumber(isImaginary ? digits.replace(/[ij]/i, '') : digits, c.target) ??
    fail(c, node, `'${spelling}' is not a number`)
  refuseExotic(c, literal.type, position)
  const positive = constant(literal.value, literal.type, position)
  if (isImaginary) {
    const imaginary = imaginaryLiteral(c, positive)
    return sign === '-' ? complexUnary(c, node, '-', imaginary) : imaginary
  }
  if (sign !== '-') return positive
  const zero = constant(unqualified(literal.type).kind === 'float' ? -0 : 0, literal.type, position)
  return makeBinary(c, '-', zero, positive, literal.type, position)
}

const checkString = (c: Context, node: SyntaxNode): CExpr => {
  const parts = node.type === 'string_literal' ? [node] : namedChildren(node)
  const wrong = parts.find((part) => part.type !== 'string_literal')
  if (wrong) return fail(c, wrong, `'${textOf(c, wrong)}' is no string literal`)
  const { element, elements } = parseStrings(parts.map((part) => textOf(c, part)))
  const bytes = elements.flatMap((code) =>
    Array.from({ length: element.width / 8 }, (_, index) => Math.floor(code / 256 ** index) & 255),
  )
  return { kind: 'string', bytes, type: arrayOf(element, elements.length), position: positionOf(c, node) }
}

const checkParentheses = (c: Context, node: SyntaxNode): CExpr => {
  const inner = namedChildren(node)[0]
  if (!inner) return fail(c, node, 'expected an expression')
  return inner.type === 'compound_statement' ? checkStatementExpression(c, inner) : checkExpression(c, inner)
}

const checkComma = (c: Context, node: SyntaxNode): CExpr => {
  const left = checkValue(c, field(node, 'left')!)
  const right = checkValue(c, field(node, 'right')!)
  return { kind: 'comma', left, right, type: right.type, position: positionOf(c, node) }
}

// ---- pointers and members

/** They stand as `*` for the grammar, which lets that be assigned to. */
const COMPLEX_PARTS: Readonly<Record<string, 'real' | 'imaginary'>> = {
  __real__: 'real',
  __real: 'real',
  __imag__: 'imaginary',
  __imag: 'imaginary',
}

const checkPointer = (c: Context, node: SyntaxNode): CExpr => {
  const argument = field(node, 'argument')!
  const operator = textOf(c, field(node, 'operator')!)
  const part = COMPLEX_PARTS[operator]
  if (part) return complexPart(c, checkExpression(c, argument), part, node)
  if (operator === '*') return dereference(c, checkValue(c, argument), node)
  return addressOf(c, checkExpression(c, argument), node)
}

/** GNU &&label. */
const checkLabelAddress = (c: Context, node: SyntaxNode): CExpr => {
  const labelNode = field(node, 'argument')!
  if (!c.function) return fail(c, node, 'address of a label outside of a function')
  const name = labelNamed(c, textOf(c, labelNode))
  const { function: user, uses } = labelOwner(c, textOf(c, labelNode)) ?? c.function
  uses.push({ name, node: labelNode })
  user.addressedLabels ??= new Set()
  user.addressedLabels.add(name)
  return { kind: 'label', name, function: user, type: pointerTo(VOID), position: positionOf(c, node) }
}

export const dereference = (c: Context, pointer: CExpr, node: SyntaxNode): CExpr => {
  const type = unqualified(pointer.type)
  if (type.kind !== 'pointer') return fail(c, node, `invalid type argument of unary '*' (have '${typeName(type)}')`)
  return { kind: 'deref', pointer, type: type.to, position: positionOf(c, node) }
}

const addressOf = (c: Context, operand: CExpr, node: SyntaxNode): CExpr => {
  const position = positionOf(c, node)
  if (operand.kind === 'deref') return { ...operand.pointer, type: pointerTo(operand.type) }
  if (operand.kind === 'function') return toValue(c, operand)
  if (!isLvalue(operand)) return fail(c, node, "lvalue required as operand of unary '&'")
  if (operand.kind === 'member' && operand.field.bits)
    return fail(c, node, `cannot take the address of bit-field '${operand.field.name}'`)
  takeAddress(c, operand)
  return { kind: 'address', lvalue: operand, type: pointerTo(operand.type), position }
}

const checkMember = (c: Context, node: SyntaxNode): CExpr => {
  const argument = field(node, 'argument')!
  const nameNode = field(node, 'field')!
  const record =
    textOf(c, field(node, 'operator')!) === '->'
      ? dereference(c, checkValue(c, argument), argument)
      : checkExpression(c, argument)
  return selectMember(c, record, textOf(c, nameNode), nameNode)
}

const selectMember = (c: Context, record: CExpr, name: string, node: SyntaxNode): CExpr => {
  const type = unqualified(record.type)
  if (type.kind !== 'record')
    return fail(c, node, `request for member '${name}' in something of type '${typeName(type)}'`)
  if (!type.complete) return fail(c, node, `invalid use of incomplete type '${typeName(type)}'`)
  const path = findMember(type, name)
  const owned = path ? undefined : c.program.ownedRecords.get(type)
  if (owned) return unsupported(`member ${name} of ${owned}`, positionOf(c, node))
  if (!path) return fail(c, node, `'${typeName(type)}' has no member named '${name}'${nearMember(type.fields, name)}`)
  const position = positionOf(c, node)
  let result = isLvalue(record) ? record : temporary(c, record)
  for (const part of path) {
    // A member of a const or volatile object is so too; _Atomic does not reach inside.
    const { constant: isConstant, volatile } = qualifiersOf(result.type)
    const memberType = qualify(part.type, { atomic: false, volatile, constant: isConstant })
    result = { kind: 'member', record: result, field: part, type: memberType, position }
  }
  return result
}

const nearMember = (members: readonly { readonly name: string }[], name: string): string => {
  const near = members.find((member) => member.name && member.name.toLowerCase() === name.toLowerCase())
  const prefix = members.find((member) => member.name && (member.name.startsWith(name) || name.startsWith(member.name)))
  const best = near ?? prefix
  return best ? `; did you mean '${best.name}'?` : ''
}

/** A record value that no object holds (a call's result), as an object. */
const temporary = (c: Context, value: CExpr): CExpr => {
  const variable = newVariable(c, 'temporary', value.type, value)
  return {
    kind: 'compound',
    variable,
    initializer: [{ offset: 0, type: value.type, value }],
    type: value.type,
    position: value.position,
  }
}

const newVariable = (
  c: Context,
  name: string,
  type: CType,
  at: { readonly position: CExpr['position'] },
): CVariable => ({
  kind: 'variable',
  name,
  type,
  position: at.position,
  storage: c.function ? 'auto' : 'static',
  addressTaken: !isScalar(type),
})

/** A value computed once, before the statement at hand; the result reads it. */
export const hiddenVariable = (c: Context, value: CExpr, name: string): CExpr => {
  const type = unqualified(value.type)
  const variable: CVariable = { ...newVariable(c, name, type, value), storage: 'auto' }
  const before = c.parameterSizes ?? c.function!.pending
  before.push({
    kind: 'declare',
    variable,
    initializer: [{ offset: 0, type, value }],
    position: value.position,
    text: name,
  })
  return {
    kind: 'load',
    lvalue: { kind: 'variable', variable, type, position: value.position },
    type,
    position: value.position,
  }
}

// ---- constants

/** An integer constant expression (C11 6.6p6), leniently: whatever folds. */
export const integerConstant = (c: Context, node: SyntaxNode, what: string): Value => {
  const value = checkValue(c, node)
  if (value.kind !== 'constant' || !isInteger(value.type)) return fail(c, node, `${what} is not an integer constant`)
  return value.value
}

/** The argument of aligned(...), which is text beside the tree. The parser is told which of its names are types. */
export const evaluateAttribute = (c: Context, text: string): number => {
  const names = (text.match(/[A-Za-z_]\w*/g) ?? []).filter((name) => lookup(c, name)?.kind === 'typedef')
  const typedefs = names.map((name) => `typedef int ${name};`).join('')
  const tree = c.program.parse('<attribute>', `${typedefs}int heddle = (${text});`)
  const value = field(field(tree.root.children.at(-1)!, 'declarator') ?? tree.root, 'value')
  return value ? Number(integerConstant({ ...c, tree }, value, 'alignment')) : 16
}

/** An expression that is written nowhere, of names that are seen here. */
export const checkText = (c: Context, text: string, position: Position): CExpr => {
  const parsed = c.program.parse('<attribute>', `void heddle(void) { ${text}; }`)
  const tree: SyntaxTree = Object.create(parsed, { position: { value: () => position } })
  const body = field(tree.root.children.at(-1)!, 'body')!
  return checkExpression({ ...c, tree }, namedChildren(namedChildren(body)[0]!)[0]!)
}

/** _Static_assert(condition, "text"). */
export const checkStaticAssert = (c: Context, node: SyntaxNode): void => {
  const parts = namedChildren(child(node, 'argument_list') ?? node)
  const condition = checkValue(c, parts[0] ?? node)
  if (condition.kind !== 'constant') throw failure(c, node, 'expression in static assertion is not constant')
  const text = parts[1] ? `: ${textOf(c, parts[1])}` : ''
  if (isZero(condition.value, condition.type)) fail(c, node, `static assertion failed${text}`)
}
