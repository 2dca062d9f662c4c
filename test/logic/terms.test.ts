import { describe, expect, it } from 'vitest'
import * as logic from '../../src/logic/index.js'
import { BV8, randomModel, randomTerm, seeded } from './random.js'

const { variable, BOOL_SORT, INT_SORT, TRUE, FALSE } = logic
const p = variable('p', BOOL_SORT)
const q = variable('q', BOOL_SORT)
const x = variable('x', INT_SORT)
const y = variable('y', INT_SORT)
const int = logic.intConst

describe('constructors', () => {
  it('give the same object for the same term', () => {
    expect(logic.and(p, q)).toBe(logic.and(q, p))
    expect(logic.add(x, y)).toBe(logic.add(y, x))
    expect(logic.eq(x, y)).toBe(logic.eq(y, x))
    expect(variable('x', INT_SORT)).toBe(x)
    expect(variable('x', BOOL_SORT)).not.toBe(x)
  })

  it('know the laws of truth values', () => {
    expect(logic.and()).toBe(TRUE)
    expect(logic.or()).toBe(FALSE)
    expect(logic.and(p, TRUE, p)).toBe(p)
    expect(logic.and(p, logic.and(q, logic.not(p)))).toBe(FALSE)
    expect(logic.or(p, logic.not(p))).toBe(TRUE)
    expect(logic.not(logic.not(p))).toBe(p)
    expect(logic.ite(p, TRUE, FALSE)).toBe(p)
    expect(logic.eq(logic.ite(p, int(1), int(0)), int(1))).toBe(p)
    expect(logic.eq(logic.ite(p, int(1), int(0)), int(2))).toBe(FALSE)
  })

  it('write one linear atom in one way', () => {
    const atom = logic.le(x, logic.sub(y, int(1)))
    expect(logic.lt(x, y)).toBe(atom)
    expect(logic.not(logic.le(y, x))).toBe(atom)
    expect(logic.lt(logic.mul(int(2), x), logic.mul(int(2), y))).toBe(atom)
    expect(logic.le(logic.mul(int(3), x), int(8))).toBe(logic.le(x, int(2)))
    expect(logic.eq(logic.mul(int(2), x), int(5))).toBe(FALSE)
    expect(logic.le(logic.add(x, int(1)), x)).toBe(FALSE)
  })

  it('read through stores at indices known to differ', () => {
    const a = variable('a', logic.arraySort(INT_SORT, INT_SORT))
    const stored = logic.store(logic.store(a, int(1), x), logic.add(x, int(1)), y)
    expect(logic.select(stored, logic.add(x, int(1)))).toBe(y)
    expect(logic.select(stored, x).args[0]).toBe(logic.store(a, int(1), x))
    expect(logic.select(logic.store(a, int(1), x), int(1))).toBe(x)
    expect(logic.select(logic.store(a, int(1), x), int(2))).toBe(logic.select(a, int(2)))
  })

  it('take sums modulo a number that divides the one inside', () => {
    const [x, y] = ['x', 'y'].map((name) => logic.variable(name, logic.INT_SORT)) as [logic.Term, logic.Term]
    const modulo = (term: logic.Term, by: number): logic.Term => logic.mod(term, logic.intConst(by))
    expect(modulo(logic.sub(modulo(logic.add(x, y), 8), y), 8)).toBe(modulo(x, 8))
    for (const [inner, outer] of [
      [8, 8],
      [12, 4],
      [12, 5],
      [3, 6],
    ] as const)
      for (let k = -20n; k < 20n; k++) {
        const term = modulo(logic.add(modulo(logic.add(x, y), inner), logic.mul(logic.intConst(3), y)), outer)
        const floored = (a: bigint, b: number): bigint => ((a % BigInt(b)) + BigInt(b)) % BigInt(b)
        const value = logic.evaluate(
          term,
          new Map([
            [x, k],
            [y, k + 7n],
          ]),
        )
        expect(value).toBe(floored(floored(2n * k + 7n, inner) + 3n * (k + 7n), outer))
      }
  })

  it('agree with the meaning of the raw term on random terms and models', () => {
    const random = seeded(1)
    for (let i = 0; i < 1500; i++) {
      const raw = randomTerm(random, i % 3 === 0 ? BOOL_SORT : i % 3 === 1 ? INT_SORT : BV8, 5)
      const built = logic.simplify(raw)
      for (let j = 0; j < 3; j++) {
        const model = randomModel(random)
        expect(logic.evaluate(built, model), logic.print(raw)).toEqual(logic.evaluate(raw, model))
      }
    }
  })
})

describe('deep terms', () => {
  it('a hundred thousand nested conjunctions and additions are built, walked, printed and evaluated', () => {
    let formula = TRUE
    let chain = variable('deep', BV8)
    for (let i = 0; i < 100_000; i++) {
      formula = logic.and(formula, variable(`p${i}`, BOOL_SORT))
      chain = logic.bvXor(logic.bvNot(chain), variable(`b${i % 7}`, BV8))
    }
    expect(logic.freeVariables(formula)).toHaveLength(100_000)
    expect(logic.freeVariables(chain)).toHaveLength(8)
    expect(logic.evaluate(formula, { get: () => true })).toBe(true)
    expect(logic.evaluate(chain, { get: () => 0n })).toBe(0n)
    expect(logic.print(chain).length).toBeGreaterThan(100_000)
    expect(logic.substitute(formula, new Map([[variable('p5', BOOL_SORT), FALSE]]))).toBe(FALSE)
  })
})

describe('substitution and indices', () => {
  it('replaces all variables at once', () => {
    const swapped = logic.substitute(
      logic.le(x, logic.add(y, int(3))),
      new Map([
        [x, y],
        [y, x],
      ]),
    )
    expect(swapped).toBe(logic.le(y, logic.add(x, int(3))))
  })

  it('agrees with evaluation under the changed model', () => {
    const random = seeded(2)
    const a = variable('a_int', INT_SORT)
    for (let i = 0; i < 300; i++) {
      const term = randomTerm(random, BOOL_SORT, 4)
      const replacement = randomTerm(random, INT_SORT, 3)
      const model = randomModel(random)
      const changed = new Map(model).set(a, logic.evaluate(replacement, model))
      expect(logic.evaluate(logic.substitute(term, new Map([[a, replacement]])), model)).toEqual(
        logic.evaluate(term, changed),
      )
    }
  })

  it('indices come off again', () => {
    expect(logic.unindexed(logic.indexed(x, 12))).toEqual({ base: x, index: 12 })
    expect(logic.unindexed(variable('mail@home', INT_SORT)).index).toBeUndefined()
  })
})

describe('SMT-LIB text', () => {
  it('comes back as the same term', () => {
    const random = seeded(3)
    for (let i = 0; i < 500; i++) {
      const term = logic.simplify(randomTerm(random, i % 2 === 0 ? BOOL_SORT : BV8, 5))
      const scope = new Map(logic.freeVariables(term).map((v) => [v.name, v]))
      expect(logic.simplify(logic.parseTerm(logic.print(term), (name) => scope.get(name)))).toBe(logic.simplify(term))
    }
  })

  it('shares subterms by let: linear in the number of terms', () => {
    let term = variable('s', BV8)
    for (let i = 0; i < 60; i++) term = logic.bvMul(logic.bvAdd(term, logic.bvConst(i + 1, 8)), term)
    expect(logic.print(term).length).toBeLessThan(20_000)
  })

  it('quotes what needs quotes', () => {
    expect(logic.print(variable('0:x y', INT_SORT))).toBe('|0:x y|')
    expect(logic.print(logic.floatConst(-0.5, logic.FLOAT32_SORT))).toBe(
      '(fp #b1 #b01111110 #b00000000000000000000000)',
    )
    expect(logic.print(logic.realConst(-1, 2))).toBe('(- (/ 1.0 2.0))')
  })
})
