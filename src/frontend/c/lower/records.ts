// Values of struct and union type: they are in memory, and expressions give the address where. Assigning copies
// scalar by scalar.
import { type Expr, Unsupported, varExpr } from '../../../xcfa/index.js'
import type { CExpr, CType } from '../ast.js'
import { unqualified } from '../check/types.js'
import { SYNC_RECORDS } from '../library/types.js'
import type { ProcedureBuilder } from './builder.js'
import { builtin } from './calls/builtins.js'
import { callForRecord } from './calls/calls.js'
import { either, evaluate, keep } from './expressions.js'
import { isAtomic } from './layout.js'
import { addressOf, copyObject, placeOf } from './places.js'
import { isCleanup, statementList } from './statements.js'

export const recordAddress = (b: ProcedureBuilder, e: CExpr): Expr => {
  switch (e.kind) {
    case 'load':
      if (e.lvalue.kind !== 'compound') noteCopiedLock(b, e.type)
      return recordAddress(b, e.lvalue)
    case 'variable':
    case 'deref':
    case 'member':
    case 'compound':
      return addressOf(b, e)
    case 'cast':
      return recordAddress(b, e.operand)
    case 'assign':
      return assignRecord(b, e.target, e.value)
    case 'comma':
      evaluate(b, e.left)
      return recordAddress(b, e.right)
    case 'conditional':
      return eitherRecord(b, e)
    case 'call':
      return callForRecord(b, e)
    case 'builtin':
      return builtin(b, e) ?? unsupported(e)
    case 'statements':
      if (e.body.some(isCleanup)) return unsupported(e)
      statementList(b, e.body)
      return e.value ? recordAddress(b, e.value) : unsupported(e)
    default:
      return unsupported(e)
  }
}

/** Locks among what is copied keep their state, which POSIX does not promise of copies (2.9.9). */
export const noteCopiedLock = (b: ProcedureBuilder, type: CType): void => {
  if (holdsLock(type)) b.unit.notes.add('no copy of a lock, condition variable, barrier or semaphore is used as one')
}

const holdsLock = (type: CType): boolean => {
  const plain = unqualified(type)
  if (plain.kind === 'array') return holdsLock(plain.of)
  if (plain.kind !== 'record') return false
  return SYNC_RECORDS.has(plain.tag) || plain.fields.some((field) => holdsLock(field.type))
}

const unsupported = (e: CExpr): never => {
  throw new Unsupported(`a record from ${e.kind}`, e.position)
}

export const assignRecord = (b: ProcedureBuilder, target: CExpr, source: CExpr): Expr => {
  const place = placeOf(b, target)
  if (place.kind === 'variable') throw new Unsupported('a record in a variable', target.position)
  const to = keep(b, place.address, source)
  const atomicity = { from: isAtomicRecord(source), to: isAtomicRecord(target) }
  copyObject(b, recordAddress(b, source), to, target.type, atomicity)
  return to
}

/** Whether reading the record, or writing it, is one step. */
export const isAtomicRecord = (e: CExpr): boolean => {
  switch (e.kind) {
    case 'load':
      return isAtomicRecord(e.lvalue)
    case 'cast':
      return isAtomicRecord(e.operand)
    case 'variable':
    case 'deref':
    case 'member':
      return isAtomic(e.type)
    default:
      return false
  }
}

const eitherRecord = (b: ProcedureBuilder, e: CExpr & { kind: 'conditional' }): Expr => {
  const address = b.temporary(b.unit.pointer)
  either(
    b,
    e.condition,
    () => b.emit({ kind: 'assign', target: address, value: recordAddress(b, e.then) }),
    () => b.emit({ kind: 'assign', target: address, value: recordAddress(b, e.else) }),
  )
  return varExpr(address)
}
