// Whatever is changed in a long sequence, all its versions are what an array would be.
import { expect, test } from 'vitest'
import { firstMarked, type Sequence, withItem } from '../../src/semantics/vector.js'

const isMarked = (item: number): boolean => item < 0

test('changes of a long sequence, as an array has them', () => {
  let items: Sequence<number> = []
  const array: number[] = []
  let seed = 1
  for (let i = 0; i < 3000; i++) {
    seed = (seed * 48271) % 0x7fffffff
    const at = i % 2 === 0 ? array.length : seed % array.length
    array[at] = seed % 100 === 0 ? -seed : seed
    items = withItem(items, at, array[at], isMarked)
    expect(firstMarked(items, isMarked)).toBe(array.findIndex(isMarked))
  }
  expect([...items]).toEqual(array)
  expect(items.map((item, i) => item + i)).toEqual(array.map((item, i) => item + i))
  expect([...items.entries()]).toEqual([...array.entries()])
  expect(array.every((item, i) => items.at(i) === item)).toBe(true)
  expect(items.length).toBe(array.length)
  expect(items.findIndex((item) => item > 0x7ffff000)).toBe(array.findIndex((item) => item > 0x7ffff000))
  const seen: number[] = []
  items.forEach((item) => {
    seen.push(item)
  })
  expect(seen).toEqual(array)
})

test('the sequence before a change stays what it was', () => {
  let items: Sequence<number> = []
  for (let i = 0; i < 1100; i++) items = withItem(items, i, i, isMarked)
  const changed = withItem(items, 1050, -1, isMarked)
  expect([items.at(1050), changed.at(1050)]).toEqual([1050, -1])
  expect([firstMarked(items, isMarked), firstMarked(changed, isMarked)]).toEqual([-1, 1050])
})

test('versions are asked for in any order, also while one of them is read', () => {
  let items: Sequence<number> = Array.from({ length: 40 }, (_, i) => i)
  const versions: { readonly items: Sequence<number>; readonly array: readonly number[] }[] = []
  let seed = 7
  const below = (bound: number): number => (seed = (seed * 48271) % 0x7fffffff) % bound
  for (let i = 0; i < 300; i++) {
    const from = versions.length > 0 ? versions[below(versions.length)]! : { items, array: [...items] }
    const array = [...from.array]
    const at = below(array.length + 1)
    array[at] = below(5) === 0 ? -i : i
    items = withItem(from.items, at, array[at]!, isMarked)
    versions.push({ items, array })
  }
  for (let i = 0; i < 300; i++) {
    const [one, other] = [versions[below(300)]!, versions[below(300)]!]
    const read: number[] = []
    for (const item of one.items) {
      read.push(item)
      expect(other.items.at(0)).toBe(other.array[0])
    }
    expect(read).toEqual(one.array)
    expect(firstMarked(other.items, isMarked)).toBe(other.array.findIndex(isMarked))
  }
})
