// Bit-fields. To write one is to read its bytes and to write them back with its bits changed, in two steps, as compilers
// do it: what another thread writes into the same memory location in between is lost. The bytes are those of the memory
// location (C11 3.14): no other member is touched.
import { binary, bitand, bitor, cast, constant, type Expr, type IntType, intType, shl } from '../../../xcfa/index.js'
import type { CBits } from '../ast.js'
import type { ProcedureBuilder } from './builder.js'
import { offsetType } from './context.js'
import { isAtomic, scalarType } from './layout.js'
import { displaced, loadFrom, type Place, storeTo } from './places.js'

type MemoryPlace = Place & { readonly kind: 'memory' }

/** An access for a bit-field: bits [low, high) of `unit` are bits [at, at + high - low) of the field. */
interface Part {
  readonly offset: number
  readonly unit: IntType
  readonly low: number
  readonly high: number
  readonly at: number
}

/** One access where a power of two of bytes is enough, otherwise several. */
const partsOf = ({ offset, width, size }: CBits): readonly Part[] => {
  const parts: Part[] = []
  for (let at = 0; at < size; ) {
    const bytes = [8, 4, 2, 1].find((n) => n <= size - at)!
    const low = Math.max(offset - at * 8, 0)
    const high = Math.min(offset + width - at * 8, bytes * 8)
    if (low < high) parts.push({ offset: at, unit: intType(bytes * 8, false), low, high, at: at * 8 + low - offset })
    at += bytes
  }
  return parts
}

const amount = (bits: number): Expr => constant(intType(32, true), bits)

const maskOf = (low: number, high: number): bigint => ((1n << BigInt(high - low)) - 1n) << BigInt(low)

const addressOf = (b: ProcedureBuilder, place: MemoryPlace, part: Part): Expr =>
  part.offset === 0 ? place.address : displaced(b, place.address, constant(offsetType(b.unit), part.offset))

export const extract = (b: ProcedureBuilder, place: MemoryPlace, bits: CBits): Expr => {
  const parts = partsOf(bits)
  const [only] = parts
  const load = (part: Part): Expr => loadFrom(b, addressOf(b, place, part), part.unit, isAtomic(place.type))
  if (only && parts.length === 1) return fieldIn(b, place, only, load(only))
  const word = intType(64, false)
  const collected = parts.reduce<Expr>(
    (sum, part) => {
      const cut = binary('shr', bitand(load(part), constant(part.unit, maskOf(part.low, part.high))), amount(part.low))
      return bitor(sum, shl(cast(word, cut), amount(part.at)))
    },
    constant(word, 0),
  )
  return fieldIn(b, place, { offset: 0, unit: word, low: 0, high: bits.width, at: 0 }, collected)
}

/** The field's value from the word that it lies in. */
const fieldIn = (b: ProcedureBuilder, place: MemoryPlace, { unit, low, high }: Part, word: Expr): Expr => {
  const declared = scalarType(place.type, b.unit.target, b.position)
  const signed = declared.kind === 'int' && declared.signed && declared.width > 1
  const left = binary('shl', cast(intType(unit.width, signed), word), amount(unit.width - high))
  return cast(declared, binary('shr', left, amount(unit.width - high + low)))
}

/** Writes the field; gives the value that it then has. */
export const insert = (b: ProcedureBuilder, place: MemoryPlace, bits: CBits, e: Expr): Expr => {
  const field = b.stable(e)
  const atomic = isAtomic(place.type)
  const write = (): void => {
    for (const part of partsOf(bits)) {
      const address = b.stable(addressOf(b, place, part))
      const mask = maskOf(part.low, part.high)
      const old = loadFrom(b, address, part.unit, atomic)
      storeTo(b, address, bitor(bitand(old, constant(part.unit, ~mask)), placed(field, part, mask)), atomic)
    }
  }
  if (atomic) b.atomically(write)
  else write()
  const word = intType(64, false)
  const kept = bitand(cast(word, field), constant(word, maskOf(0, bits.width)))
  return fieldIn(b, place, { offset: 0, unit: word, low: 0, high: bits.width, at: 0 }, kept)
}

/** The field's bits, where they are in the word of the part. */
const placed = (field: Expr, { unit, low, at }: Part, mask: bigint): Expr => {
  const shifted = at === 0 ? field : binary('shr', cast(intType(64, false), field), amount(at))
  return bitand(shl(cast(unit, shifted), amount(low)), constant(unit, mask))
}
