// Functions that run without a call (GNU): constructors before the entry, in the order of their priorities, and
// destructors after it, for which the entry registers them with `atexit`.
import type { CExpr, CFunction, CStatement } from '../ast.js'
import type { SyntaxNode } from '../parse/index.js'
import { type Context, type ImplicitCall, type ProgramContext, positionOf, unsupported } from './context.js'
import { pointerTo } from './types.js'

export const addImplicitCall = (
  c: Context,
  fn: CFunction,
  { kind, priority }: Omit<ImplicitCall, 'function'>,
  node: SyntaxNode,
): void => {
  if (kind === 'ifunc' || fn.type.parameters.length > 0) unsupported(`attribute ${kind}`, positionOf(c, node))
  if (!c.program.implicit.some((one) => one.function === fn && one.kind === kind))
    c.program.implicit.push({ kind, priority, function: fn })
}

/** The entry calls them first; what is reached by that. */
export const callImplicitly = (program: ProgramContext, entry: CFunction): readonly CFunction[] => {
  const { body } = entry
  if (program.implicit.length === 0 || body?.kind !== 'block') return []
  const ordered = [...program.implicit].sort((a, b) => a.priority - b.priority)
  const before = ordered.filter(({ kind }) => kind === 'constructor').map((one) => one.function)
  const after = ordered.filter(({ kind }) => kind === 'destructor').map((one) => one.function)
  const atexit = after.length > 0 ? program.loadModel('atexit') : undefined
  const registering = atexit?.kind === 'function' ? atexit : undefined
  const registered = registering ? after.map((fn) => call(registering, [addressTaken(fn)])) : []
  entry.body = { ...body, body: [...before.map((fn) => call(fn, [])), ...registered, ...body.body] }
  return [...before, ...after, ...(registering ? [registering] : [])]
}

const addressTaken = (fn: CFunction): CExpr => {
  fn.addressTaken = true
  return address(fn)
}

const address = (fn: CFunction): CExpr => {
  const { type, position } = fn
  const lvalue: CExpr = { kind: 'function', function: fn, type, position }
  return { kind: 'address', lvalue, type: pointerTo(type), position }
}

const call = (fn: CFunction, args: readonly CExpr[]): CStatement => {
  const { position } = args[0] ?? fn
  const expression: CExpr = { kind: 'call', callee: address(fn), args, type: fn.type.result, position }
  return { kind: 'expression', expression, position, text: `${fn.name}()` }
}
