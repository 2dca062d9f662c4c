// Programs with orders weaker than seq_cst are for the engines that know what these mean.
import { expect, test } from 'vitest'
import { stagesFor } from '../../src/run/stages.js'

test('the engine graphs is asked where orders are weak, and only there', () => {
  const enginesOf = (weak: boolean): readonly string[] =>
    stagesFor('assert', { loops: true, startsInLoop: false, ...(weak && { weakOrders: true }) }).map(
      ({ engine }) => engine,
    )
  expect(enginesOf(true)).toContain('graphs')
  expect(enginesOf(true).slice().sort()).toEqual([...enginesOf(false), 'graphs'].sort())
  expect(enginesOf(false)).not.toContain('graphs')
})
