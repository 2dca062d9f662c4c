// Calls: arguments from left to right, then an edge with nothing but the call. Records are passed as the address of
// a fresh copy, and returned through an address that the caller passes first.
import {
  type Call,
  type Element,
  type Expr,
  type Variable,
  varExpr,
  withoutDefinition,
} from '../../../../xcfa/index.js'
import { THREAD_EPILOGUE } from '../../../../xcfa/passes/inline/inline.js'
import type { CExpr, CFunction } from '../../ast.js'
import { isVoid, unqualified } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { calleeOf } from '../effects/callee.js'
import { inEveryOrder } from '../effects/order.js'
import { touchedBy } from '../effects/touched.js'
import { keep, value } from '../expressions.js'
import { isRecord, scalarType } from '../layout.js'
import { copyObject, frameTemporary } from '../places.js'
import { isAtomicRecord, recordAddress } from '../records.js'
import { copyByType } from './copies.js'
import { copyMany } from './copies-of-many.js'
import { intrinsic } from './intrinsics.js'
import { leaveForJump } from './jumps-out.js'
import { layArguments } from './variable-arguments.js'

type CCall = CExpr & { readonly kind: 'call' }

/** `element`: what the pointer that it returns is taken for. */
export const call = (b: ProcedureBuilder, e: CCall, element?: Element): Expr | undefined => {
  const callee = calleeOf(e.callee)
  if (callee) {
    const known = intrinsic(b, callee.name, callee.body !== undefined, e)
    if (known) return known.value
    const copied = copyByType(b, callee, e.args)
    if (copied) return copied
  }
  return plainCall(b, e, callee, undefined, element)
}

/** The address of the record that the call returns. */
export const callForRecord = (b: ProcedureBuilder, e: CCall): Expr => {
  const result = frameTemporary(b, e.type, 'result')
  plainCall(b, e, calleeOf(e.callee), result)
  return result
}

const plainCall = (
  b: ProcedureBuilder,
  e: CCall,
  callee: CFunction | undefined,
  recordResult: Expr | undefined,
  element?: Element,
): Expr | undefined => {
  const pointer = callee ? undefined : keep(b, value(b, e.callee), ...e.args)
  const ordered = inEveryOrder(
    b,
    e.args.map((arg) => ({ touched: touchedBy(arg), evaluate: () => [argument(b, arg)] })),
  )
  const args = ordered
    ? ordered.map(([arg]) => arg!)
    : e.args.map((arg, i) => keep(b, argument(b, arg), ...e.args.slice(i + 1)))
  // A program without keys has nothing to do at the end of a thread; inlining knows.
  if (callee && !callee.body && callee.name !== THREAD_EPILOGUE) throw withoutDefinition(callee.name, e.position)
  const target = isVoid(e.type) || recordResult ? undefined : b.temporary(scalarType(e.type, b.unit.target, e.position))
  // Arguments that a function with `...` never asks for are evaluated, and no more.
  const isOpen = callee?.body !== undefined && callee.type.variadic
  const named = callee && (callee.takesArguments || isOpen) ? callee.parameters.length : args.length
  const passed = args.slice(0, named)
  if (callee?.takesArguments) passed.push(layArguments(b, callee, e.args.slice(named), args.slice(named)))
  if (callee && copyMany(b, callee, e.args, args, (values) => emitCall(b, callee, values, undefined, undefined)))
    return args[0]
  emitCall(b, callee ?? pointer!, recordResult ? [recordResult, ...passed] : passed, target, element)
  return target ? varExpr(target) : undefined
}

const emitCall = (
  b: ProcedureBuilder,
  callee: CFunction | Expr,
  args: Expr[],
  target: Variable | undefined,
  element: Element | undefined,
): void => {
  const candidates: string[] = []
  const isNamed = callee.kind === 'function'
  const label: Call = {
    kind: 'call',
    callee: isNamed ? callee.name : callee,
    candidates,
    args,
    ...(target ? { target } : {}),
    ...(element ? { element } : {}),
  }
  if (isNamed && callee.body && callee.name !== THREAD_EPILOGUE) b.unit.wanted.add(callee)
  if (!isNamed) b.unit.indirect.push({ call: label, candidates })
  b.enterAtomic()
  b.emit(label)
  leaveForJump(b)
}

const argument = (b: ProcedureBuilder, e: CExpr): Expr => {
  if (!isRecord(e.type)) return value(b, e)
  const copy = frameTemporary(b, unqualified(e.type), 'argument')
  copyObject(b, recordAddress(b, e), copy, e.type, { from: isAtomicRecord(e) })
  return copy
}
