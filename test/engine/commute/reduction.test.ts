// On products without loops the reduction has exactly one word of each Mazurkiewicz trace, for every order: as many as
// enumeration finds classes.
import { afterAll, expect, test } from 'vitest'
import { createSmt } from '../../../src/smt/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { seededChoices } from '../../generate/choices.js'
import { compileProgram } from '../../generate/harness.js'
import { productOf, straightLines } from './words.js'

const PROGRAMS = 30
const ORDERS = ['sequential', 'lockstep', 'random:1', 'random:2', '3|2,1']

const parser = await testParser()
const smt = await createSmt('auto')
afterAll(() => smt.dispose())

const wordsAndClasses = (seed: number, kind: 'syntactic' | 'semantic') => {
  const product = productOf(compileProgram(parser, straightLines(seededChoices(seed))), smt, kind)
  try {
    return { words: ORDERS.map((order) => product.words(order)), classes: product.classes() }
  } finally {
    product.dispose()
  }
}

test('one word of each trace', { timeout: 100_000 }, () => {
  let reduced = 0
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const { words, classes } = wordsAndClasses(seed, seed % 4 === 3 ? 'semantic' : 'syntactic')
    expect({ seed, words }).toEqual({ seed, words: ORDERS.map(() => classes) })
    if (classes > 2) reduced++
  }
  expect(reduced).toBeGreaterThan(PROGRAMS / 4)
})
