// What a proof up to commutativity says of the statements that commute: those that share something are named with the
// reason, the others are counted.
import { expect, test } from 'vitest'
import { commutingFacts } from '../../src/output/commuting.js'
import type { Report } from '../../src/verdict/index.js'

const report = (facts: readonly { letters: readonly [number, number]; why: string }[]): Report =>
  ({
    certificate: {
      kind: 'reduced-product',
      data: {
        ...{
          arithmetic: 'int',
          order: {
            kind: 'lanes',
            blocks: [
              [
                { threads: [1], rounds: 1 },
                { threads: [2, 3], rounds: 1 },
              ],
            ],
          },
          formulas: [],
          states: [],
          nodes: [],
        },
        letters: [0, 1, 2].map((edge) => ({ thread: edge, edges: [edge] })),
        edges: ['x = x + 1', 'x = x + 2', 'y = 1'].map((text, id) => ({ id, file: 'a.c', line: 10 + id, text })),
        facts,
      },
    },
  }) as unknown as Report

test('names what commutes although it touches the same, and counts the rest', () => {
  const found = commutingFacts(
    report([
      { letters: [1, 0], why: 'same effect' },
      { letters: [0, 1], why: 'same effect' },
      { letters: [0, 2], why: 'disjoint' },
    ]),
  )
  expect(found).toEqual({
    order: 'threads by turns, from loop to loop: 1 | 2, 3',
    apart: 1,
    pairs: [
      {
        statements: ['x = x + 1 (line 10)', 'x = x + 2 (line 11)'],
        why: 'have the same effect in both orders',
      },
    ],
  })
  expect(commutingFacts({} as Report)).toBeUndefined()
})
