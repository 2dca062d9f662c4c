// The arguments beyond a prototype, in consecutive places of the caller's frame (check/expressions/variable-arguments.ts).
import { cast, constant, type Expr, isLibrary, Unsupported } from '../../../../xcfa/index.js'
import type { CExpr, CFunction } from '../../ast.js'
import { ARGUMENT_SIZE } from '../../check/expressions/variable-arguments.js'
import { arrayOf, sizeOf, UNSIGNED_LONG_LONG, unqualified } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { offsetType } from '../context.js'
import { isRecord } from '../layout.js'
import { copyObject, displaced, frameTemporary, storeTo } from '../places.js'

/**
 * The address of the places where the values are; of a record its value is the address. Functions of the library do not
 * keep it: their arguments count as theirs.
 */
export const layArguments = (
  b: ProcedureBuilder,
  callee: CFunction,
  args: readonly CExpr[],
  values: readonly Expr[],
): Expr => {
  const pointer = b.unit.pointer
  if (args.length === 0) return cast(pointer, constant(offsetType(b.unit), 0))
  const rooms = args.map((arg) => {
    const size = sizeOf(unqualified(arg.type), b.unit.target)
    if (size === undefined) throw new Unsupported('an argument of incomplete type', arg.position)
    return Math.ceil(size / ARGUMENT_SIZE)
  })
  const total = rooms.reduce((sum, room) => sum + room, 0)
  const start = frameTemporary(
    b,
    arrayOf(UNSIGNED_LONG_LONG, total),
    'arguments',
    isLibrary(callee.position) ? callee.position : b.position,
  )
  let place = 0
  args.forEach((arg, i) => {
    const address = displaced(b, start, constant(offsetType(b.unit), place * ARGUMENT_SIZE))
    if (isRecord(arg.type)) copyObject(b, values[i]!, address, arg.type)
    else storeTo(b, address, values[i]!, false)
    place += rooms[i]!
  })
  return start
}
