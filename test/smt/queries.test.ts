import { expect, it } from 'vitest'
import { BOOL_SORT, INT_SORT, intConst, le, lt, not, variable } from '../../src/logic/index.js'
import { Queries } from '../../src/smt/index.js'
import { randomTerm, seeded } from '../logic/random.js'
import { libraryKinds, withSmt } from './backends.js'

const x = variable('x', INT_SORT)
const y = variable('y', INT_SORT)

it('answers the second time without the solver, and from models of other questions', () =>
  withSmt(libraryKinds[0]!, (smt) => {
    const queries = new Queries(smt)
    expect(queries.implies(lt(x, y), le(x, y))).toBe(true)
    expect(queries.implies(le(x, y), lt(x, y))).toBe(false)
    expect(queries.implies(le(x, y), lt(x, y))).toBe(false)
    expect(queries.satisfiable(le(x, y))).toBe(true)
    expect(queries.statistics()).toEqual({ asked: 4, cached: 1, evaluated: 1, solved: 2 })
  }))

it('agrees with a fresh solver on random questions asked twice', () =>
  withSmt(libraryKinds[0]!, (smt) => {
    const queries = new Queries(smt, { rlimit: 4_000_000 })
    const random = seeded(9)
    for (let i = 0; i < 150; i++) {
      const formula = randomTerm(random, BOOL_SORT, 3)
      const solver = smt.solver({ rlimit: 4_000_000 })
      solver.add(formula)
      const status = solver.check()
      solver.dispose()
      if (status === 'unknown') continue
      for (let k = 0; k < 2; k++) expect(queries.satisfiable(formula) ?? status === 'sat').toBe(status === 'sat')
      const valid = queries.valid(not(formula))
      if (valid !== undefined) expect(valid).toBe(status === 'unsat')
    }
    expect(queries.satisfiable(lt(x, intConst(0)))).toBe(true)
  }))
