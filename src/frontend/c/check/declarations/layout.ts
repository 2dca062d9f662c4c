// Layout of structs and unions as gcc does it for the System V ABI (x86-64, i386): natural alignment, bit-fields that
// do not cross a unit of their declared type, `packed` and `aligned`.
import type { CField, CRecord, CType } from '../../ast.js'
import { alignOf, sizeOf, type Target } from '../types.js'

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

/** A member that has its place; the bytes that are accessed for a bit-field are decided when all have theirs. */
interface Placed {
  readonly member: MemberDeclaration
  /** First bit, and the bit after the last. */
  readonly start: number
  readonly end: number
}

/** Completes the record with its members. */
export const layOut = (
  record: CRecord,
  members: readonly MemberDeclaration[],
  attributes: RecordAttributes,
  target: Target,
): void => {
  const placed: Placed[] = []
  let bit = 0
  let bytes = 0
  let recordAlign = 1
  for (const member of members) {
    if (record.union) bit = 0
    const packed = attributes.packed || member.packed === true
    const natural = packed ? 1 : Math.min(alignOf(member.type, target), attributes.pack ?? Number.POSITIVE_INFINITY)
    const align = Math.max(natural, Math.min(member.align ?? 1, attributes.pack ?? Number.POSITIVE_INFINITY))
    const start =
      member.bits === undefined
        ? roundUp(Math.ceil(bit / 8), align) * 8
        : startOfBitField(bit, member.type, member.bits, packed, align, target)
    bit = start + (member.bits ?? (sizeOf(member.type, target) ?? 0) * 8)
    if (member.bits === undefined || member.name) recordAlign = Math.max(recordAlign, align)
    placed.push({ member, start, end: bit })
    bytes = Math.max(bytes, Math.ceil(bit / 8))
  }
  record.align = Math.max(recordAlign, attributes.align ?? 1)
  record.size = roundUp(bytes, record.align)
  record.fields = fieldsOf(placed, record, target)
  record.complete = true
}

const startOfBitField = (
  bit: number,
  type: CType,
  width: number,
  packed: boolean,
  align: number,
  target: Target,
): number => {
  if (width === 0) return roundUp(bit, alignOf(type, target) * 8)
  if (packed) return bit
  // gcc's excess_unit_span: it may not span more units of its alignment than its type has.
  const alignBits = align * 8
  const spanned = Math.floor((bit + width + alignBits - 1) / alignBits) - Math.floor(bit / alignBits)
  return spanned > ((sizeOf(type, target) ?? 4) * 8) / alignBits ? roundUp(bit, alignBits) : bit
}

// ---- bit-fields

const isBitField = ({ member }: Placed): boolean => member.bits !== undefined && member.bits > 0

/** A union's members lie over each other: none limits another. */
const fieldsOf = (placed: readonly Placed[], record: CRecord, target: Target): readonly CField[] =>
  placed.flatMap((each, i): CField[] => {
    const { member, start } = each
    if (member.bits === undefined) return [{ name: member.name, type: member.type, offset: start / 8 }]
    if (!member.name || member.bits === 0) return []
    let [first, last] = [i, i]
    while (!record.union && first > 0 && isBitField(placed[first - 1]!)) first--
    while (!record.union && last + 1 < placed.length && isBitField(placed[last + 1]!)) last++
    const before = record.union ? 0 : Math.ceil((placed[first - 1]?.end ?? 0) / 8)
    const after = record.union ? record.size : Math.floor((placed[last + 1]?.start ?? record.size * 8) / 8)
    const location = { placed: placed.slice(first, last + 1), before, after }
    return [{ name: member.name, type: member.type, ...bitsOf(each, location, target) }]
  })

/** A memory location of C11 3.14: adjacent bit-fields. The bytes from `before` to `after` belong to no other member. */
interface BitLocation {
  readonly placed: readonly Placed[]
  readonly before: number
  readonly after: number
}

const ACCESS_SIZES = [1, 2, 4, 8]

const bitsOf = ({ start, end }: Placed, location: BitLocation, target: Target): Pick<CField, 'offset' | 'bits'> => {
  const window = windowOf(location, target)
  const offset = window?.offset ?? Math.floor(start / 8)
  const size = window?.size ?? Math.ceil(end / 8) - offset
  return { offset, bits: { offset: start - offset * 8, width: end - start, size, whole: window !== undefined } }
}

/** The bytes of one access that covers the location and no other member: of the declared type's size, if possible. */
const windowOf = ({ placed, before, after }: BitLocation, target: Target) => {
  const first = Math.floor(placed[0]!.start / 8)
  const end = Math.ceil(placed.at(-1)!.end / 8)
  const declared = Math.max(...placed.map(({ member }) => sizeOf(member.type, target) ?? 4))
  const sizes = [declared, ...ACCESS_SIZES].filter((size) => ACCESS_SIZES.includes(size))
  for (const size of sizes)
    for (const offset of [Math.floor(first / size) * size, first])
      if (offset >= before && offset + size >= end && offset + size <= after) return { offset, size }
  return undefined
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
