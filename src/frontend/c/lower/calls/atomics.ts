// Atomic operations of C11 (stdatomic.h), of gcc (__atomic_*, __sync_*) and of clang (__c11_atomic_*): each is one
// step. Orders weaker than sequential consistency are noted; here they mean sequential consistency.
import {
  binary,
  bitnot,
  cast,
  constant,
  type Expr,
  eq,
  INT,
  intType,
  isLibrary,
  type Location,
  type MemoryOrder,
  type Sync,
  type Type,
  Unsupported,
  varExpr,
} from '../../../../xcfa/index.js'
import { type CExpr, type CType, MACHINE_ORDER_BIT } from '../../ast.js'
import { isPointer, sizeOf, unqualified } from '../../check/types.js'
import { inOneStep } from '../assignments.js'
import type { ProcedureBuilder } from '../builder.js'
import { evaluate, keep, value } from '../expressions.js'
import { isRecord, scalarType } from '../layout.js'
import { loadFrom, type Place, placeOf, readPlace, scaled, storeTo, writePlace } from '../places.js'

import { isRecordOperation, recordBehind, recordOperation } from './atomic-records.js'

type CBuiltin = CExpr & { readonly kind: 'builtin' }

/** Loads and stores of inline assembly are ordered by the machine, more than by what stands for it. */
export const MACHINE_ORDER = 'orders of the machine'
export const WEAK_ORDER = 'atomic operations with weaker memory orders are sequentially consistent'

interface Operation {
  readonly name: string
  /** `__sync_*` have no orders; the gcc forms without _n take values by address. */
  readonly byAddress: boolean
  /** Pointers move by elements in stdatomic.h, by bytes in gcc's builtins. */
  readonly scales: boolean
}

/** The operation that a builtin's name means, under one name for all families. */
const operationOf = (name: string): Operation | undefined => {
  const gcc = /^__atomic_(\w+?)(_n)?$/.exec(name)
  if (gcc) {
    const operation = gcc[1]!
    const byAddress = !gcc[2] && ['load', 'store', 'exchange', 'compare_exchange'].includes(operation)
    return { name: operation, byAddress, scales: false }
  }
  const c11 = /^(?:__c11_)?atomic_(\w+?)(?:_explicit)?$/.exec(name)
  if (c11) return { name: c11[1]!.replace(/^flag_/, ''), byAddress: false, scales: true }
  const sync = /^__sync_(\w+)$/.exec(name)
  return sync ? { name: `sync_${sync[1]}`, byAddress: false, scales: false } : undefined
}

export const atomicOperation = (b: ProcedureBuilder, e: CBuiltin): { readonly value: Expr | undefined } | undefined => {
  const operation = operationOf(e.name)
  if (!operation) return undefined
  const outer = b.orders
  b.orders = undefined
  const value = lowerOperation(b, e, operation)
  b.orders = outer
  return { value }
}

const lowerOperation = (b: ProcedureBuilder, e: CBuiltin, { name, byAddress, scales }: Operation): Expr | undefined => {
  const { args } = e
  if (isRecordOperation(name, args)) return onRecord(b, e, name, byAddress)
  switch (name) {
    case 'load':
      noteOrders(b, args.slice(byAddress ? 2 : 1))
      return byAddress ? loadThrough(b, args) : finished(b, e, atomicLoad(b, args[0]!))
    case 'init':
      return plainStore(b, args[0]!, args[1]!)
    case 'store':
      noteOrders(b, args.slice(2))
      return withOrder(b, args[2], () => atomicStore(b, args[0]!, args[1]!, byAddress))
    case 'exchange':
      noteOrders(b, args.slice(byAddress ? 3 : 2))
      return exchange(b, e, byAddress)
    // Of these builtins of GCC alone: an acquiring exchange, and a releasing store.
    case 'sync_lock_test_and_set':
      noteWeakOrder(b, 'acquire')
      return exchange(b, e, false)
    case 'compare_exchange':
      noteOrders(b, args.slice(4))
      return compareExchange(b, e, byAddress, mayBeNonZero(args[3]))
    case 'compare_exchange_strong':
    case 'compare_exchange_weak':
      noteOrders(b, args.slice(3))
      return compareExchange(b, e, false, name === 'compare_exchange_weak')
    case 'sync_bool_compare_and_swap':
    case 'sync_val_compare_and_swap':
      return compareAndSwap(b, e, name === 'sync_bool_compare_and_swap')
    case 'test_and_set':
      noteOrders(b, args.slice(1))
      return testAndSet(b, e)
    case 'clear':
      noteOrders(b, args.slice(1))
      return withOrder(b, args[1], () => clear(b, args[0]!))
    case 'sync_lock_release':
      noteWeakOrder(b, 'release')
      return inOrder(b, 'release', () => clear(b, args[0]!))
    case 'thread_fence':
      noteOrders(b, args)
      fence(b, args[0])
      return undefined
    case 'signal_fence':
      // It orders a thread and its signal handlers, not threads.
      noteOrders(b, args)
      return undefined
    case 'sync_synchronize':
      b.emit({ kind: 'fence' })
      return undefined
    case 'always_lock_free':
    case 'is_lock_free':
      return constant(INT, 1)
    default:
      return fetchOperation(b, e, name, scales)
  }
}

const onRecord = (b: ProcedureBuilder, { args, position }: CBuiltin, name: string, byAddress: boolean) => {
  const [records, isWeak] = name.startsWith('compare_exchange')
    ? [3, name === 'compare_exchange' ? mayBeNonZero(args[3]) : name.endsWith('weak')]
    : [{ load: byAddress ? 2 : 1, exchange: byAddress ? 3 : 2 }[name] ?? 2, false]
  const orders = args.slice(name === 'compare_exchange' ? 4 : records)
  if (orders.some((order) => constantIn(order) !== SEQ_CST))
    throw new Unsupported('an atomic operation on a record with an order weaker than seq_cst', position)
  const type = recordBehind(args[0])!
  const failing = (failed: Location): void => failSpuriously(b, failed)
  return recordOperation(b, { name, args, type, byAddress, isWeak, failSpuriously: failing })
}

const SEQ_CST = 5
const RELEASE = 3

/** The orders by their numbers in stdatomic.h; consume counts as acquire, as compilers have it. */
const ORDERS: readonly MemoryOrder[] = ['relaxed', 'acquire', 'acquire', 'release', 'acq_rel', 'seq_cst']

const noteWeakOrder = (b: ProcedureBuilder, order: MemoryOrder): void => {
  b.unit.notes.add(WEAK_ORDER)
  b.orders = { c11: order }
}

const noteOrders = (b: ProcedureBuilder, orders: readonly CExpr[]): void => {
  const names = orders.map((order): MemoryOrder => {
    const known = orderIn(order)
    if (known === undefined) evaluate(b, order)
    if (known !== undefined && known !== constantIn(order)) b.unit.notes.add(MACHINE_ORDER)
    // That a model merely looks at something (sem_getvalue) does not make the program one that speaks of orders.
    if (known !== SEQ_CST && !isLibrary(order.position)) b.unit.notes.add(WEAK_ORDER)
    return known === undefined ? 'unknown' : (ORDERS[known] ?? 'unknown')
  })
  b.orders = {
    ...(names[0] !== undefined && names[0] !== 'seq_cst' && { c11: names[0] }),
    ...(names[1] !== undefined && { c11Failure: names[1] }),
  }
}

/** The access itself has the operation's orders; what its arguments access has not. */
const accessing = <T>(b: ProcedureBuilder, work: () => T): T => {
  b.accessing = true
  const result = work()
  b.accessing = false
  return result
}

const constantIn = (e: CExpr): number | undefined => {
  let plain = e
  while (plain.kind === 'cast') plain = plain.operand
  return plain.kind === 'constant' ? Number(plain.value) : undefined
}

/** The number of an order, where it is known. */
const orderIn = (e: CExpr): number | undefined => {
  const given = constantIn(e)
  return given === undefined ? undefined : given & ~MACHINE_ORDER_BIT
}

const mayBeNonZero = (e: CExpr | undefined): boolean => e !== undefined && constantIn(e) !== 0

/** A store with an order that is weaker than seq_cst is an ordinary one on machines with store buffers. */
const withOrder = (b: ProcedureBuilder, order: CExpr | undefined, work: () => undefined): undefined => {
  const known = order && orderIn(order)
  if (known === undefined || known === SEQ_CST) return work()
  return inOrder(b, known === RELEASE ? 'release' : 'relaxed', work)
}

const inOrder = (b: ProcedureBuilder, order: Sync['order'] & string, work: () => undefined): undefined => {
  b.order = order
  work()
  b.order = undefined
}

/** A fence that acquires orders loads, which store buffers keep in order; one that releases orders stores. */
const fence = (b: ProcedureBuilder, order: CExpr | undefined): void => {
  const known = order && orderIn(order)
  const c11 = known === undefined ? undefined : ORDERS[known]
  // Machines with store buffers have one fence; for models with orders, one that is computed is not known.
  if (order && known === undefined) b.emit({ kind: 'fence', c11: 'unknown' })
  else if (known === undefined || known === SEQ_CST) b.emit({ kind: 'fence' })
  else if (known >= RELEASE) b.emit({ kind: 'fence', order: 'release', ...(c11 && { c11 }) })
  else if (known > 0) b.emit({ kind: 'fence', order: 'acquire', c11: 'acquire' })
}

// ---- the object

/** The object that an operation works on, as atomic. */
const objectOf = (b: ProcedureBuilder, pointer: CExpr): Place => {
  const place = placeOfPointer(b, pointer)
  const type = unqualified(place.type)
  const isFlag = type.kind === 'record' || type.kind === 'void'
  return { ...place, type: atomicType(isFlag ? flagType(b, type, pointer) : type) }
}

const placeOfPointer = (b: ProcedureBuilder, pointer: CExpr): Place => {
  const to = unqualified(pointer.type)
  if (pointer.kind === 'address') {
    // The lvalue of a decayed array (&a[0], or a itself) is the array; what is meant is its first element.
    const place = placeOf(b, pointer.lvalue)
    return unqualified(place.type).kind === 'array' && to.kind === 'pointer' ? { ...place, type: to.to } : place
  }
  if (to.kind !== 'pointer') throw new Unsupported('an atomic operation on what is no pointer', pointer.position)
  return { kind: 'memory', address: value(b, pointer), type: to.to }
}

const atomicType = (type: CType): CType => ({ kind: 'qualified', type, atomic: true, volatile: false, constant: false })

/** atomic_flag may be a struct of one small integer. */
const flagType = (b: ProcedureBuilder, type: CType, pointer: CExpr): CType => {
  const size = type.kind === 'record' ? (sizeOf(type, b.unit.target) ?? 0) : 1
  if (![1, 2, 4, 8].includes(size)) throw new Unsupported('an atomic operation on a record', pointer.position)
  return { kind: 'int', width: size * 8, signed: false, name: 'flag' }
}

const valueType = (b: ProcedureBuilder, place: Place): Type => scalarType(place.type, b.unit.target, b.position)

/** The place with an address that does not change while the other arguments are evaluated. */
const kept = (b: ProcedureBuilder, place: Place, ...later: readonly CExpr[]): Place =>
  place.kind === 'variable' ? place : { ...place, address: keep(b, place.address, ...later) }

const finished = (b: ProcedureBuilder, e: CBuiltin, result: Expr): Expr =>
  unqualified(e.type).kind === 'void' ? result : cast(scalarType(e.type, b.unit.target, e.position), result)

/** A new value for the object: an argument, or what it points to. */
const newValue = (b: ProcedureBuilder, place: Place, arg: CExpr, byAddress: boolean): Expr => {
  const type = valueType(b, place)
  if (!byAddress) return b.stable(cast(type, value(b, arg)))
  if (isRecord(arg.type)) throw new Unsupported('an atomic record', arg.position)
  return loadFrom(b, value(b, arg), type, false)
}

// ---- the operations

const atomicLoad = (b: ProcedureBuilder, pointer: CExpr): Expr => {
  const place = objectOf(b, pointer)
  return accessing(b, () => readPlace(b, place))
}

const loadThrough = (b: ProcedureBuilder, args: readonly CExpr[]): undefined => {
  const result = b.stable(atomicLoad(b, args[0]!))
  storeTo(b, value(b, args[1]!), result, false)
}

const atomicStore = (b: ProcedureBuilder, pointer: CExpr, arg: CExpr, byAddress: boolean): undefined => {
  const place = kept(b, objectOf(b, pointer), arg)
  const replacement = newValue(b, place, arg, byAddress)
  accessing(b, () => writePlace(b, place, replacement))
}

/** atomic_init is no atomic operation: beside any other access it is a race (C11 7.17.2.2p2). */
const plainStore = (b: ProcedureBuilder, pointer: CExpr, arg: CExpr): undefined => {
  const object = objectOf(b, pointer)
  const place = kept(b, { ...object, type: unqualified(object.type) }, arg)
  writePlace(b, place, newValue(b, place, arg, false))
}

const exchange = (b: ProcedureBuilder, e: CBuiltin, byAddress: boolean): Expr | undefined => {
  const place = kept(b, objectOf(b, e.args[0]!), ...e.args.slice(1))
  const replacement = newValue(b, place, e.args[1]!, byAddress)
  const old = update(b, place, () => replacement).old
  if (!byAddress) return finished(b, e, old)
  storeTo(b, value(b, e.args[2]!), old, false)
  return undefined
}

/** Reads and writes in one step; both values. */
const update = (b: ProcedureBuilder, place: Place, change: (old: Expr) => Expr): { old: Expr; updated: Expr } => {
  let updated: Expr | undefined
  const old = accessing(b, () =>
    inOneStep(b, () => {
      const before = b.stable(readPlace(b, place))
      updated = b.stable(change(before))
      writePlace(b, place, updated)
      return before
    }),
  )
  return { old, updated: updated ?? old }
}

const compareExchange = (b: ProcedureBuilder, e: CBuiltin, byAddress: boolean, isWeak: boolean): Expr => {
  const [pointer, expectedPointer, desiredArg] = [e.args[0]!, e.args[1]!, e.args[2]!]
  const place = kept(b, objectOf(b, pointer), expectedPointer, desiredArg)
  const expectedPlace = kept(b, placeOfPointer(b, expectedPointer), desiredArg)
  const desired = newValue(b, place, desiredArg, byAddress)
  const expected = cast(valueType(b, place), readPlace(b, expectedPlace))
  const { old, succeeded } = swapIfEqual(b, place, b.stable(expected), desired, isWeak)
  const [failed, next] = [b.pin(), b.pin()]
  b.branch(eq(succeeded, constant(INT, 0)), failed, next)
  b.continueAt(failed)
  writePlace(b, expectedPlace, cast(scalarType(expectedPlace.type, b.unit.target, e.position), old))
  b.continueAt(next)
  return finished(b, e, succeeded)
}

const compareAndSwap = (b: ProcedureBuilder, e: CBuiltin, wantsTruth: boolean): Expr => {
  const [pointer, expectedArg, desiredArg] = [e.args[0]!, e.args[1]!, e.args[2]!]
  const place = kept(b, objectOf(b, pointer), expectedArg, desiredArg)
  const expected = newValue(b, place, expectedArg, false)
  const { old, succeeded } = swapIfEqual(b, place, expected, newValue(b, place, desiredArg, false))
  return finished(b, e, wantsTruth ? succeeded : old)
}

/** A weak compare and exchange may fail though the values are equal (C11 7.17.7.4p4), finitely often in a row. */
const swapIfEqual = (b: ProcedureBuilder, place: Place, expected: Expr, desired: Expr, isWeak = false) => {
  const succeeded = b.temporary(INT)
  const old = accessing(b, () =>
    inOneStep(b, () => {
      const before = b.stable(readPlace(b, place))
      b.either(
        (equal, different) => b.branch(eq(before, expected), equal, different),
        (different) => {
          if (isWeak) failSpuriously(b, different)
          writePlace(b, place, desired)
          b.emit({ kind: 'assign', target: succeeded, value: constant(INT, 1) })
        },
        () => b.emit({ kind: 'assign', target: succeeded, value: constant(INT, 0) }),
      )
      return before
    }),
  )
  return { old, succeeded: varExpr(succeeded) }
}

const failSpuriously = (b: ProcedureBuilder, failed: Location): void => {
  const [fails, goesOn] = [b.pin(), b.pin()]
  b.choose(fails, goesOn)
  b.continueAt(fails)
  const outer = b.sync
  b.sync = { ...(outer ?? { kind: 'atomic' }), spurious: true }
  b.emit()
  b.sync = outer
  b.goto(failed)
  b.continueAt(goesOn)
}

const testAndSet = (b: ProcedureBuilder, e: CBuiltin): Expr => {
  const place = objectOf(b, e.args[0]!)
  const { old } = update(b, place, () => constant(valueType(b, place), 1))
  return finished(b, e, cast(intType(1, false), old))
}

const clear = (b: ProcedureBuilder, pointer: CExpr): undefined => {
  const place = objectOf(b, pointer)
  accessing(b, () => writePlace(b, place, constant(valueType(b, place), 0)))
}

const FETCH = /^(?:fetch_(\w+)|sync_fetch_and_(\w+)|sync_(\w+)_and_fetch|(\w+)_fetch)$/

const fetchOperation = (b: ProcedureBuilder, e: CBuiltin, name: string, scales: boolean): Expr => {
  const match = FETCH.exec(name)
  const op = match && (match[1] ?? match[2] ?? match[3] ?? match[4])
  if (!op || !(op in COMBINE)) throw new Unsupported(e.name, e.position)
  if (!name.startsWith('sync_')) noteOrders(b, e.args.slice(2))
  const arg = e.args[1]!
  const place = kept(b, objectOf(b, e.args[0]!), arg)
  const operand = b.stable(value(b, arg))
  const pointee = isPointer(place.type) ? unqualified(place.type) : undefined
  const elementSize = pointee?.kind === 'pointer' ? (sizeOf(pointee.to, b.unit.target) ?? 1) : 1
  const size = scales ? elementSize : 1
  // The macros of clang's stdatomic.h count elements; its __atomic_fetch_add counts bytes, as gcc's does.
  if (size !== elementSize && !name.startsWith('sync_')) b.unit.notes.add(COUNTS_BYTES)
  const combine = COMBINE[op as keyof typeof COMBINE]
  const type = valueType(b, place)
  const { old, updated } = update(b, place, (before) =>
    combine(before, pointee ? scaled(b, operand, size) : cast(type, operand)),
  )
  return finished(b, e, match?.[1] || match?.[2] ? old : updated)
}

const COUNTS_BYTES = 'atomic_fetch_add and atomic_fetch_sub count bytes of a pointer, as gcc has them'

const COMBINE = {
  add: (left: Expr, right: Expr) => binary('add', left, right),
  sub: (left: Expr, right: Expr) => binary('sub', left, right),
  and: (left: Expr, right: Expr) => binary('bitand', left, right),
  or: (left: Expr, right: Expr) => binary('bitor', left, right),
  xor: (left: Expr, right: Expr) => binary('bitxor', left, right),
  nand: (left: Expr, right: Expr) => bitnot(binary('bitand', left, right)),
} as const
