import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as logic from '../../src/logic/index.js'
import { checkHornSolution, type Relation, type SmtKind } from '../../src/smt/index.js'
import { randomTerm, seeded } from '../logic/random.js'
import { withSmt } from './backends.js'

const server = fileURLToPath(new URL('smtlib-server.mjs', import.meta.url))
const installed = [
  ['z3', 'z3 -in'],
  ['cvc5', 'cvc5 --incremental --lang smt2'],
].filter(([binary]) => spawnSync('sh', ['-c', `command -v ${binary}`]).status === 0)
const commands: readonly SmtKind[] = [
  `smtlib:'${process.execPath}' '${server}'`,
  ...installed.map(([, command]): SmtKind => `smtlib:${command}`),
]

const { INT_SORT, intConst: int, variable } = logic
const x = variable('x', INT_SORT)
const y = variable('a name with | and spaces', INT_SORT)

describe.each(commands)('%s', (kind) => {
  it('is incremental, has models and cores', () =>
    withSmt(kind, (smt) => {
      const solver = smt.solver()
      solver.add(logic.lt(x, y))
      solver.push()
      solver.add(logic.lt(y, x))
      expect(solver.check()).toBe('unsat')
      solver.pop()
      solver.add(logic.eq(y, int(-7)))
      solver.add(variable('x', logic.BOOL_SORT))
      expect(solver.check()).toBe('sat')
      const model = solver.model()
      expect((model.get(x) as bigint) < -7n).toBe(true)
      expect(model.get(y)).toBe(-7n)
      expect(model.get(variable('x', logic.BOOL_SORT))).toBe(true)
      const assumptions = [logic.le(x, int(100)), logic.le(int(0), x)]
      expect(solver.check(assumptions)).toBe('unsat')
      // A core need not be the smallest one.
      expect(solver.core()).toContain(assumptions[1])
      solver.dispose()
    }))

  it('answers random formulas with models that satisfy them', () =>
    withSmt(kind, (smt) => {
      const random = seeded(5)
      const solver = smt.solver()
      let satisfiable = 0
      for (let i = 0; i < 40; i++) {
        const formula = randomTerm(random, logic.BOOL_SORT, 3)
        solver.push()
        solver.add(formula)
        if (solver.check() === 'sat') {
          satisfiable++
          expect(logic.satisfies(formula, solver.model()), logic.print(formula)).toBe(true)
        }
        solver.pop()
      }
      expect(satisfiable).toBeGreaterThan(10)
      solver.dispose()
    }))
})

describe(commands[0]!, () => {
  it('solves Horn clauses', () =>
    withSmt(commands[0]!, (smt) => {
      const below: Relation = { name: 'below', sorts: [INT_SORT] }
      const rules = (goal: number) => [
        { head: { relation: below, args: [x] }, body: [], constraint: logic.eq(x, int(0)) },
        {
          head: { relation: below, args: [logic.add(x, int(1))] },
          body: [{ relation: below, args: [x] }],
          constraint: logic.lt(x, int(8)),
        },
        { head: undefined, body: [{ relation: below, args: [x] }], constraint: logic.eq(x, int(goal)) },
      ]
      const safe = smt.horn().solve(rules(9))
      expect(safe.status).toBe('sat')
      if (safe.status === 'sat') expect(checkHornSolution(smt, rules(9), safe.solution)).toBeUndefined()
      expect(smt.horn().solve(rules(3)).status).toBe('unsat')
    }))
})
