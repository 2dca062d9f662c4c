import { describe, expect, it } from 'vitest'
import { add, and, eq, INT_SORT, intConst, lt, type Term, TRUE, variable } from '../../src/logic/index.js'
import type { Relation, Rule } from '../../src/smt/index.js'
import { checkHornSolution } from '../../src/smt/validate.js'
import { libraryKinds, withSmt } from './backends.js'

const x = variable('x', INT_SORT)
const y = variable('y', INT_SORT)
const invariant: Relation = { name: 'invariant', sorts: [INT_SORT, INT_SORT] }
const middle: Relation = { name: 'middle', sorts: [INT_SORT, INT_SORT] }
const atom = (relation: Relation, ...args: Term[]) => ({ relation, args })

/** x and y count together, x first; the goal is the condition at the loop head. */
const counting = (goal: Term): readonly Rule[] => [
  { head: atom(invariant, x, y), body: [], constraint: and(eq(x, intConst(0)), eq(y, intConst(0))), name: 'init' },
  { head: atom(middle, add(x, intConst(1)), y), body: [atom(invariant, x, y)], constraint: lt(x, intConst(5)) },
  { head: atom(invariant, x, add(y, intConst(1))), body: [atom(middle, x, y)], constraint: TRUE },
  { head: undefined, body: [atom(invariant, x, y)], constraint: goal, name: 'goal' },
]

describe.each(libraryKinds)('Horn clauses, %s', (kind) => {
  it('a solution makes every rule valid', () =>
    withSmt(kind, (smt) => {
      const rules = counting(lt(x, y))
      const result = smt.horn().solve(rules)
      expect(result.status).toBe('sat')
      if (result.status !== 'sat') return
      expect(checkHornSolution(smt, rules, result.solution)).toBeUndefined()
      const wrong = new Map(result.solution).set(middle, TRUE)
      expect(checkHornSolution(smt, rules, wrong)).toContain('not valid')
    }))

  it('a refutation derives the goal from facts, each by a rule', () =>
    withSmt(kind, (smt) => {
      const result = smt.horn().solve(counting(eq(y, intConst(2))))
      expect(result.status).toBe('unsat')
      if (result.status !== 'unsat') return
      const facts: string[] = []
      for (let d = result.derivation; d; d = d.premises[0])
        facts.push(`${d.relation?.name} ${d.args.map((a) => a.value)}`)
      expect(facts).toEqual([
        'undefined ',
        'invariant 2,2',
        'middle 2,1',
        'invariant 1,1',
        'middle 1,0',
        'invariant 0,0',
      ])
    }))

  it('with inlining the verdict is the same', () =>
    withSmt(kind, (smt) => {
      expect(smt.horn({ inline: true }).solve(counting(lt(x, y))).status).toBe('sat')
      expect(smt.horn({ inline: true }).solve(counting(eq(y, intConst(2)))).status).toBe('unsat')
    }))
})
