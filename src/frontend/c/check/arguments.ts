// The arguments of a program: where its entry looks at `argv`, `argv = __heddle_arguments(argc);` comes first, and the
// model gives any strings up to a length. A program that does not look at them is left as it is.
import type { CExpr, CFunction, CStatement, CType, CVariable } from '../ast.js'
import { isVoid, pointerTo, unqualified } from './types.js'

/** The model of what a program is called with. */
export const ARGUMENTS = '__heddle_arguments'

/** The entry's `argv`, if something is asked of it. */
export const askedArguments = (entry: CFunction): CVariable | undefined => {
  const [count, texts] = entry.parameters
  if (!count || !texts || unqualified(count.type).kind === 'pointer' || !isTexts(texts.type)) return undefined
  return entry.body && mentions(entry.body, texts) ? texts : undefined
}

const isTexts = (type: CType): boolean => {
  const outer = unqualified(type)
  return outer.kind === 'pointer' && unqualified(outer.to).kind === 'pointer'
}

export const giveArguments = (entry: CFunction, texts: CVariable, model: CFunction): void => {
  const [count] = entry.parameters
  const { body } = entry
  if (!count || body?.kind !== 'block') return
  const { position } = body
  const callee: CExpr = { kind: 'function', function: model, type: model.type, position }
  const asked: CExpr = {
    kind: 'load',
    lvalue: { kind: 'variable', variable: count, type: count.type, position },
    ...{ type: unqualified(count.type), position },
  }
  const given: CExpr = {
    kind: 'call',
    callee: { kind: 'address', lvalue: callee, type: pointerTo(model.type), position },
    args: [asked],
    ...{ type: model.type.result, position },
  }
  const target: CExpr = { kind: 'variable', variable: texts, type: texts.type, position }
  const expression: CExpr = { kind: 'assign', target, value: given, type: unqualified(texts.type), position }
  const first: CStatement = { kind: 'expression', expression, position, text: 'the program is called' }
  entry.body = { ...body, body: [first, ...body.body] }
}

/** What a tree does not have below it. */
const ELSEWHERE = new Set(['type', 'position', 'function', 'field', 'text', 'out'])

/** Whether the variable is used, other than in `(void)argv;`. */
const mentions = (node: unknown, variable: CVariable): boolean => {
  if (typeof node !== 'object' || node === null) return false
  if (isDiscarded(node as CExpr, variable)) return false
  return Object.entries(node).some(([key, value]) => {
    if (key === 'variable') return value === variable
    return !ELSEWHERE.has(key) && mentions(value, variable)
  })
}

const isDiscarded = (e: CExpr, variable: CVariable): boolean => {
  if (e.kind !== 'cast' || !isVoid(e.type)) return false
  const read = e.operand.kind === 'load' ? e.operand.lvalue : e.operand
  return read.kind === 'variable' && read.variable === variable
}
