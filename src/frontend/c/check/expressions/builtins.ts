// Calls that are no calls: compiler builtins, atomics, and the intrinsics of our library models. Some are constants
// here already; the rest are `builtin` nodes with the types their arguments have, for lowering to give them meaning.

import type { CExpr, CFunction, CType } from '../../ast.js'
import type { SyntaxNode } from '../../parse/index.js'
import { type Context, type CSymbol, fail, positionOf, textOf, unevaluated, unsupported } from '../context.js'
import { typeOfDescriptor } from '../declarations/declarators.js'
import { NEEDS } from '../models.js'
import {
  BOOL,
  CHAR,
  compatibleUnqualified,
  DOUBLE,
  FLOAT,
  INT,
  LONG_LONG,
  pointerTo,
  SHORT,
  SIGNED_CHAR,
  sizeOf,
  type Target,
  UNSIGNED_CHAR,
  UNSIGNED_INT,
  UNSIGNED_LONG_LONG,
  UNSIGNED_SHORT,
  unqualified,
  VOID,
} from '../types.js'
import { complexCast, complexPart, complexType, complexUnary, isComplex } from './complex.js'
import { cast, constant, convertAsAssigned, toValue } from './convert.js'
import { checkExpression, checkValue, noteUse } from './expressions.js'
import { checkFormat } from './formats.js'
import { checkOffsetof } from './type-expressions.js'
import { checkVaArg, checkVaCopy, checkVaEnd, checkVaStart } from './variable-arguments.js'
import { convertVector, shuffle } from './vectors.js'

const C11_GENERIC =
  /^atomic_(?:(?:load|store|exchange|compare_exchange_(?:strong|weak)|fetch_(?:add|sub|or|xor|and))(?:_explicit)?|init|thread_fence|signal_fence|is_lock_free|flag_(?:test_and_set|clear)(?:_explicit)?)$/

const PREFIX = /^(?:__builtin_|__atomic_|__sync_|__c11_atomic_|__heddle_)/

/** Under which name a call of `name` is a builtin; undefined: it is a function. */
export const builtinName = (c: Context, name: string, symbol: CSymbol | undefined): string | undefined => {
  const { aliases, overriding } = c.program.library
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
  if (alias) {
    const isLocal = symbol !== undefined && symbol.kind !== 'function'
    if (overriding.has(name) || (!isLocal && !c.program.definitions.has(name))) return alias
  }
  if (/^(?:__builtin_)?va_(?:start|end|arg|copy)$/.test(name)) return name.replace(/^(?:__builtin_)?/, '__builtin_')
  if (symbol) return undefined
  if (name === 'alloca' && !c.program.definitions.has(name)) return '__builtin_alloca'
  if (PREFIX.test(name)) return name
  return C11_GENERIC.test(name) ? name : undefined
}

export const checkBuiltin = (
  c: Context,
  node: SyntaxNode,
  name: string,
  argumentNodes: readonly SyntaxNode[],
  symbol: CSymbol | undefined,
): CExpr => {
  const special = SPECIAL[name]
  if (special) return special(c, node, argumentNodes)
  const args = argumentNodes.map((argument) => builtinArgument(c, argument))
  if (symbol?.kind === 'function') return aliased(c, node, name, args, symbol.type.parameters, symbol.type.result)
  const library = libraryFunction(c, node, name, args)
  if (library) return library
  const type = resultType(c, name, args)
  if (!type) return unsupported(`builtin ${name}`, positionOf(c, node))
  noteNeeds(c, name)
  return { kind: 'builtin', name, args: args.slice(0, ARITY[name] ?? args.length), type, position: positionOf(c, node) }
}

const noteNeeds = (c: Context, name: string): void => {
  const user = c.function?.function
  const needs = NEEDS[name]
  if (needs) c.program.needed.set(user, new Set([...(c.program.needed.get(user) ?? []), ...needs]))
}

/** Strings stay strings: intrinsics read them. */
const builtinArgument = (c: Context, node: SyntaxNode): CExpr => {
  const e = checkExpression(c, node)
  return e.kind === 'string' ? e : toValue(c, e)
}

/** How many arguments an intrinsic takes that has other names with more. */
const ARITY: Readonly<Record<string, number>> = {
  __heddle_atomic_begin: 0,
  __heddle_atomic_end: 0,
  __heddle_assume: 1,
  __heddle_reach_error: 0,
  __heddle_assert_fail: 1,
  __heddle_exit: 0,
  __heddle_leave: 0,
}

/** A declared function whose meaning is an intrinsic: arguments are converted as declared; those it does not take are
 * evaluated all the same. */
const aliased = (
  c: Context,
  node: SyntaxNode,
  name: string,
  args: readonly CExpr[],
  parameters: readonly CType[],
  result: CType,
): CExpr => {
  const position = positionOf(c, node)
  const converted = args.map((argument, index) => {
    const parameter = parameters[index]
    if (argument.kind === 'string' || !parameter) return argument
    return convertAsAssigned(c, argument, parameter, `passing argument ${index + 1}`)
  })
  const arity = ARITY[name] ?? 0
  const type = unqualified(result)
  const call: CExpr = { kind: 'builtin', name, args: converted.slice(0, arity), type, position }
  return converted
    .slice(arity)
    .filter((dropped) => dropped.kind !== 'string' && dropped.kind !== 'constant' && dropped.kind !== 'address')
    .reduceRight<CExpr>((right, left) => ({ kind: 'comma', left, right, type, position }), call)
}

/** __builtin_memcpy is memcpy, where the library has it. */
const libraryFunction = (c: Context, node: SyntaxNode, name: string, args: readonly CExpr[]): CExpr | undefined => {
  if (!name.startsWith('__builtin_') || FIXED[name.slice('__builtin_'.length)]) return undefined
  const plain = name.slice('__builtin_'.length).replace(/^__?(\w+)_chk$/, '$1')
  const alias = Object.hasOwn(c.program.library.aliases, plain) ? c.program.library.aliases[plain] : undefined
  if (alias)
    return {
      kind: 'builtin',
      name: alias,
      args: args.slice(0, ARITY[alias] ?? 0),
      type: VOID,
      position: positionOf(c, node),
    }
  const known = c.program.loadModel(name) ?? c.program.loadModel(plain)
  return known?.kind === 'function' ? modelCall(c, node, name, known, args) : undefined
}

const modelCall = (c: Context, node: SyntaxNode, name: string, known: CFunction, args: readonly CExpr[]): CExpr => {
  noteUse(c, known)
  checkFormat(c, node, known, args)
  const position = positionOf(c, node)
  const callee: CExpr = { kind: 'function', function: known, type: known.type, position }
  const converted = args
    .slice(0, known.type.variadic ? args.length : known.type.parameters.length)
    .map((argument, index) => {
      const parameter = known.type.parameters[index]
      const value = toValue(c, argument)
      return parameter ? convertAsAssigned(c, value, parameter, `passing argument ${index + 1} of '${name}'`) : value
    })
  return { kind: 'call', callee, args: converted, type: unqualified(known.type.result), position }
}

// ---- result types

const pointee = (args: readonly CExpr[]): CType | undefined => {
  const type = args[0] && unqualified(args[0].type)
  return type?.kind === 'pointer' ? unqualified(type.to) : undefined
}

const resultType = (c: Context, name: string, args: readonly CExpr[]): CType | undefined => {
  if (name.startsWith('__heddle_')) return intrinsicType(c, name.slice('__heddle_'.length), args)
  if (name.startsWith('__builtin_')) return compilerType(c.target, name.slice('__builtin_'.length), args)
  if (/_fence$|_store|_clear|_release|_synchronize|_init$|^__atomic_load$|^__atomic_exchange$/.test(name)) return VOID
  if (
    /compare_exchange|bool_compare|test_and_set(?:_explicit)?$|lock_free/.test(name) &&
    !/lock_test_and_set/.test(name)
  )
    return BOOL
  return pointee(args)
}

const VOID_INTRINSICS: ReadonlySet<string> = new Set(
  `atomic_begin atomic_end await sync spurious join thread_exit exit assume undefined assert_fail reach_error free
  unsupported limit note`.split(/\s+/),
)

const intrinsicType = (c: Context, name: string, args: readonly CExpr[]): CType | undefined => {
  if (VOID_INTRINSICS.has(name)) return VOID
  switch (name) {
    case 'self':
    case 'start':
    case 'nondet_range':
    case 'thread_count':
      return UNSIGNED_INT
    case 'choice':
    case 'error_number':
    case 'option':
      return INT
    case 'allocate':
    case 'allocate_aligned':
    case 'allocate_argument':
      return pointerTo(VOID)
    case 'thread_address':
      return args[0]?.type
    default: {
      const spelling = name.startsWith('nondet_') ? c.program.library.nondetTypes[name.slice(7)] : undefined
      return spelling === undefined ? undefined : basicType(c.target, spelling)
    }
  }
}

const basicType = (target: Target, spelling: string): CType | undefined =>
  [BOOL, CHAR, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED_INT, target.long, target.unsignedLong]
    .concat(LONG_LONG, UNSIGNED_LONG_LONG)
    .find((type) => type.name === spelling) ??
  [FLOAT, DOUBLE].find((type) => type.name === spelling) ??
  (spelling === 'void *' ? pointerTo(VOID) : undefined)

/** Compiler builtins whose meaning is not a library function's. */
const FIXED: Readonly<Record<string, CType>> = {
  unreachable: VOID,
  trap: VOID,
  prefetch: VOID,
  alloca: pointerTo(VOID),
  return_address: pointerTo(VOID),
  frame_address: pointerTo(VOID),
  assume_aligned: pointerTo(VOID),
  huge_val: DOUBLE,
  huge_valf: FLOAT,
  inf: DOUBLE,
  inff: FLOAT,
  nan: DOUBLE,
  nanf: FLOAT,
  ia32_pause: VOID,
}

const compilerType = (target: Target, name: string, args: readonly CExpr[]): CType | undefined => {
  if (FIXED[name]) return FIXED[name]
  if (
    /^(?:isnan|isinf|isfinite|isinf_sign|isnormal|signbit|signbitf|fpclassify|isgreater|isless|isunordered)/.test(name)
  )
    return INT
  if (name === 'object_size' || name === 'dynamic_object_size') return target.size
  return name.startsWith('fabs') ? args[0]?.type : undefined
}

// ---- those that are decided here

type Special = (c: Context, node: SyntaxNode, args: readonly SyntaxNode[]) => CExpr

const typeOfArgument = (c: Context, node: SyntaxNode): CType =>
  node.type === 'type_descriptor' ? typeOfDescriptor(c, node) : unevaluated(c, () => checkExpression(c, node).type)

/** The first argument; the others are evaluated, too. */
const expect: Special = (c, node, args) => {
  const [value, ...others] = args.map((arg) => checkValue(c, arg))
  const position = positionOf(c, node)
  const long = cast(c, value!, c.target.long)
  return others
    .filter((other) => other.kind !== 'constant' && other.kind !== 'load')
    .reduceRight<CExpr>((right, left) => ({ kind: 'comma', left, right, type: long.type, position }), long)
}

/** Operands that the result's type has all values of are computed in it, others as integers without bounds. */
const checkOverflow: Special = (c, node, args) => {
  const name = textOf(c, node.children[0]!)
  const [left, right, result] = args.map((arg) => checkValue(c, arg))
  const to = result && pointee([result])
  if (!left || !right || !to) return fail(c, node, `${name} takes two numbers and a pointer`)
  const suffix = overflowSuffix(c, to)
  if (suffix === undefined || ![left, right].every((operand) => keepsValues(c, operand, to)))
    return mixedOverflow(c, node, name, [left, right, result], to)
  const model = `__builtin_${suffix.replace('OP', name.slice('__builtin_'.length, '__builtin_'.length + 3))}_overflow`
  const known = c.program.loadModel(model)
  if (known?.kind !== 'function') return unsupported(name, positionOf(c, node))
  return modelCall(c, node, name, known, [left, right, result])
}

const OPERATIONS: readonly string[] = ['add', 'sub', 'mul']

const mixedOverflow = (
  c: Context,
  node: SyntaxNode,
  name: string,
  [left, right, result]: readonly [CExpr, CExpr, CExpr],
  to: CType,
): CExpr => {
  const position = positionOf(c, node)
  const known = c.program.loadModel('__heddle_checked')
  const types = [left.type, right.type, to].map(unqualified)
  const isModelled = types.every((type) => type.kind === 'int' && type.width <= 64)
  if (known?.kind !== 'function' || !isModelled) return unsupported(`${name} of these types`, position)
  const number = (value: number): CExpr => constant(value, INT, position)
  const isSigned = (type: CType): CExpr => number(type.kind === 'int' && type.signed ? 1 : 0)
  const operand = (e: CExpr): readonly CExpr[] => [cast(c, e, LONG_LONG), isSigned(unqualified(e.type))]
  const operation = OPERATIONS.indexOf(name.slice('__builtin_'.length, '__builtin_'.length + 3))
  const width = to.kind === 'int' ? to.width : 0
  const args = [number(operation), ...operand(left), ...operand(right), number(width), isSigned(to)]
  return modelCall(c, node, name, known, [...args, cast(c, result, pointerTo(VOID))])
}

const overflowSuffix = (c: Context, type: CType): string | undefined => {
  if (type.kind !== 'int') return undefined
  const sign = type.signed ? 's' : 'u'
  if (type === INT || type === UNSIGNED_INT) return `${sign}OP`
  if (type === c.target.long || type === c.target.unsignedLong) return `${sign}OPl`
  return type === LONG_LONG || type === UNSIGNED_LONG_LONG ? `${sign}OPll` : undefined
}

const keepsValues = (c: Context, operand: CExpr, to: CType): boolean => {
  const from = unqualified(operand.type)
  if (from.kind !== 'int' || to.kind !== 'int') return false
  const [narrow, wide] = [sizeOf(from, c.target)!, sizeOf(to, c.target)!]
  if (operand.kind === 'constant' && Number(operand.value) >= 0 && Number(operand.value) < 2 ** 31) return true
  return from.signed === to.signed ? narrow <= wide : !from.signed && narrow < wide
}

const typeClass = (type: CType): number => {
  switch (type.kind) {
    case 'void':
      return 0
    case 'int':
      return 1
    case 'pointer':
      return 5
    case 'float':
      return 8
    case 'record':
      return type.union ? 13 : isComplex(type) ? 9 : 12
    default:
      return -1
  }
}

/** conj, creal and cimag, with a suffix for the type of the argument's parts. */
const complexBuiltin =
  (of: CType, compute: (c: Context, node: SyntaxNode, value: CExpr) => CExpr): Special =>
  (c, node, args) =>
    compute(c, node, complexCast(c, checkValue(c, args[0]!), complexType(c, of, positionOf(c, node))))

const conjugate = (of: CType): Special => complexBuiltin(of, (c, node, z) => complexUnary(c, node, '~', z))
const part = (of: CType, which: 'real' | 'imaginary'): Special =>
  complexBuiltin(of, (c, node, z) => complexPart(c, z, which, node))

const SPECIAL: Readonly<Record<string, Special>> = {
  __builtin_conj: conjugate(DOUBLE),
  __builtin_conjf: conjugate(FLOAT),
  __builtin_creal: part(DOUBLE, 'real'),
  __builtin_crealf: part(FLOAT, 'real'),
  __builtin_cimag: part(DOUBLE, 'imaginary'),
  __builtin_cimagf: part(FLOAT, 'imaginary'),
  __builtin_expect: expect,
  __builtin_expect_with_probability: expect,
  __builtin_constant_p: (c, node, args) => {
    const value = unevaluated(c, () => checkValue(c, args[0]!))
    const isLiteral = value.kind === 'constant' || (value.kind === 'address' && value.lvalue.kind === 'string')
    return constant(isLiteral ? 1 : 0, INT, positionOf(c, node))
  },
  __builtin_types_compatible_p: (c, node, args) => {
    const [a, b] = [unqualified(typeOfArgument(c, args[0]!)), unqualified(typeOfArgument(c, args[1]!))]
    const [first, second] = [a, b].map((type) => (type.kind === 'int' ? type.enumeration : undefined))
    const same = compatibleUnqualified(a, b) && (!first || !second || first === second)
    return constant(same ? 1 : 0, INT, positionOf(c, node))
  },
  __atomic_always_lock_free: (c, node, args) => {
    const size = checkValue(c, args[0]!)
    if (size.kind !== 'constant') return fail(c, node, 'first argument of __atomic_always_lock_free is no constant')
    const isWord = [1, 2, 4, 8].includes(Number(size.value))
    return constant(isWord ? 1 : 0, BOOL, positionOf(c, node))
  },
  // The classes of typeclass.h in gcc.
  __builtin_classify_type: (c, node, args) => {
    const type = unqualified(unevaluated(c, () => checkValue(c, args[0]!)).type)
    return constant(typeClass(type), INT, positionOf(c, node))
  },
  __builtin_choose_expr: (c, node, args) => {
    const chosen = checkValue(c, args[0]!)
    if (chosen.kind !== 'constant') return fail(c, node, 'first argument of __builtin_choose_expr is no constant')
    return checkExpression(c, args[Number(chosen.value) === 0 ? 2 : 1]!)
  },
  __builtin_offsetof: (c, node, args) => checkOffsetof(c, args[0]!, args.slice(1), node),
  __builtin_shuffle: (c, node, args) =>
    shuffle(
      c,
      node,
      args.map((arg) => checkValue(c, arg)),
    ),
  __builtin_convertvector: (c, node, args) =>
    convertVector(c, node, checkValue(c, args[0]!), unqualified(typeOfArgument(c, args[1]!))),
  __builtin_add_overflow: checkOverflow,
  __builtin_sub_overflow: checkOverflow,
  __builtin_mul_overflow: checkOverflow,
  __builtin_va_start: checkVaStart,
  __builtin_va_copy: checkVaCopy,
  __builtin_va_end: checkVaEnd,
  __builtin_va_arg: (c, node, args) => {
    if (args.length !== 2) return fail(c, node, 'va_arg takes a list and a type')
    return checkVaArg(c, node, args[0]!, unqualified(typeOfArgument(c, args[1]!)))
  },
  __builtin_alloca_with_align: (c, node, args) => ({
    kind: 'builtin',
    name: '__builtin_alloca',
    args: [checkValue(c, args[0]!)],
    type: pointerTo(VOID),
    position: positionOf(c, node),
  }),
  __builtin_object_size: (c, node, args) => {
    unevaluated(c, () => checkValue(c, args[0]!))
    return constant(
      c.target.pointerBytes === 8 ? 18446744073709551615n : 4294967295,
      c.target.size,
      positionOf(c, node),
    )
  },
}
