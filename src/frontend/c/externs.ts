// Functions that a program calls and nobody defines: all of them at once, and bodies for those of which the user says
// what to assume. `heddle stubs` prints the same bodies as C, to be edited.
import type { CExpr, CFunction, CProgram, CStatement, CType, CVariable } from './ast.js'
import { INT, isComplete, isVoid, pointerTo, type Target, typeName, unqualified } from './check/types.js'
import { isIntrinsic } from './lower/index.js'

/** What is assumed of functions without a definition. */
export interface ExternOptions {
  /** These do nothing but return any value. */
  readonly pure: readonly string[]
  /** All others return any value, and write one object behind each pointer that they are given. */
  readonly havoc: boolean
}

export const undefinedFunctions = (program: CProgram): readonly CFunction[] =>
  [...program.functions.values()].filter(
    ({ body, name }) => !body && !isIntrinsic(name) && !name.startsWith('__heddle_'),
  )

/** Gives bodies to those of which something is assumed; what a verdict has to mention of them. */
export const assumeExterns = (program: CProgram, { pure, havoc }: ExternOptions, target: Target): readonly string[] =>
  undefinedFunctions(program).flatMap((fn) => {
    const isPure = pure.includes(fn.name)
    if (!isPure && !havoc) return []
    fn.parameters = fn.type.parameters.map((type, i) => local(fn, `argument${i + 1}`, type))
    fn.body = bodyOf(fn, isPure, target)
    const effect = isPure
      ? 'nothing but return any value'
      : 'no more than return any value and write what its arguments point to'
    return [`${fn.name}, which has no definition, does ${effect}`]
  })

const local = ({ position }: CFunction, name: string, type: CType): CVariable => ({
  kind: 'variable',
  name,
  type: unqualified(type),
  position,
  storage: 'auto',
  addressTaken: unqualified(type).kind === 'record',
})

const variable = (one: CVariable): CExpr => ({
  kind: 'variable',
  variable: one,
  type: one.type,
  position: one.position,
})

const load = (lvalue: CExpr): CExpr => ({
  kind: 'load',
  lvalue,
  type: unqualified(lvalue.type),
  position: lvalue.position,
})

/** What a parameter lets the function write: an object that is not const. */
const writable = (type: CType, target: Target): CType | undefined => {
  const pointer = unqualified(type)
  if (pointer.kind !== 'pointer') return undefined
  const { to } = pointer
  const isConstant = to.kind === 'qualified' && to.constant === true
  return isConstant || isVoid(to) || unqualified(to).kind === 'function' || !isComplete(to, target)
    ? undefined
    : unqualified(to)
}

const bodyOf = (fn: CFunction, isPure: boolean, target: Target): CStatement => {
  const at = { position: fn.position, text: fn.name }
  const body: CStatement[] = []
  for (const parameter of isPure ? [] : fn.parameters) {
    const type = writable(parameter.type, target)
    if (!type || type.kind === 'array') continue
    const any = local(fn, 'any', type)
    const pointer = load(variable(parameter))
    const lvalue: CExpr = { kind: 'deref', pointer, type, position: fn.position }
    const assign: CExpr = { kind: 'assign', target: lvalue, value: load(variable(any)), type, position: fn.position }
    const null_: CExpr = { kind: 'constant', value: 0, type: pointerTo(type), position: fn.position }
    body.push({ kind: 'declare', variable: any, ...at })
    body.push({
      kind: 'if',
      condition: { kind: 'compare', op: '!=', left: pointer, right: null_, type: INT, position: fn.position },
      // biome-ignore lint/suspicious/noThenProperty: the name that conditions have in the tree.
      then: { kind: 'expression', expression: assign, ...at },
      else: undefined,
      ...at,
    })
  }
  if (isVoid(fn.type.result)) return { kind: 'block', body, ...at }
  const result = local(fn, 'result', fn.type.result)
  body.push({ kind: 'declare', variable: result, ...at })
  body.push({ kind: 'return', value: load(variable(result)), ...at })
  return { kind: 'block', body, ...at }
}

/**
 * A stub for each function, as C to be edited: it returns any value and does nothing else. Headers that declare them are
 * included for the names of types.
 */
export const stubsText = (functions: readonly CFunction[]): string => {
  const headers = [...new Set(functions.map(({ position }) => position.file))].filter((file) => /\.h$/.test(file))
  return [
    ...headers.map((file) => `#include "${file}"\n`),
    headers.length > 0 ? '\n' : '',
    definitions(functions),
  ].join('')
}

const definitions = (functions: readonly CFunction[]): string =>
  functions
    .map((fn) => {
      const { type, name, position } = fn
      const parameters = type.parameters.map((one, i) => typeName(one, `argument${i + 1}`))
      if (type.variadic) parameters.push('...')
      const list = parameters.length === 0 ? 'void' : parameters.join(', ')
      const head = typeName(type.result, `${name}(${list})`)
      const result = isVoid(type.result)
        ? []
        : [`  ${typeName(type.result, 'result')};  /* any value */`, '  return result;']
      return [`/* Declared at ${position.file}:${position.line}. */`, head, '{', ...result, '}', ''].join('\n')
    })
    .join('\n')
