// The arguments of a program: where its entry looks at `argv`, `argv = __heddle_arguments(argc);` comes first, and the
// model gives any strings up to a length. A program that does not look at them is left as it is.
import type { CExpr, CFunction, CStatement, CType, CVariable } from '../ast.js'
import { INT, isVoid, pointerTo, unqualified } from './types.js'

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
    args: [asked, { kind: 'constant', value: mostToTry(body, count), type: INT, position }],
    ...{ type: model.type.result, position },
  }
  const target: CExpr = { kind: 'variable', variable: texts, type: texts.type, position }
  const expression: CExpr = { kind: 'assign', target, value: given, type: unqualified(texts.type), position }
  const first: CStatement = { kind: 'expression', expression, position, text: 'the program is called' }
  entry.body = { ...body, body: [first, ...body.body] }
}

const MAX_ARGC = 2 ** 31 - 1
/** With one more than are modelled, at least. */
const FEWEST_TO_TRY = 5
/** Larger bounds are not worth trying one by one. */
const MAX_TO_TRY = 20

/** A program that only compares argc with constants cannot tell larger numbers from the one after the last constant. */
const mostToTry = (body: CStatement, count: CVariable): number => {
  const constants = comparedWith(body, count)
  const most = Math.max(FEWEST_TO_TRY, ...(constants ?? []).map((value) => value + 1))
  return constants && most <= MAX_TO_TRY ? most : MAX_ARGC
}

/** The constants that the variable is compared with; undefined if it is used in another way. */
const comparedWith = (node: unknown, variable: CVariable): readonly number[] | undefined => {
  if (typeof node !== 'object' || node === null) return []
  const e = node as CExpr
  if (e.kind === 'compare')
    for (const [one, other] of [[e.left, e.right] as const, [e.right, e.left] as const])
      if (one.kind === 'load' && isVariable(one.lvalue, variable) && other.kind === 'constant')
        return [Math.abs(Number(other.value))]
  const found: number[] = []
  for (const [key, value] of Object.entries(node)) {
    if (key === 'variable' && value === variable) return undefined
    const below = ELSEWHERE.has(key) ? [] : comparedWith(value, variable)
    if (!below) return undefined
    found.push(...below)
  }
  return found
}

const isVariable = (e: CExpr, variable: CVariable): boolean => e.kind === 'variable' && e.variable === variable

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
  return isVariable(e.operand.kind === 'load' ? e.operand.lvalue : e.operand, variable)
}
