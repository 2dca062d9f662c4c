// Loads and stores as JavaScript: address to cell, checks that the cell is alive, then the cell's bits. A region of
// bytes is accessed byte by byte, little endian.
import {
  bitcastValue,
  byteSize,
  intType,
  type Load,
  type Store,
  sameType,
  type Type,
  type Value,
  wrap,
} from '../../../xcfa/index.js'
import { type Bounds, domainBounds, typeBounds } from './bounds.js'
import { highWord, lowWord, wideValue } from './cells.js'
import { unbounded } from './choice.js'
import type { EdgeCode } from './edge.js'
import { bitcastCode } from './expression.js'
import { cellAt, type RegionCells } from './memory.js'

export const loadCode = (code: EdgeCode, load: Load, position: number): void => {
  const region = code.generator.layout.regions.get(load.region)!
  const cell = locate(code, region, load)
  if (cell === undefined) {
    code.assign(load.target, '0')
    return
  }
  const current = code.named(currentValue(code, region, cell, load.type), 'r')
  if (region.unchosen) code.assign(load.target, chooseUnchosen(code, region, cell, current, load, position))
  else code.assign(load.target, current, loadBounds(region, load.type))
}

const loadBounds = ({ cells, region, elementType }: RegionCells, type: Type): Bounds | undefined =>
  region.element !== 'bytes' && sameType(elementType, type) ? domainBounds(cells.domain, type) : typeBounds(type)

/** The value that the cells hold, as the type of the access. */
const currentValue = (code: EdgeCode, region: RegionCells, cell: number | string, type: Type): string => {
  if (region.region.element !== 'bytes')
    return bitcastCode(region.elementType, type, code.readCell(region.cells, cell), code.generator.helpers)
  const bytes = Array.from({ length: byteSize(type) }, (_, i) => code.readCell(region.cells, plus(cell, i)))
  return composed(code, bytes, type)
}

export const storeCode = (code: EdgeCode, store: Store): void => {
  const region = code.generator.layout.regions.get(store.region)!
  const value = code.named(code.value(store.value), 's')
  const cell = locate(code, region, store)
  if (cell === undefined) return
  putValue(code, region, cell, value, store.type)
}

const putValue = (code: EdgeCode, region: RegionCells, cell: number | string, value: string, type: Type): void => {
  if (region.region.element !== 'bytes') {
    const bits = bitcastCode(type, region.elementType, value, code.generator.helpers)
    code.write(region.cells, cell, code.named(bits, 's'))
    if (region.unchosen) code.write(region.unchosen, cell, '0')
    return
  }
  decomposed(code, value, type).forEach((byte, i) => {
    code.write(region.cells, plus(cell, i), byte)
    if (region.unchosen) code.write(region.unchosen, plus(cell, i), '0')
  })
}

const plus = (cell: number | string, offset: number): number | string =>
  typeof cell === 'number' ? cell + offset : offset === 0 ? cell : `(${cell} + ${offset})`

/** The first cell of an access, after the checks; undefined if the address never is in the region. */
const locate = (code: EdgeCode, region: RegionCells, { address, type }: Load | Store): number | string | undefined => {
  const size = byteSize(type)
  const last = region.region.element === 'bytes' ? size - 1 : 0
  const { text, bounds } = code.code(address)
  if (bounds && bounds.low === bounds.high) {
    const cell = cellAt(region.addresses, bounds.low)
    const inside = cell >= 0 && (last === 0 || cellAt(region.addresses, bounds.low + last) === cell + last)
    if (!inside) {
      code.undefinedUnless('false')
      return undefined
    }
    if (region.places[cell]!.object.storage !== 'static') checkAlive(code, region, `${cell}`, size)
    return cell
  }
  const find = code.generator.useAddresses(region)
  const at = code.named(text, 'a')
  const cell = code.named(`${find}(${at})`, 'k')
  const inside = last === 0 ? `${cell} >= 0` : `${cell} >= 0 && ${find}(${at} + ${last}) === ${cell} + ${last}`
  code.undefinedUnless(inside)
  if (region.places.some(({ object }) => object.storage !== 'static')) checkAlive(code, region, cell, size)
  return cell
}

/** Heap instances are alive up to their size from allocation to free, those of a thread from its start. */
const checkAlive = (code: EdgeCode, region: RegionCells, cell: string, size: number): void => {
  const { heap } = code.generator.layout
  const tables = code.generator.usePlaces(region)
  if (heap.extents && region.places.some(({ object }) => object.storage === 'heap')) {
    const instance = code.named(`${tables.heapInstance}[${cell}]`)
    const extent = code.readCell(heap.extents, instance)
    code.undefinedUnless(`${instance} < 0 || ${extent} > ${tables.offsets}[${cell}] + ${size - 1} + 1`)
  }
  if (region.region.scope === 'global' && region.places.some(({ object }) => object.storage === 'thread'))
    code.undefinedUnless(`${tables.threads}[${cell}] < ${code.threadCount()}`)
}

/**
 * The value of cells that nobody has written: it is chosen now, and stays. Where only some bytes of the value are
 * unknown, the search is partial (the known ones would restrict the choice).
 */
const chooseUnchosen = (
  code: EdgeCode,
  region: RegionCells,
  cell: number | string,
  current: string,
  { target, type }: Load,
  label: number,
): string => {
  const cells = region.region.element === 'bytes' ? byteSize(type) : 1
  const flags = Array.from({ length: cells }, (_, i) => code.readCell(region.unchosen!, plus(cell, i)))
  const unknown = code.named(flags.join(' + '), 'u')
  const reason = code.generator.reasonNumber(unbounded(code.edge.position))
  if (cells > 1) code.emit(`if (${unknown} > 0 && ${unknown} < ${cells}) R.partial(undefined, ${reason})`)
  const open = code.named(`${unknown} === ${cells}`, 'u')
  const site = { kind: 'indeterminate', label, target, type } as const
  const value = code.choose(code.generator.choice(code, site), open, current)
  code.copy()
  code.emit(`if (${open}) {`)
  putValue(code, region, cell, value, type)
  code.emit('}')
  code.notesIndeterminate(value, open)
  return value
}

const WORD = intType(32, true)

/** A value from its bytes, lowest first. */
const composed = (code: EdgeCode, bytes: readonly string[], type: Type): string => {
  const word = (from: number): string =>
    bytes
      .slice(from, from + 4)
      .map((byte, i) => (i === 0 ? byte : `(${byte} << ${8 * i})`))
      .join(' | ')
  const { helpers } = code.generator
  if (bytes.length <= 4) {
    const from = helpers.use(
      `from_${literalType(type)}`,
      () =>
        (bits: number): Value =>
          fromBits(type, bits, 0),
    )
    return `${from}(${word(0)})`
  }
  const from = helpers.use(
    `from_${literalType(type)}`,
    () =>
      (low: number, high: number): Value =>
        fromBits(type, low, high),
  )
  return `${from}(${word(0)}, ${word(4)})`
}

const fromBits = (type: Type, low: number, high: number): Value => {
  if (type.kind === 'float') return type.width === 32 ? bitcastValue(WORD, type, low) : wideValue('float', low, high)
  if (byteSize(type) <= 4) return wrap(type, low)
  return wrap(type, wideValue('unsigned', low, high))
}

const literalType = (type: Type): string =>
  `${type.kind}${type.kind === 'bool' ? '' : type.width}${type.kind === 'int' && type.signed ? 's' : ''}`

/** The bytes of a value, lowest first. */
const decomposed = (code: EdgeCode, value: string, type: Type): readonly string[] => {
  const size = byteSize(type)
  const { helpers } = code.generator
  const low = helpers.use(`lowOf_${literalType(type)}`, () => (v: Value) => lowBits(type, v))
  const first = code.named(`${low}(${value})`, 's')
  const parts = [first]
  if (size > 4) {
    const as = type.kind === 'float' ? 'float' : 'unsigned'
    const high = helpers.use(`highOf_${literalType(type)}`, () => (v: Value) => highWord(as, v))
    parts.push(code.named(`${high}(${value})`, 's'))
  }
  return Array.from({ length: size }, (_, i) => `((${parts[i >> 2]} >>> ${8 * (i & 3)}) & 255)`)
}

const lowBits = (type: Type, value: Value): number => {
  if (type.kind === 'float')
    return type.width === 32 ? Number(bitcastValue(type, WORD, value)) : lowWord('float', value)
  return lowWord('unsigned', value)
}
