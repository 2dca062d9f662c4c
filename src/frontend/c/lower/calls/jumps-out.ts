// Jumps out of nested functions. The thread remembers the number of the label and returns; behind every call it is asked
// whether one is on its way: the function of the label goes there, every other one returns, too.
import { constant, eq, type Location, Unsupported } from '../../../../xcfa/index.js'
import type { CFunction } from '../../ast.js'
import type { ProcedureBuilder } from '../builder.js'
import { placeOfVariable, readPlace, writePlace } from '../places.js'

export const labelLocation = (b: ProcedureBuilder, name: string): Location => {
  if (!b.jumps) throw new Error('a label outside a function')
  const { labels } = b.jumps
  let location = labels.get(name)
  if (!location) labels.set(name, (location = b.pin()))
  return location
}

const setJump = (b: ProcedureBuilder, number: number): void => {
  const place = placeOfVariable(b, b.unit.program.jump!)
  const { type } = readPlace(b, place)
  writePlace(b, place, constant(type, number))
}

export const jumpOut = (b: ProcedureBuilder, owner: CFunction, label: string): void => {
  if (b.depth > 0) throw new Unsupported('a jump out of a nested function in an atomic block', b.position)
  setJump(b, owner.labelsFromInside!.get(label)!)
  b.goto(b.exit)
}

/** Behind a call. */
export const leaveForJump = (b: ProcedureBuilder): void => {
  const { jump } = b.unit.program
  if (!jump || !b.jumps || b.depth > 0) return
  const ahead = b.stable(readPlace(b, placeOfVariable(b, jump)))
  for (const [label, number] of b.jumps.function.labelsFromInside ?? []) {
    const [here, otherwise] = [b.pin(), b.pin()]
    b.branch(eq(ahead, constant(ahead.type, number)), here, otherwise)
    b.continueAt(here)
    setJump(b, 0)
    b.goto(labelLocation(b, label))
    b.continueAt(otherwise)
  }
  const next = b.pin()
  b.branch(eq(ahead, constant(ahead.type, 0)), next, b.exit)
  b.continueAt(next)
}
