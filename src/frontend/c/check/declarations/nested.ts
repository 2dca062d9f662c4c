// GNU nested functions. A variable of the function around is used through a cell that holds its address: a static object
// of the thread, which the function around sets where it begins. One cell serves one activation at a time, so a
// function whose variables are used in this way must not be called again while it runs; that is unsupported by name.
// A jump to a label of the function around has a number: the thread remembers it, and every call that returns meanwhile
// is left at once, until the function of the label is reached (lower/calls/jumps-out.ts).
import type { CExpr, CFunction, CStatement, CVariable } from '../../ast.js'
import type { SyntaxNode } from '../../parse/index.js'
import {
  type Context,
  type FunctionContext,
  type ProgramContext,
  positionOf,
  type Scope,
  unsupported,
} from '../context.js'
import { INT, pointerTo, unqualified } from '../types.js'

/** The function that a visible name belongs to; undefined: none. */
const ownerOf = (c: Context, name: string): FunctionContext | undefined => {
  let scope: Scope | undefined = c.scope
  while (scope && !scope.names.has(name)) scope = scope.parent
  while (scope && !scope.function) scope = scope.parent
  return scope?.function
}

/** A local variable of a function around this one, as an lvalue; undefined: it is this function's own. */
export const captured = (c: Context, name: string, variable: CVariable, node: SyntaxNode): CExpr | undefined => {
  if (!c.function?.outer || variable.storage !== 'auto') return undefined
  const owner = ownerOf(c, name)
  if (!owner || owner === c.function) return undefined
  const position = positionOf(c, node)
  const plain = unqualified(variable.type)
  if (plain.kind === 'array' && plain.variable)
    return unsupported('an array of variable length in a nested function', position)
  const cell = cellOf(c, owner, variable)
  const pointer: CExpr = {
    kind: 'load',
    lvalue: { kind: 'variable', variable: cell, type: cell.type, position },
    type: cell.type,
    position,
  }
  return { kind: 'deref', pointer, type: variable.type, position }
}

const cellOf = (c: Context, owner: FunctionContext, variable: CVariable): CVariable => {
  const known = owner.cells.get(variable)
  if (known) return known
  const cell: CVariable = {
    kind: 'variable',
    name: `address of ${variable.name}`,
    type: pointerTo(variable.type),
    position: variable.position,
    storage: 'thread',
    addressTaken: false,
  }
  variable.addressTaken = true
  owner.cells.set(variable, cell)
  c.program.variables.add(cell)
  c.program.defined.add(cell)
  c.program.withNested.add(owner.function)
  return cell
}

/** `goto` to a label of a function around this one. */
export const jumpOut = (
  c: Context,
  owner: FunctionContext,
  label: string,
  node: SyntaxNode,
): { readonly kind: 'goto'; readonly label: string; readonly out: CFunction } => {
  const { program } = c
  owner.uses.push({ name: label, node })
  program.withNested.add(owner.function)
  if (!program.jump) {
    const position = positionOf(c, node)
    program.jump = {
      kind: 'variable',
      name: 'label ahead',
      type: INT,
      position,
      storage: 'thread',
      addressTaken: false,
    }
    program.variables.add(program.jump)
    program.defined.add(program.jump)
  }
  owner.function.labelsFromInside ??= new Map()
  const numbers = owner.function.labelsFromInside
  if (!numbers.has(label)) numbers.set(label, ++program.numberedLabels)
  return { kind: 'goto', label, out: owner.function }
}

/** What a function does first: it leaves the addresses of its variables in the cells. */
export const cellStatements = ({ cells }: FunctionContext, text: string): readonly CStatement[] =>
  [...cells].map(([variable, cell]) => {
    const { position } = variable
    const lvalue: CExpr = { kind: 'variable', variable, type: variable.type, position }
    const value: CExpr = { kind: 'address', lvalue, type: cell.type, position }
    const target: CExpr = { kind: 'variable', variable: cell, type: cell.type, position }
    const expression: CExpr = { kind: 'assign', target, value, type: cell.type, position }
    return { kind: 'expression', expression, position, text }
  })

/** Functions that may be called while they run cannot share one cell among their activations. */
export const refuseReentered = (program: ProgramContext): void => {
  for (const fn of program.withNested) {
    if (!fn.body || !(fn.addressTaken || reaches(program, fn))) continue
    const what = `recursion of ${fn.name}, whose variables nested functions use`
    fn.body = { kind: 'unsupported', what, position: fn.position, text: fn.name }
  }
}

const reaches = ({ references }: ProgramContext, goal: CFunction): boolean => {
  const seen = new Set<CFunction | CVariable>()
  const waiting: (CFunction | CVariable)[] = [...(references.get(goal) ?? [])]
  for (let symbol = waiting.pop(); symbol; symbol = waiting.pop()) {
    if (symbol === goal) return true
    if (seen.has(symbol) || symbol.kind !== 'function') continue
    seen.add(symbol)
    waiting.push(...(references.get(symbol) ?? []))
  }
  return false
}
