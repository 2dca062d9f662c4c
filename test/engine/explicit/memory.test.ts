// Cells of a region by their addresses, however far apart its objects lie.
import { expect, test } from 'vitest'
import { cellAt, cellsWithin, placeRegion } from '../../../src/engine/explicit/compile/memory.js'
import { intType, type MemoryObject, type Program, type Region } from '../../../src/xcfa/index.js'

const INT32 = intType(32, true)
const objectAt = (id: number, base: number): MemoryObject => ({
  ...{ id, name: `o${id}`, storage: 'static', base, stride: 16, size: 8, initial: [], contents: 'zero' },
  cells: [{ offset: 0, type: INT32, step: 4, count: 2, path: '[0]' }],
})
const slotOf = (object: MemoryObject) => ({ object, offset: 0, step: 4, count: 2 })

const placed = (...objects: readonly MemoryObject[]) => {
  const region: Region = { id: 1, name: 'r', scope: 'global', element: INT32, slots: objects.map(slotOf) }
  const shape = { slots: [], heap: new Map(), domains: new Map() }
  const heap = { instances: new Map(), allocated: new Map(), extents: undefined }
  return placeRegion(region, {} as Program, shape, heap as never, (() => ({})) as never).addresses
}

test('two objects a gigabyte apart', () => {
  const table = placed(objectAt(1, 2 ** 30), objectAt(2, 64))
  expect([2 ** 30, 2 ** 30 + 4, 64, 68].map((address) => cellAt(table, address))).toEqual([0, 1, 2, 3])
  expect([0, 60, 66, 72, 2 ** 29, 2 ** 30 + 8, 2 ** 40, 2n ** 60n].map((address) => cellAt(table, address))).toEqual(
    Array.from({ length: 8 }, () => -1),
  )
})

test('the cells between two addresses, both included', () => {
  const table = placed(objectAt(1, 2 ** 30), objectAt(2, 64))
  expect(cellsWithin(table, 0, 2 ** 31)).toEqual([2, 3, 0, 1])
  expect(cellsWithin(table, 68, 2 ** 30)).toEqual([3, 0])
  expect(cellsWithin(table, 69, 2 ** 30 - 1)).toEqual([])
})

test('no objects, no cells', () => {
  const table = placed()
  expect([cellAt(table, 0), cellsWithin(table, 0, 100)]).toEqual([-1, []])
})
