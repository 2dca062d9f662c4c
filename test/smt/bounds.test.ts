// Elimination by Fourier and Motzkin is exact: it says that there is an integer exactly where trying all of them finds one.
import { expect, test } from 'vitest'
import type { Term } from '../../src/logic/index.js'
import * as logic from '../../src/logic/index.js'
import { eliminateByBounds } from '../../src/smt/interpolation/bounds.js'
import { seededChoices } from '../generate/choices.js'

const X = logic.variable('x', logic.INT_SORT)
const Y = logic.variable('y', logic.INT_SORT)

const comparison = (seed: ReturnType<typeof seededChoices>): Term => {
  const number = (): Term => logic.intConst(seed.below(9) - 4)
  const left = logic.add(logic.mul(logic.intConst([1, 1, -1, -1, 2, -3][seed.below(6)]!), X), number())
  const right = logic.add(logic.mul(number(), Y), number())
  return [logic.le(left, right), logic.lt(right, left), logic.eq(left, right), logic.not(logic.eq(left, right))][
    seed.below(4)
  ]!
}

test('as trying all values', () => {
  let eliminated = 0
  for (let i = 0; i < 300; i++) {
    const seed = seededChoices(i)
    const parts = Array.from({ length: 1 + seed.below(4) }, () => comparison(seed))
    const formula = seed.rarely(3) ? logic.and(parts[0]!, logic.or(parts)) : logic.and(parts)
    const without = eliminateByBounds(formula, X)
    if (!without) continue
    eliminated++
    expect(logic.freeVariables(without)).not.toContain(X)
    for (let y = -4n; y <= 4n; y++) {
      const holds = (x: bigint): boolean =>
        logic.satisfies(
          formula,
          new Map([
            [X, x],
            [Y, y],
          ]),
        ) === true
      const some = Array.from({ length: 121 }, (_, k) => BigInt(k - 60)).some(holds)
      expect({ formula: logic.print(formula), y, some: logic.satisfies(without, new Map([[Y, y]])) }).toEqual({
        formula: logic.print(formula),
        y,
        some,
      })
    }
  }
  expect(eliminated).toBeGreaterThan(150)
})
