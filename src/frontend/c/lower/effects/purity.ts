// What an expression may do when it is evaluated: change variables, stop, or read what other threads change. Pure
// operands of ?:, && and || need no branch.
import type { Variable } from '../../../../xcfa/index.js'
import type { CExpr, CStatement, CVariable } from '../../ast.js'
import { qualifiersOf, unqualified } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { inMemory } from '../context.js'
import { calleeOf } from './callee.js'

export const subexpressions = (e: CExpr): readonly CExpr[] => {
  switch (e.kind) {
    case 'constant':
    case 'string':
    case 'variable':
    case 'function':
    case 'label':
      return []
    case 'deref':
      return [e.pointer]
    case 'member':
      return [e.record]
    case 'load':
    case 'address':
      return [e.lvalue]
    case 'cast':
    case 'unary':
    case 'not':
      return [e.operand]
    case 'binary':
    case 'compare':
    case 'logical':
    case 'comma':
    case 'pointerDifference':
      return [e.left, e.right]
    case 'pointerAdd':
      return [e.pointer, e.index]
    case 'conditional':
      return [e.condition, e.then, e.else]
    case 'assign':
      return [e.target, e.value]
    case 'compoundAssign':
      return [e.target, e.operand]
    case 'increment':
      return [e.target]
    case 'call':
      return [e.callee, ...e.args]
    case 'builtin':
      return e.args
    case 'compound':
      return e.initializer.map((part) => part.value)
    case 'statements':
      return e.value ? [e.value] : []
  }
}

/** What evaluation may change: these variables, and with `everything` all that is not private to the function. */
interface Effects {
  readonly variables: Set<CVariable>
  everything: boolean
  /** Also any local variable. */
  opaque: boolean
}

const effectsOf = (e: CExpr, into: Effects = { variables: new Set(), everything: false, opaque: false }): Effects => {
  switch (e.kind) {
    case 'assign':
    case 'compoundAssign':
    case 'increment':
      if (e.target.kind === 'variable') into.variables.add(e.target.variable)
      break
    case 'call':
    case 'builtin':
      into.everything = true
      break
    case 'statements':
      into.opaque = true
      break
    default:
  }
  for (const child of subexpressions(e)) effectsOf(child, into)
  return into
}

/** Whether evaluating `e` may change one of these program variables. */
export const mayChange = (b: ProcedureBuilder, e: CExpr, variables: ReadonlySet<Variable>): boolean => {
  if (variables.size === 0) return false
  const effects = effectsOf(e)
  if (effects.opaque) return true
  for (const changed of effects.variables) {
    const storage = b.storage.get(changed) ?? b.unit.statics.get(changed)
    if (storage && 'kind' in storage && storage.kind === 'variable' && variables.has(storage.variable)) return true
  }
  return effects.everything && [...variables].some((variable) => variable.scope === 'global')
}

/** Intrinsics that are values. */
const PURE_CALLS = new Set(['__heddle_self', '__heddle_option'])

/** No effect, cannot stop, and reads nothing that another thread could change before the step ends. */
export const isPure = (b: ProcedureBuilder, e: CExpr): boolean => {
  switch (e.kind) {
    case 'constant':
      return !(e.overflows && b.unit.options.checks?.overflow)
    case 'string':
    case 'function':
    case 'label':
      return true
    case 'load':
      return canRead(b, e.lvalue)
    case 'address':
      return hasPureAddress(b, e.lvalue)
    case 'binary':
      return isTotal(b, e) && isPure(b, e.left) && isPure(b, e.right)
    case 'unary':
      return !checksOverflow(b, e) && isPure(b, e.operand)
    case 'cast':
      return !mayLeaveRange(e) && isRecordFree(e) && isPure(b, e.operand)
    case 'not':
    case 'compare':
    case 'logical':
    case 'comma':
    case 'conditional':
    case 'pointerAdd':
    case 'pointerDifference':
      return unqualified(e.type).kind !== 'record' && subexpressions(e).every((child) => isPure(b, child))
    case 'call': {
      const callee = calleeOf(e.callee)
      return callee !== undefined && PURE_CALLS.has(callee.name)
    }
    case 'builtin':
      return PURE_CALLS.has(e.name)
    default:
      return false
  }
}

const isRecordFree = (e: CExpr): boolean => unqualified(e.type).kind !== 'record'

/** From a float to an integer. */
const mayLeaveRange = ({ type, operand }: CExpr & { kind: 'cast' }): boolean =>
  unqualified(type).kind === 'int' && unqualified(operand.type).kind === 'float'

const hasPureAddress = (b: ProcedureBuilder, lvalue: CExpr): boolean => {
  switch (lvalue.kind) {
    case 'variable':
    case 'string':
    case 'function':
      return true
    case 'member':
      return hasPureAddress(b, lvalue.record)
    case 'deref':
      return isPure(b, lvalue.pointer)
    default:
      return false
  }
}

const canRead = (b: ProcedureBuilder, lvalue: CExpr): boolean => {
  if (unqualified(lvalue.type).kind === 'record') return false
  if (lvalue.kind === 'variable') {
    if (lvalue.variable.storage === 'auto' && !inMemory(lvalue.variable)) return true
    if (lvalue.variable.storage === 'static' && !inMemory(lvalue.variable)) return b.depth > 0
  }
  // A load stops its thread where the address is wrong: only places that always exist may be read too early.
  return b.depth > 0 && existsAlways(lvalue)
}

const existsAlways = (lvalue: CExpr): boolean =>
  lvalue.kind === 'variable' ||
  (lvalue.kind === 'member' && lvalue.field.bits === undefined && existsAlways(lvalue.record))

type Binary = CExpr & { readonly kind: 'binary' }

const isTotal = (b: ProcedureBuilder, e: Binary): boolean => {
  if (checksOverflow(b, e)) return false
  if (unqualified(e.type).kind !== 'int') return true
  switch (e.op) {
    case '/':
    case '%':
      return e.right.kind === 'constant' && Number(e.right.value) !== 0
    case '<<':
    case '>>':
      return isShiftAmount(e.right, e.type)
    default:
      return true
  }
}

const isShiftAmount = (amount: CExpr, type: CExpr['type']): boolean => {
  const shifted = unqualified(type)
  if (amount.kind !== 'constant' || shifted.kind !== 'int') return false
  return Number(amount.value) >= 0 && Number(amount.value) < shifted.width
}

const checksOverflow = (b: ProcedureBuilder, e: CExpr): boolean => {
  const type = unqualified(e.type)
  return b.unit.options.checks?.overflow === true && type.kind === 'int' && type.signed
}

/** Whether a statement holds a place that jumps may lead to. */
export const hasLabel = (s: CStatement): boolean => {
  switch (s.kind) {
    case 'case':
    case 'default':
    case 'label':
      return true
    case 'block':
      return s.body.some(hasLabel)
    case 'if':
      return hasLabel(s.then) || (s.else !== undefined && hasLabel(s.else))
    case 'while':
    case 'do':
    case 'for':
    case 'switch':
      return hasLabel(s.body)
    default:
      return false
  }
}

/** _Atomic: each access is one step. */
export const isAtomicAccess = (lvalue: CExpr): boolean => qualifiersOf(lvalue.type).atomic
