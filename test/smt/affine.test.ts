// Karr's equations on clauses whose least solutions are known.
import { expect, test } from 'vitest'
import {
  add,
  and,
  eq,
  FALSE,
  INT_SORT,
  implies,
  intConst,
  le,
  sub,
  type Term,
  TRUE,
  variable,
} from '../../src/logic/index.js'
import {
  affineInvariants,
  checkHornSolution,
  createSmt,
  isValid,
  parameter,
  projected,
  type Relation,
  type Rule,
} from '../../src/smt/index.js'

const [x, y, z] = ['x', 'y', 'z'].map((name) => variable(name, INT_SORT)) as [Term, Term, Term]
const ints = (name: string, count: number): Relation => ({ name, sorts: Array.from({ length: count }, () => INT_SORT) })
const loop = ints('loop', 3)
const from = { relation: loop, args: [x, y, z] }

/** x and z go up, y goes down by two: y + 2 x = 10, z = x. */
const counted: readonly Rule[] = [
  { head: { relation: loop, args: [intConst(0), intConst(10), intConst(0)] }, body: [], constraint: TRUE },
  {
    head: { relation: loop, args: [add(x, intConst(1)), sub(y, intConst(2)), add(z, intConst(1))] },
    body: [from],
    constraint: le(x, intConst(3)),
  },
  { head: undefined, body: [from], constraint: eq(y, intConst(1)) },
]

test('the equations of a loop, and no others', async () => {
  const smt = await createSmt('auto')
  const found = affineInvariants(counted).get(loop)!
  const [a, b, c] = [0, 1, 2].map((i) => parameter(loop, i)) as [Term, Term, Term]
  const expected = and(eq(add(b, a, a), intConst(10)), eq(c, a))
  expect(isValid(smt, implies(found, expected))).toBe(true)
  expect(isValid(smt, implies(expected, found))).toBe(true)
  smt.dispose()
})

test('a rule whose conditions contradict the equations is not used', () => {
  const dead = ints('dead', 1)
  const rules: readonly Rule[] = [
    ...counted,
    { head: { relation: dead, args: [x] }, body: [from], constraint: le(add(x, intConst(1)), z) },
  ]
  expect(affineInvariants(rules).get(dead)).toBe(FALSE)
})

test('without the arguments that others determine, a solution is one of the original', async () => {
  const smt = await createSmt('auto')
  const invariants = affineInvariants(counted)
  const { rules, restore } = projected(counted, invariants)
  const [smaller] = rules.flatMap(({ head }) => (head ? [head.relation] : []))
  expect(smaller!.sorts.length).toBe(1)
  const solution = restore(new Map([[smaller!, TRUE]]))
  const whole = new Map([[loop, and(solution.get(loop)!, invariants.get(loop)!)]])
  expect(checkHornSolution(smt, counted, whole)).toBe(undefined)
  smt.dispose()
})
