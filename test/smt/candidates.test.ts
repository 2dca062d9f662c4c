// Bounds of Horn clauses: what is found makes every clause with a head valid (checked by another solver), and is as strong
// as these programs need.
import { afterAll, expect, test } from 'vitest'
import {
  add,
  and,
  eq,
  ge,
  INT_SORT,
  intConst,
  le,
  lt,
  not,
  sub,
  type Term,
  TRUE,
  variable,
} from '../../src/logic/index.js'
import {
  checkHornSolution,
  createSmt,
  instantiate,
  isValid,
  type Relation,
  type Rule,
  strongestBounds,
} from '../../src/smt/index.js'

const smt = await createSmt('auto')
afterAll(() => smt.dispose())

const [x, y] = [variable('x', INT_SORT), variable('y', INT_SORT)]
const int = (n: number): Term => intConst(n)
const relation: Relation = { name: 'R', sorts: [INT_SORT, INT_SORT] }
const at = (...args: Term[]) => ({ relation, args })

/** x = y = 0; while (x < 10) { x++; if (*) y++ } */
const LOOP: readonly Rule[] = [
  { head: at(int(0), int(0)), body: [], constraint: TRUE },
  { head: at(add(x, int(1)), y), body: [at(x, y)], constraint: lt(x, int(10)) },
  { head: at(add(x, int(1)), add(y, int(1))), body: [at(x, y)], constraint: lt(x, int(10)) },
]

const follows = (rules: readonly Rule[], pairs: number, fact: Term): boolean | undefined => {
  const bounds = strongestBounds(smt, rules, { pairs, checks: 500 })!
  expect(checkHornSolution(smt, rules, bounds)).toBe(undefined)
  return isValid(smt, not(and(instantiate(bounds, at(x, y)), not(fact))))
}

test('bounds of one argument are those of the loop, not more', () => {
  expect(follows(LOOP, 0, and(ge(x, int(0)), le(x, int(10)), ge(y, int(0))))).toBe(true)
  expect(follows(LOOP, 0, le(x, int(9)))).toBe(false)
  // That y is no more than x takes both of them.
  expect(follows(LOOP, 0, le(y, x))).toBe(false)
})

test('bounds of two arguments', () => {
  expect(follows(LOOP, 2, and(le(y, x), le(y, int(10))))).toBe(true)
  expect(follows(LOOP, 2, eq(x, y))).toBe(false)
})

test('arguments that are never the same, in either order', () => {
  const rules: readonly Rule[] = [
    { head: at(int(0), int(1)), body: [], constraint: TRUE },
    { head: at(y, x), body: [at(x, y)], constraint: TRUE },
    { head: at(add(x, int(1)), add(y, int(1))), body: [at(x, y)], constraint: TRUE },
  ]
  expect(follows(rules, 2, not(eq(x, y)))).toBe(true)
  expect(follows(rules, 2, le(sub(x, y), int(1)))).toBe(true)
  expect(follows(rules, 2, lt(x, y))).toBe(false)
})

test('a relation that no clause derives is empty; too few checks give nothing', () => {
  expect(follows([{ head: at(x, y), body: [at(x, y)], constraint: TRUE }], 2, lt(x, x))).toBe(true)
  expect(strongestBounds(smt, LOOP, { pairs: 2, checks: 2 })).toBe(undefined)
})
