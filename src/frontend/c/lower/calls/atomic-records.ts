// Atomic operations on records (C11 7.17 allows any type; a pointer with a counter beside it is the usual one): all
// scalars of the record are read or written in one step. Records are compared scalar by scalar. What is between their
// members may differ, too (C11 7.17.7.4p3), so that with padding an exchange may fail though all members are equal.
import { and, byteSize, constant, type Expr, eq, INT, Unsupported, varExpr } from '../../../../xcfa/index.js'
import type { CExpr, CType } from '../../ast.js'
import { sizeOf, unqualified } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { offsetType } from '../context.js'
import { keep, value } from '../expressions.js'
import { type CopyUnit, unitsOf } from '../layout.js'
import { ATOMIC_RECORD, displaced, frameTemporary, loadFrom, storeTo } from '../places.js'
import { recordAddress } from '../records.js'

export interface RecordOperation {
  readonly name: string
  readonly args: readonly CExpr[]
  /** The type of the record. */
  readonly type: CType
  /** Whether records are given and returned by their addresses. */
  readonly byAddress: boolean
  /** A compare and exchange that may fail though the records are equal. */
  readonly isWeak: boolean
  /** Leaves the current step for `failed`, as a weak exchange may. */
  readonly failSpuriously: (failed: ReturnType<ProcedureBuilder['pin']>) => void
}

const OPERATIONS: ReadonlySet<string> = new Set(
  'load store init exchange compare_exchange compare_exchange_strong compare_exchange_weak'.split(' '),
)

export const isRecordOperation = (name: string, args: readonly CExpr[]): boolean =>
  OPERATIONS.has(name) && recordBehind(args[0]) !== undefined

export const recordBehind = (pointer: CExpr | undefined): CType | undefined => {
  const type = pointer && unqualified(pointer.type)
  const to = type?.kind === 'pointer' ? unqualified(type.to) : undefined
  return to?.kind === 'record' ? to : undefined
}

/** What the operation returns: a record's address, a truth value, or nothing. */
export const recordOperation = (b: ProcedureBuilder, operation: RecordOperation): Expr | undefined => {
  const { name, args, type } = operation
  b.unit.notes.add(ATOMIC_RECORD)
  const object = new Cells(b, keep(b, value(b, args[0]!), ...args.slice(1)), type)
  switch (name) {
    case 'load': {
      const result = operation.byAddress ? value(b, args[1]!) : frameTemporary(b, type, 'atomic')
      const to = new Cells(b, result, type)
      to.write(
        inOneStep(b, () => object.read(true)),
        false,
      )
      return operation.byAddress ? undefined : result
    }
    case 'init':
      object.write(given(b, operation, args[1]!).read(false), false)
      return undefined
    case 'store': {
      const parts = given(b, operation, args[1]!).read(false)
      inOneStep(b, () => object.write(parts, true))
      return undefined
    }
    case 'exchange':
      return exchange(b, object, operation)
    default:
      return compareExchange(b, object, operation)
  }
}

const inOneStep = <T>(b: ProcedureBuilder, work: () => T): T => {
  let result: T | undefined
  b.atomically(() => {
    result = work()
  })
  return result as T
}

/** A record that is an argument. */
const given = (b: ProcedureBuilder, { byAddress, type }: RecordOperation, arg: CExpr): Cells =>
  new Cells(b, byAddress ? value(b, arg) : recordAddress(b, arg), type)

const exchange = (b: ProcedureBuilder, object: Cells, operation: RecordOperation): Expr | undefined => {
  const { args, type, byAddress } = operation
  const parts = given(b, operation, args[1]!).read(false)
  const result = byAddress ? b.stable(value(b, args[2]!)) : frameTemporary(b, type, 'atomic')
  const old = inOneStep(b, () => {
    const before = object.read(true)
    object.write(parts, true)
    return before
  })
  new Cells(b, result, type).write(old, false)
  return byAddress ? undefined : result
}

const compareExchange = (b: ProcedureBuilder, object: Cells, operation: RecordOperation): Expr => {
  const { args, type, isWeak, failSpuriously } = operation
  const expected = new Cells(b, keep(b, value(b, args[1]!), args[2]!), type)
  const desired = given(b, operation, args[2]!).read(false)
  const wanted = expected.read(false)
  const succeeded = b.temporary(INT)
  const old = inOneStep(b, () => {
    const before = object.read(true)
    b.either(
      (equal, different) => b.branch(and(...before.map((part, i) => eq(part, wanted[i]!))), equal, different),
      (different) => {
        if (isWeak || object.hasPadding) failSpuriously(different)
        object.write(desired, true)
        b.emit({ kind: 'assign', target: succeeded, value: constant(INT, 1) })
      },
      () => b.emit({ kind: 'assign', target: succeeded, value: constant(INT, 0) }),
    )
    return before
  })
  const [failed, next] = [b.pin(), b.pin()]
  b.branch(eq(varExpr(succeeded), constant(INT, 0)), failed, next)
  b.continueAt(failed)
  expected.write(old, false)
  b.continueAt(next)
  return varExpr(succeeded)
}

/** A record at an address, as the accesses that cover it. */
class Cells {
  private readonly units: readonly CopyUnit[]
  private readonly base: Expr

  constructor(
    private readonly b: ProcedureBuilder,
    base: Expr,
    private readonly type: CType,
  ) {
    this.units = unitsOf(type, b.unit.target, b.position)
    // Numbers that are equal may differ in their bits, and those that are not numbers are not equal to themselves.
    if (this.units.some((unit) => unit.type.kind === 'float'))
      throw new Unsupported('an atomic operation on a record with floating-point members', b.position)
    this.base = b.stable(base)
  }

  read(isAtomic: boolean): readonly Expr[] {
    return this.units.map(({ offset, type }) => this.b.stable(loadFrom(this.b, this.at(offset), type, isAtomic)))
  }

  write(parts: readonly Expr[], isAtomic: boolean): void {
    for (const [i, { offset }] of this.units.entries()) storeTo(this.b, this.at(offset), parts[i]!, isAtomic)
  }

  get hasPadding(): boolean {
    const covered = this.units.reduce((sum, { type }) => sum + byteSize(type), 0)
    return covered !== sizeOf(this.type, this.b.unit.target)
  }

  private at(offset: number): Expr {
    return displaced(this.b, this.base, constant(offsetType(this.b.unit), offset))
  }
}
