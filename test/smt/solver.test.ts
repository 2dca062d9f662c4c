import { describe, expect, it } from 'vitest'
import * as logic from '../../src/logic/index.js'
import { libraryKinds, withSmt } from './backends.js'

const { variable, INT_SORT, BOOL_SORT, intConst: int } = logic
const x = variable('x', INT_SORT)
const y = variable('y', INT_SORT)

/** Holes and one pigeon more: exponential for resolution. */
const pigeons = (holes: number): logic.Term => {
  const at = (pigeon: number, hole: number) => variable(`at_${pigeon}_${hole}`, BOOL_SORT)
  const numbers = (n: number) => Array.from({ length: n }, (_, i) => i)
  const placed = numbers(holes + 1).map((p) => logic.or(numbers(holes).map((h) => at(p, h))))
  const alone = numbers(holes).flatMap((h) =>
    numbers(holes + 1).flatMap((p) => numbers(p).map((q) => logic.not(logic.and(at(p, h), at(q, h))))),
  )
  return logic.and(placed, alone)
}

describe.each(libraryKinds)('solver, %s', (kind) => {
  it('is incremental: what is popped is gone', () =>
    withSmt(kind, (smt) => {
      const solver = smt.solver()
      solver.add(logic.lt(x, y))
      solver.push()
      solver.add(logic.lt(y, x))
      expect(solver.check()).toBe('unsat')
      solver.pop()
      expect(solver.check()).toBe('sat')
      const model = solver.model()
      expect((model.get(x) as bigint) < (model.get(y) as bigint)).toBe(true)
      solver.add(logic.eq(y, int(7)))
      expect(solver.check()).toBe('sat')
      expect(solver.model().get(y)).toBe(7n)
      expect(model.get(x)).toBeTypeOf('bigint')
    }))

  it('assumptions are any formulas, also after a pop, and cores are among them', () =>
    withSmt(kind, (smt) => {
      const solver = smt.solver()
      const assumptions = [logic.le(x, int(3)), logic.le(int(5), y), logic.le(int(4), x), variable('p', BOOL_SORT)]
      for (let round = 0; round < 3; round++) {
        solver.push()
        expect(solver.check(assumptions)).toBe('unsat')
        expect(new Set(solver.core())).toEqual(new Set([assumptions[0], assumptions[2]]))
        expect(solver.check(assumptions.slice(1))).toBe('sat')
        solver.pop()
      }
    }))

  it('has values of every sort', () =>
    withSmt(kind, (smt) => {
      const solver = smt.solver()
      const bits = variable('bits', logic.bvSort(64))
      const real = variable('real', logic.REAL_SORT)
      const single = variable('single', logic.FLOAT32_SORT)
      const noNumber = variable('noNumber', logic.FLOAT64_SORT)
      const array = variable('array', logic.arraySort(logic.bvSort(64), INT_SORT))
      solver.add(logic.eq(bits, logic.bvConst(-2, 64)))
      solver.add(logic.eq(logic.mul(logic.realConst(3), real), logic.realConst(-1)))
      solver.add(logic.eq(single, logic.floatConst(0.1, logic.FLOAT32_SORT)))
      solver.add(logic.fpIsNaN(noNumber))
      solver.add(logic.eq(logic.select(array, bits), int(-5)))
      expect(solver.check()).toBe('sat')
      const model = solver.model()
      expect(model.get(bits)).toBe((1n << 64n) - 2n)
      expect(model.get(real)).toEqual(logic.rational(-1n, 3n))
      expect(model.get(single)).toBe(Math.fround(0.1))
      expect(model.get(noNumber)).toBeNaN()
      expect(logic.arraySelect(model.get(array) as logic.ArrayValue, (1n << 64n) - 2n)).toBe(-5n)
    }))

  it('two variables of one name and different sorts are two', () =>
    withSmt(kind, (smt) => {
      const solver = smt.solver()
      const other = variable('x', BOOL_SORT)
      solver.add(logic.and(logic.eq(x, int(3)), other))
      expect(solver.check()).toBe('sat')
      expect([solver.model().get(x), solver.model().get(other)]).toEqual([3n, true])
    }))

  it('limits end a check with unknown, and the solver goes on', () =>
    withSmt(kind, (smt) => {
      const limited = smt.solver({ rlimit: 2000 })
      limited.add(pigeons(9))
      expect(limited.check()).toBe('unknown')
      expect(limited.reason()).not.toBe('')
      const solver = smt.solver({ timeoutMs: 60_000, logic: 'QF_LIA' })
      solver.add(logic.lt(x, x === y ? x : y))
      expect(solver.check()).toBe('sat')
      expect(Object.keys(solver.statistics()).length).toBeGreaterThan(0)
    }))

  it('takes a conjunction of twenty thousand parts', () =>
    withSmt(kind, (smt) => {
      let formula = logic.TRUE
      for (let i = 0; i < 20_000; i++) formula = logic.and(formula, variable(`q${i}`, BOOL_SORT))
      const solver = smt.solver()
      solver.add(formula)
      solver.add(logic.not(variable('q7777', BOOL_SORT)))
      expect(solver.check()).toBe('unsat')
    }))

  it('floating point adds as the hardware does', () =>
    withSmt(kind, (smt) => {
      const solver = smt.solver()
      const [a, b, sum] = ['a', 'b', 'sum'].map((name) => variable(name, logic.FLOAT64_SORT)) as [
        logic.Term,
        logic.Term,
        logic.Term,
      ]
      solver.add(logic.eq(a, logic.floatConst(0.1, logic.FLOAT64_SORT)))
      solver.add(logic.eq(b, logic.floatConst(0.2, logic.FLOAT64_SORT)))
      solver.add(logic.eq(sum, logic.fpAdd(a, b)))
      expect(solver.check()).toBe('sat')
      expect(solver.model().get(sum)).toBe(0.1 + 0.2)
    }))
})
