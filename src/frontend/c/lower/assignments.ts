// Assignments, compound assignments, ++ and --. On an _Atomic object each of them is one step.
import { cast, constant, type Expr, type IntType, intType, isLibrary, type Type, varExpr } from '../../../xcfa/index.js'
import type { CExpr } from '../ast.js'
import { arithmetic, type CBinaryOp } from './arithmetic.js'
import type { ProcedureBuilder } from './builder.js'
import { type Evaluation, inEveryOrder } from './effects/order.js'
import { isAtomicAccess } from './effects/purity.js'
import { readsShared, touchedBy, touchedByAddress } from './effects/touched.js'
import { keep, value } from './expressions.js'
import { isRecord, scalarType } from './layout.js'
import { displaced, type Place, placeOf, readPlace, scaled, writePlace } from './places.js'
import { assignRecord } from './records.js'

export const assignment = (b: ProcedureBuilder, e: CExpr & { kind: 'assign' }): Expr => {
  if (isRecord(e.target.type)) return assignRecord(b, e.target, e.value)
  const type = scalarType(e.target.type, b.unit.target, e.position)
  let held: Place | undefined
  const target: Evaluation = {
    touched: touchedByAddress(e.target),
    evaluate: () => {
      held = placeOf(b, e.target)
      return addressIn(held)
    },
  }
  const source: Evaluation = { touched: touchedBy(e.value), evaluate: () => [cast(type, value(b, e.value))] }
  const ordered = inEveryOrder(b, [target, source])
  if (ordered && held) return writePlace(b, placeAt(held, ordered[0]![0]), ordered[1]![0]!)
  const place = keepPlace(b, placeOf(b, e.target), e.value)
  return writePlace(b, place, cast(type, value(b, e.value)))
}

const STORED_VALUE = 'the value of an assignment is what was assigned, and the variable is not read again for it'

/** C11 6.5.16p3 lets a compiler read the target again, as gcc -O0 does: another thread may have changed it meanwhile. */
export const noteValueOfAssignment = (b: ProcedureBuilder, { target, position }: Assignment): void => {
  if (b.depth > 0 || !b.unit.hasThreads || isAtomicAccess(target) || isLibrary(position)) return
  if (readsShared(touchedBy({ kind: 'load', lvalue: target, type: target.type, position })))
    b.unit.notes.add(STORED_VALUE)
}

type Assignment = CExpr & { kind: 'assign' | 'compoundAssign' | 'increment' }

const addressIn = (place: Place): readonly Expr[] => (place.kind === 'memory' ? [place.address] : [])

/** The same place, with an address that was computed in one of several orders. */
const placeAt = (place: Place, address: Expr | undefined): Place =>
  place.kind === 'memory' && address ? { ...place, address } : place

/** The place, whose address later evaluations cannot change. */
const keepPlace = (b: ProcedureBuilder, place: Place, ...later: readonly CExpr[]): Place =>
  place.kind === 'variable' ? place : { ...place, address: keep(b, place.address, ...later) }

export const compoundAssignment = (b: ProcedureBuilder, e: CExpr & { kind: 'compoundAssign' }): Expr => {
  const ordered = isAtomicAccess(e.target) ? undefined : compoundInEveryOrder(b, e)
  if (ordered) return ordered
  const place = keepPlace(b, placeOf(b, e.target), e.operand)
  if (isAtomicAccess(e.target)) {
    const operand = b.stable(value(b, e.operand))
    return inOneStep(b, () => writePlace(b, place, combined(b, e, place, readPlace(b, place), operand)))
  }
  const old = keep(b, readPlace(b, place), e.operand)
  return writePlace(b, place, combined(b, e, place, old, value(b, e.operand)))
}

/** x += f(): whether x is read before f or after it. */
const compoundInEveryOrder = (b: ProcedureBuilder, e: CExpr & { kind: 'compoundAssign' }): Expr | undefined => {
  let held: Place | undefined
  const target: Evaluation = {
    touched: touchedBy({ kind: 'load', lvalue: e.target, type: e.target.type, position: e.position }),
    evaluate: () => {
      const place = placeOf(b, e.target)
      held = place.kind === 'memory' ? { ...place, address: b.stable(place.address) } : place
      return [b.stable(readPlace(b, held)), ...addressIn(held)]
    },
  }
  const operand: Evaluation = { touched: touchedBy(e.operand), evaluate: () => [value(b, e.operand)] }
  const ordered = inEveryOrder(b, [target, operand])
  if (!ordered || !held) return undefined
  const place = placeAt(held, ordered[0]![1])
  return writePlace(b, place, combined(b, e, place, ordered[0]![0]!, ordered[1]![0]!))
}

/** old op operand, computed as C says, converted back. */
const combined = (
  b: ProcedureBuilder,
  e: CExpr & { kind: 'compoundAssign' },
  place: Place,
  old: Expr,
  operand: Expr,
): Expr => {
  if (e.elementSize !== undefined) return moved(b, old, operand, e.op === '-' ? -e.elementSize : e.elementSize)
  const type = scalarType(e.computeAs, b.unit.target, e.position)
  const isShift = e.op === '<<' || e.op === '>>'
  const result = arithmetic(b, e.op, cast(type, old), isShift ? operand : cast(type, operand))
  return cast(typeOf(b, place, e), result)
}

const moved = (b: ProcedureBuilder, pointer: Expr, count: Expr, size: number): Expr =>
  displaced(b, pointer, scaled(b, count, size))

const typeOf = (b: ProcedureBuilder, place: Place, e: CExpr): Type => scalarType(place.type, b.unit.target, e.position)

/** `needed`: somebody uses the value. */
export const increment = (b: ProcedureBuilder, e: CExpr & { kind: 'increment' }, needed: boolean): Expr => {
  const place = keepPlace(b, placeOf(b, e.target))
  const step = (): Expr => {
    const first = readPlace(b, place)
    const old = needed && !e.prefix ? b.stable(first) : first
    const updated = writePlace(b, place, next(b, e, place, old))
    return e.prefix ? updated : old
  }
  if (!isAtomicAccess(e.target)) return step()
  if (needed) return inOneStep(b, step)
  b.atomically(() => {
    step()
  })
  return varExpr(b.self)
}

const next = (b: ProcedureBuilder, e: CExpr & { kind: 'increment' }, place: Place, old: Expr): Expr => {
  if (e.elementSize !== undefined) return moved(b, old, constant(intType(32, true), e.by), e.elementSize)
  const type = typeOf(b, place, e)
  const computeAs = type.kind === 'int' ? promoted(type) : type
  const op: CBinaryOp = e.by === 1 ? '+' : '-'
  return cast(type, arithmetic(b, op, cast(computeAs, old), constant(computeAs, 1)))
}

const promoted = (type: IntType): IntType => (type.width < 32 ? intType(32, true) : type)

/** Reads and writes as one atomic step; the result is kept in a temporary. */
export const inOneStep = (b: ProcedureBuilder, work: () => Expr): Expr => {
  let result: Expr | undefined
  b.atomically(() => {
    result = b.stable(work())
  })
  return result ?? varExpr(b.self)
}
