// Which orders are suggested: threads whose results are compared are in step.
import { expect, test } from 'vitest'
import { ordersFor, type Touched } from '../../../src/engine/commute/orders.js'
import * as logic from '../../../src/logic/index.js'

const [x, y, z] = ['x', 'y', 'z'].map((name) => logic.variable(name, logic.INT_SORT)) as [
  logic.Term,
  logic.Term,
  logic.Term,
]
const own = (variables: readonly logic.Term[]): Touched => {
  const touched = new Map(variables.map((v, i) => [i + 1, new Set([v])]))
  return { reads: touched, writes: touched }
}
const suggested = (variables: readonly logic.Term[], goals: readonly logic.Term[]): readonly string[] => {
  const looping = variables.map((_, i) => i + 1)
  const executions = { rounds: [] } as unknown as Parameters<typeof ordersFor>[3]
  return ordersFor(looping.length, looping, goals, executions, own(variables)).suggested.map(({ name }) => name)
}

test('those on one side of an equation go one after the other', () => {
  expect(suggested([x, y, z], [logic.eq(x, logic.add(y, z))])).toEqual(['1|2,3'])
})

test('pairs that are compared each on their own are blocks', () => {
  const other = logic.variable('w', logic.INT_SORT)
  expect(suggested([x, y, z, other], [logic.eq(x, y), logic.eq(z, other)])).toEqual(['1|2;3|4'])
})

test('where nothing tells what belongs together, all are in step', () => {
  expect(suggested([x, y, z], [logic.le(x, logic.intConst(0))])).toEqual(['1|2|3'])
})
