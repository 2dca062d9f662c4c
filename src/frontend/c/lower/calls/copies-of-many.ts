// memcpy, memmove and memset of objects whose type the arguments tell, and whose number is no constant here: element by
// element, so that memory keeps its types. What is left of the size is for the library's loop over bytes; where inlining
// makes the size a constant, nothing is left and the loop disappears. A structure that ends in a flexible array member
// is its head, followed by elements of that array.
import {
  add,
  cast,
  constant,
  div,
  type Expr,
  eq,
  intType,
  isLibrary,
  le,
  lt,
  mul,
  not,
  sub,
  type Type,
  type Variable,
  varExpr,
} from '../../../../xcfa/index.js'
import type { CExpr, CFunction, CType } from '../../ast.js'
import { compatibleUnqualified, sizeOf, unqualified } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { offsetType } from '../context.js'
import { type CopyUnit, sizeOfObject } from '../layout.js'
import { displaced, loadFrom, storeTo } from '../places.js'
import { bytesOf, constantOf, filled, pointedTo } from './copies.js'
import { reachLimit } from './intrinsics.js'

const MAX_UNITS = 32

/** What the memory consists of: a head, which may be empty, and elements behind it. */
interface Shape {
  readonly head: readonly CopyUnit[]
  readonly headSize: number
  readonly element: readonly CopyUnit[]
  readonly elementSize: number
}

/** Transfers these scalars at an offset from the beginning. */
type Transfer = (units: readonly CopyUnit[], offset: Expr) => void

interface Job {
  readonly shape: Shape
  readonly size: Expr
  readonly transfer: Transfer
  /** The library's function for what lies between an offset and the end. */
  readonly rest: (offset: Expr) => void
  /** The size is a multiple of the element's by the way it is written. */
  readonly isWhole: boolean
}

/** True if the call was such a call, and is done. `emit` calls the library's function. */
export const copyMany = (
  b: ProcedureBuilder,
  callee: CFunction,
  args: readonly CExpr[],
  values: readonly Expr[],
  emit: (values: Expr[]) => void,
): boolean => {
  if (args.length !== 3 || !callee.body || !isLibrary(callee.body.position)) return false
  if (!['memset', 'memcpy', 'memmove'].includes(callee.name)) return false
  const shape = shapeOf(b, args)
  if (!shape) return false
  const [to, second, whole] = values.map((e) => b.stable(e)) as [Expr, Expr, Expr]
  const size = cast(word(b), whole)
  const job = (transfer: Transfer, rest: Job['rest']): Job => ({
    ...{ shape, size, transfer, rest },
    isWhole: shape.headSize === 0 && isMultipleOf(args[2]!, shape.elementSize),
  })
  const left = (offset: Expr): Expr => cast(whole.type, sub(size, offset))
  if (callee.name === 'memset') {
    const byte = constantOf(args[1]!)
    const units = [...shape.head, ...shape.element]
    if (byte === undefined || units.some(({ type }) => filled(type, byte) === undefined)) return false
    const transfer: Transfer = (parts, offset) => {
      for (const unit of parts) storeTo(b, at(b, to, offset, unit), filled(unit.type, byte)!, false)
    }
    forwards(
      b,
      job(transfer, (offset) => emit([displaced(b, to, signed(b, offset)), second, left(offset)])),
    )
    return true
  }
  const rest = (offset: Expr): void => {
    const by = signed(b, offset)
    emit([displaced(b, to, by), displaced(b, second, by), left(offset)])
  }
  const read = (unit: CopyUnit, offset: Expr): Expr => loadFrom(b, at(b, second, offset, unit), unit.type, false)
  const write = (unit: CopyUnit, offset: Expr, e: Expr): void => storeTo(b, at(b, to, offset, unit), e, false)
  if (callee.name === 'memcpy') {
    const transfer: Transfer = (units, offset) => {
      for (const unit of units) write(unit, offset, read(unit, offset))
    }
    forwards(b, job(transfer, rest))
    return true
  }
  return moveMany(b, job(transferWhole(read, write), rest), to, second)
}

/** Reads an element before any of it is written. */
const transferWhole =
  (read: (unit: CopyUnit, offset: Expr) => Expr, write: (unit: CopyUnit, offset: Expr, e: Expr) => void): Transfer =>
  (units, offset) => {
    const parts = units.map((unit) => ({ unit, part: read(unit, offset) }))
    for (const { unit, part } of parts) write(unit, offset, part)
  }

/** From the first element, unless the first byte of the target is one of the source's. */
const moveMany = (b: ProcedureBuilder, job: Job, to: Expr, from: Expr): boolean => {
  if (!job.isWhole) return false
  const distance = cast(word(b), sub(signed(b, to), signed(b, from)))
  b.either(
    (apart, overlapping) => b.branch(le(job.size, distance), apart, overlapping),
    () => forwards(b, job),
    () => backwards(b, job),
  )
  return true
}

const shapeOf = (b: ProcedureBuilder, args: readonly CExpr[]): Shape | undefined => {
  const types = args.slice(0, 2).flatMap((arg) => pointedTo(arg) ?? [])
  const [type, other] = types
  const isFill = unqualified(args[1]!.type).kind === 'int'
  if (!type || (!isFill && (!other || !compatibleUnqualified(type, other)))) return undefined
  const shape = shapeOfType(b, type)
  if (!shape || shape.elementSize <= 1 || shape.element.length === 0) return undefined
  return shape.head.length + shape.element.length > MAX_UNITS ? undefined : shape
}

const shapeOfType = (b: ProcedureBuilder, type: CType): Shape | undefined => {
  const plain = unqualified(type)
  const last = plain.kind === 'record' && !plain.union ? plain.fields.at(-1) : undefined
  const tail = last && unqualified(last.type)
  if (tail?.kind === 'array' && !tail.length && !tail.variable) {
    const elementSize = sizeOf(tail.of, b.unit.target)
    if (!elementSize) return undefined
    const head = bytesOf(b, type).filter(({ offset }) => offset < last!.offset)
    return { head, headSize: last!.offset, element: bytesOf(b, tail.of), elementSize }
  }
  if (!sizeOf(type, b.unit.target)) return undefined
  const elementSize = sizeOfObject(type, b.unit.target, b.position)
  return { head: [], headSize: 0, element: bytesOf(b, type), elementSize }
}

const word = (b: ProcedureBuilder): Type => intType(b.unit.target.pointerBytes * 8, false)
const number = (b: ProcedureBuilder, value: number): Expr => constant(word(b), value)
const signed = (b: ProcedureBuilder, offset: Expr): Expr => cast(offsetType(b.unit), offset)
const at = (b: ProcedureBuilder, base: Expr, offset: Expr, unit: CopyUnit): Expr =>
  displaced(b, displaced(b, base, signed(b, offset)), constant(offsetType(b.unit), unit.offset))

const forwards = (b: ProcedureBuilder, job: Job): void => {
  const { shape, size, transfer, rest } = job
  const { head, headSize, elementSize } = shape
  const whole = (): void => {
    if (head.length > 0) transfer(head, number(b, 0))
    const end = b.stable(endOf(b, job))
    loop(
      b,
      number(b, headSize),
      (i) => not(eq(i, end)),
      (i) => {
        transfer(shape.element, i)
        return add(i, number(b, elementSize))
      },
    )
    leftOver(b, job, end)
  }
  if (headSize === 0) {
    whole()
    return
  }
  b.either(
    (fits, tooShort) => b.branch(le(number(b, headSize), size), fits, tooShort),
    whole,
    () => rest(number(b, 0)),
  )
}

const backwards = (b: ProcedureBuilder, job: Job): void => {
  const end = b.stable(endOf(b, job))
  loop(
    b,
    end,
    (i) => not(eq(i, number(b, 0))),
    (i) => {
      const before = b.stable(sub(i, number(b, job.shape.elementSize)))
      job.transfer(job.shape.element, before)
      return before
    },
  )
  leftOver(b, job, end)
}

/** Where the last whole element ends. */
const endOf = (b: ProcedureBuilder, { shape, size }: Job): Expr => {
  const [head, each] = [number(b, shape.headSize), number(b, shape.elementSize)]
  return add(head, mul(div(sub(size, head), each), each))
}

const leftOver = (b: ProcedureBuilder, { shape, size, rest, isWhole }: Job, end: Expr): void => {
  // A multiple of a power of two is one also where the product wrapped.
  if (isWhole && isPowerOfTwo(shape.elementSize)) return
  b.either(
    (some, none) => b.branch(lt(end, size), some, none),
    () => {
      if (isWhole) reachLimit(b, 'a size of memory that wrapped around')
      else rest(end)
    },
    () => {},
  )
}

const loop = (b: ProcedureBuilder, from: Expr, goesOn: (i: Expr) => Expr, body: (i: Expr) => Expr): void => {
  const counter: Variable = b.local('i', word(b))
  const [head, inside, after] = [b.pin(), b.pin(), b.pin()]
  b.step([{ kind: 'assign', target: counter, value: from }])
  b.continueAtLabel(head)
  b.branch(goesOn(varExpr(counter)), inside, after)
  b.continueAt(inside)
  b.step([{ kind: 'assign', target: counter, value: body(varExpr(counter)) }])
  b.goto(head)
  b.continueAt(after)
}

const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0

/** Whether the size is written as a product with a multiple of this number. */
const isMultipleOf = (e: CExpr, n: number): boolean => {
  const type = unqualified(e.type)
  // A conversion to _Bool makes 1 of every other number.
  if (type.kind !== 'int' || type.width === 1) return false
  if (e.kind === 'cast') return isMultipleOf(e.operand, n)
  const value = constantOf(e)
  if (value !== undefined) return value % BigInt(n) === 0n
  if (e.kind !== 'binary') return false
  if (e.op === '*') return isMultipleOf(e.left, n) || isMultipleOf(e.right, n)
  return (e.op === '+' || e.op === '-') && isMultipleOf(e.left, n) && isMultipleOf(e.right, n)
}
