// What predicates determine: exactly the variables of which every model of the literals has one value, as far as
// equations and bounds of single variables tell.
import { expect, it } from 'vitest'
import { constantsIn } from '../../../../src/engine/cegar/domain/constants.js'
import { add, eq, INT_SORT, intConst, le, not, type Term, variable } from '../../../../src/logic/index.js'

const [x, y] = ['x', 'y'].map((name) => variable(name, INT_SORT)) as [Term, Term]

it.each([
  ['an equation', [eq(x, intConst(3))], 3],
  ['bounds that meet', [le(x, intConst(2)), not(le(x, intConst(1)))], 2],
  ['the tightest bounds count', [le(x, intConst(9)), le(intConst(4), x), le(x, intConst(4)), le(intConst(0), x)], 4],
] as const)('%s determines a variable', (_name, literals, value) => {
  expect(constantsIn(literals).get(x)).toBe(intConst(value))
})

it.each([
  ['one bound', [le(x, intConst(2))]],
  ['an equation that does not hold', [not(eq(x, intConst(3)))]],
  ['bounds apart', [le(x, intConst(5)), le(intConst(4), x)]],
  ['an equation of two variables', [eq(x, add(y, intConst(1)))]],
] as const)('%s does not', (_name, literals) => {
  expect(constantsIn(literals).size).toBe(0)
})
