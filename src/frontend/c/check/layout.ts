// Layout of structs and unions as gcc does it for the System V ABI (x86-64, i386): natural alignment, bit-fields that
// do not cross a unit of their declared type, `packed` and `aligned`.
import type { CField, CRecord, CType } from '../ast.js'
import { alignOf, sizeOf, type Target } from './types.js'

export interface MemberDeclaration {
  readonly name: string
  readonly type: CType
  /** Width of a bit-field. */
  readonly bits?: number
  /** _Alignas or __attribute__((aligned(n))). */
  readonly align?: number
  readonly packed?: boolean
}

export interface RecordAttributes {
  readonly packed: boolean
  readonly align: number | undefined
  /** #pragma pack: no member is aligned to more by its type. */
  readonly pack?: number | undefined
}

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit

/** Completes the record with its members. */
export const layOut = (
  record: CRecord,
  members: readonly MemberDeclaration[],
  attributes: RecordAttributes,
  target: Target,
): void => {
  const fields: CField[] = []
  let bit = 0
  let bytes = 0
  let recordAlign = 1
  for (const member of members) {
    if (record.union) bit = 0
    const packed = attributes.packed || member.packed === true
    const natural = packed ? 1 : Math.min(alignOf(member.type, target), attributes.pack ?? Number.POSITIVE_INFINITY)
    const align = Math.max(natural, Math.min(member.align ?? 1, attributes.pack ?? Number.POSITIVE_INFINITY))
    if (member.bits !== undefined) {
      const placed = placeBitField(bit, member.type, member.bits, packed, align, target)
      if (member.name) {
        recordAlign = Math.max(recordAlign, align)
        fields.push(placed.field(member.name))
      }
      bit = placed.end
    } else {
      const offset = roundUp(Math.ceil(bit / 8), align)
      fields.push({ name: member.name, type: member.type, offset })
      recordAlign = Math.max(recordAlign, align)
      bit = (offset + (sizeOf(member.type, target) ?? 0)) * 8
    }
    bytes = Math.max(bytes, Math.ceil(bit / 8))
  }
  const size = roundUp(bytes, Math.max(recordAlign, attributes.align ?? 1))
  record.fields = fields.map((field) => withUnitInside(field, size, target))
  record.align = Math.max(recordAlign, attributes.align ?? 1)
  record.size = roundUp(bytes, record.align)
  record.complete = true
}

/** A storage unit that would reach beyond its record: the least one that holds the bit-field, or just its bytes. */
const withUnitInside = (field: CField, size: number, target: Target): CField => {
  const { bits } = field
  if (!bits) return field
  const needed = Math.ceil((bits.offset + bits.width) / 8)
  if (field.offset + Math.max(sizeOf(field.type, target) ?? 0, needed) <= size) return field
  const start = field.offset * 8 + bits.offset
  for (const unit of [1, 2, 4, 8]) {
    const offset = Math.floor(Math.floor(start / 8) / unit) * unit
    if (offset + unit <= size && start + bits.width <= (offset + unit) * 8)
      return { ...field, offset, bits: { offset: start - offset * 8, width: bits.width, unit } }
  }
  const offset = Math.floor(start / 8)
  const unit = Math.ceil((start + bits.width) / 8) - offset
  return { ...field, offset, bits: { offset: start - offset * 8, width: bits.width, unit } }
}

const placeBitField = (
  bit: number,
  type: CType,
  width: number,
  packed: boolean,
  align: number,
  target: Target,
): { readonly end: number; readonly field: (name: string) => CField } => {
  const typeBytes = sizeOf(type, target) ?? 4
  const alignBits = align * 8
  let start = bit
  if (width === 0) start = roundUp(bit, alignOf(type, target) * 8)
  else if (!packed) {
    // gcc's excess_unit_span: it may not span more units of its alignment than its type has.
    const spanned = Math.floor((bit + width + alignBits - 1) / alignBits) - Math.floor(bit / alignBits)
    if (spanned > (typeBytes * 8) / alignBits) start = roundUp(bit, alignBits)
  }
  const inOneUnit =
    Math.floor(start / (typeBytes * 8)) === Math.floor((start + Math.max(width, 1) - 1) / (typeBytes * 8))
  // A packed bit-field has a unit that begins with its own byte, so that the unit need not be in the record's bounds.
  const offset = packed || !inOneUnit ? Math.floor(start / 8) : Math.floor(start / (typeBytes * 8)) * typeBytes
  return {
    end: start + width,
    field: (name) => ({ name, type, offset, bits: { offset: start - offset * 8, width } }),
  }
}

/** Finds a member by name, also inside anonymous structs and unions (C11 6.7.2.1p13). */
export const findMember = (record: CRecord, name: string): readonly CField[] | undefined => {
  for (const field of record.fields) {
    if (field.name === name) return [field]
    if (field.name !== '') continue
    let inner = field.type
    while (inner.kind === 'qualified') inner = inner.type
    if (inner.kind !== 'record') continue
    const rest = findMember(inner, name)
    if (rest) return [field, ...rest]
  }
  return undefined
}
