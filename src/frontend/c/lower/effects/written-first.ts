// Uninitialised objects in memory hold arbitrary values. This is skipped where the source plainly writes the object
// before it reads it (variables outside of memory need no such look: liveness decides, procedures.ts).
import type { CExpr, CStatement, CVariable } from '../../ast.js'
import { calleeOf } from './callee.js'
import { subexpressions } from './purity.js'

export const expressionsOf = (s: CStatement): readonly CExpr[] => {
  switch (s.kind) {
    case 'expression':
      return [s.expression]
    case 'declare':
      return (s.initializer ?? []).map((part) => part.value)
    case 'if':
    case 'while':
    case 'do':
      return [s.condition]
    case 'for':
      return [s.condition, s.step].filter((e) => e !== undefined)
    case 'switch':
      return [s.value]
    case 'computedGoto':
      return [s.target]
    case 'return':
      return s.value ? [s.value] : []
    default:
      return []
  }
}

export const substatements = (s: CStatement): readonly CStatement[] => {
  switch (s.kind) {
    case 'block':
      return s.body
    case 'if':
      return s.else ? [s.then, s.else] : [s.then]
    case 'for':
      return [...s.init, s.body]
    case 'while':
    case 'do':
    case 'switch':
    case 'case':
    case 'default':
    case 'label':
      return [s.body]
    default:
      return []
  }
}

/** Every expression of a statement satisfies the test. */
const everyExpression = (s: CStatement, test: (e: CExpr) => boolean): boolean =>
  expressionsOf(s).every(test) && substatements(s).every((child) => everyExpression(child, test))

const mentions = (e: CExpr, variable: CVariable): boolean => {
  if (e.kind === 'variable') return e.variable === variable
  if (e.kind === 'statements' && e.body.some((s) => mentionsIn(s, variable))) return true
  return subexpressions(e).some((child) => mentions(child, variable))
}

const mentionsIn = (s: CStatement, variable: CVariable): boolean => !everyExpression(s, (e) => !mentions(e, variable))

const jumpsAway = (s: CStatement): boolean =>
  ['goto', 'computedGoto', 'label', 'case', 'default'].includes(s.kind) || substatements(s).some(jumpsAway)

const CREATES = new Set(['pthread_create', 'thrd_create'])
const USES = new Set(['pthread_join', 'pthread_detach', 'pthread_cancel', 'thrd_join', 'thrd_detach'])

/** The first statement that mentions the variable assigns it as a whole. */
export const isWrittenFirst = (variable: CVariable, rest: readonly CStatement[]): boolean => {
  for (const s of rest) {
    if (jumpsAway(s)) return false
    if (!mentionsIn(s, variable)) continue
    return s.kind === 'expression' && writes(s.expression, variable)
  }
  // It may be used outside of this list: in the loop that declares it, or as the value of a statement expression.
  return false
}

const writes = (e: CExpr, variable: CVariable): boolean => {
  if (e.kind === 'cast') return writes(e.operand, variable)
  if (e.kind === 'assign' && e.target.kind === 'variable' && e.target.variable === variable)
    return !mentions(e.value, variable)
  if (e.kind !== 'call' || !CREATES.has(calleeOf(e.callee)?.name ?? '')) return false
  const [handle, ...others] = e.args
  return handle !== undefined && isAddressOf(handle, variable) && !others.some((arg) => mentions(arg, variable))
}

const isAddressOf = (e: CExpr, variable: CVariable): boolean => {
  if (e.kind === 'cast') return isAddressOf(e.operand, variable)
  return e.kind === 'address' && e.lvalue.kind === 'variable' && e.lvalue.variable === variable
}

/**
 * A thread handle, or an array of them, used for nothing else: joining one that was never given a value is undefined,
 * so its first contents do not matter.
 */
export const isHandleOnly = (variable: CVariable, body: CStatement): boolean =>
  everyExpression(body, (e) => usesAsHandle(e, variable))

const usesAsHandle = (e: CExpr, variable: CVariable): boolean => {
  if (e.kind === 'variable') return e.variable !== variable
  if (e.kind === 'statements') return !mentions(e, variable)
  if (e.kind !== 'call') return subexpressions(e).every((child) => usesAsHandle(child, variable))
  const name = calleeOf(e.callee)?.name ?? ''
  const args = CREATES.has(name) || USES.has(name) ? e.args.slice(1) : e.args
  return args.every((arg) => usesAsHandle(arg, variable))
}
