import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as logic from '../../src/logic/index.js'
import { checkInterpolants, createSmt, interpolate, type Method, type Smt } from '../../src/smt/index.js'
import { type Random, seeded } from '../logic/random.js'
import { libraryKinds, withSmt } from './backends.js'

const { add, and, eq, intConst: int, INT_SORT, le, lt, not, or, variable } = logic
type Term = logic.Term
const at = (name: string, i: number, sort: logic.Sort = INT_SORT): Term => variable(`${name}@${i}`, sort)
const steps = (n: number, step: (i: number) => Term): Term[] => Array.from({ length: n }, (_, i) => step(i))

/** x counts ten steps and is not ten. */
const counting = [
  eq(at('x', 0), int(0)),
  ...steps(10, (i) => eq(at('x', i + 1), add(at('x', i), int(1)))),
  lt(int(10), at('x', 10)),
]
/** x and y count together and differ. */
const together = [
  eq(at('x', 0), at('y', 0)),
  ...steps(10, (i) => and(eq(at('x', i + 1), add(at('x', i), int(1))), eq(at('y', i + 1), add(at('y', i), int(1))))),
  not(eq(at('x', 10), at('y', 10))),
]
/** x grows by what y loses, so that x + y stays below n. */
const sum = [
  and(eq(at('x', 0), int(0)), le(at('y', 0), variable('n', INT_SORT))),
  ...steps(20, (i) =>
    and(eq(at('x', i + 1), add(at('x', i), int(1))), eq(at('y', i + 1), logic.sub(at('y', i), int(1)))),
  ),
  lt(variable('n', INT_SORT), add(at('x', 20), at('y', 20))),
]

/** A path over three variables: assignments, guards, choices; then a claim about their sum. */
const randomSequence = (random: Random): readonly Term[] => {
  const names = ['x', 'y', 'z']
  const index = new Map(names.map((name) => [name, 0]))
  const now = (name: string) => at(name, index.get(name)!)
  const pick = () => names[random(names.length)]!
  const formulas: Term[] = [and(names.map((name) => le(now(name), int(random(5)))))]
  const length = 2 + random(6)
  for (let i = 0; i < length; i++) {
    const guard = random(2) === 0 ? logic.TRUE : le(add(now(pick()), int(random(5) - 2)), now(pick()))
    const target = pick()
    const value =
      random(3) === 0 ? now(pick()) : add(now(target), logic.mul(int(random(3) - 1), now(pick())), int(-random(3)))
    const condition = le(now(pick()), int(random(4)))
    const chosen = random(5) === 0 ? logic.ite(condition, value, now(target)) : value
    index.set(target, index.get(target)! + 1)
    const either = random(6) === 0 ? or(le(now(pick()), int(3)), le(int(9), now(pick()))) : logic.TRUE
    formulas.push(and(guard, either, eq(now(target), chosen)))
  }
  formulas.push(le(int(random(12)), add(now('x'), now('y'))))
  return formulas
}

describe.each(libraryKinds)('interpolants, %s', (kind) => {
  const series: readonly (readonly [string, readonly Term[]])[] = [
    ['a count of ten steps', counting],
    ['x = y over ten', together],
    ['x + y <= n over twenty', sum],
  ]
  it.each(series)('%s', (_name, formulas) =>
    withSmt(kind, (smt) => {
      for (const method of ['farkas', 'newton', 'spacer', 'auto'] as const) {
        const answer = interpolate(smt, formulas, { method })
        expect(answer.status === 'unknown' ? answer.reason : answer.status, method).toBe('unsat')
        if (answer.status === 'unsat')
          expect(checkInterpolants(smt, formulas, answer.interpolants), method).toBeUndefined()
      }
    }),
  )

  it('of a feasible path: a model instead', () =>
    withSmt(kind, (smt) => {
      const answer = interpolate(smt, counting.slice(0, -1))
      expect(answer.status).toBe('sat')
      if (answer.status === 'sat') expect(answer.model.get(at('x', 10))).toBe(10n)
    }))
})

describe('interpolants', () => {
  let smt: Smt
  beforeAll(async () => {
    smt = await createSmt(libraryKinds[0]!)
  })
  afterAll(() => smt.dispose())

  it('are simple bounds for the count, and relations for x + y <= n', () => {
    const first = interpolate(smt, counting, { method: 'farkas' })
    if (first.status === 'unsat') expect(first.interpolants[3]).toBe(le(at('x', 3), int(3)))
    const second = interpolate(smt, sum, { method: 'farkas' })
    if (second.status === 'unsat')
      expect(second.interpolants[7]).toBe(le(add(at('x', 7), at('y', 7)), variable('n', INT_SORT)))
    expect([first.status, second.status]).toEqual(['unsat', 'unsat'])
  })

  it('of 200 random contradictory sequences are valid, by every method that answers', () => {
    const random = seeded(77)
    const answered: Record<string, number> = {}
    let sequences = 0
    while (sequences < 200) {
      const formulas = randomSequence(random)
      const methods: readonly (Method | 'auto')[] =
        sequences % 10 === 0 ? ['farkas', 'newton', 'spacer', 'auto'] : ['farkas', 'newton', 'auto']
      for (const method of methods) {
        const answer = interpolate(smt, formulas, { method })
        if (answer.status === 'sat') break
        if (method === 'auto') {
          sequences++
          expect(answer.status).toBe('unsat')
        }
        if (answer.status !== 'unsat') continue
        answered[method] = (answered[method] ?? 0) + 1
        expect(checkInterpolants(smt, formulas, answer.interpolants), method).toBeUndefined()
      }
    }
    expect(answered['auto']).toBe(200)
    expect(answered['farkas']).toBeGreaterThan(150)
    expect(answered['newton']).toBeGreaterThan(50)
  })

  it('of bit-vectors and arrays come from weakest preconditions', () => {
    const word = logic.bvSort(32)
    const memory = logic.arraySort(word, word)
    const bits = (i: number) => at('b', i, word)
    const cells = (i: number) => at('m', i, memory)
    const wrapping = [
      eq(bits(0), logic.bvConst(0xffffffff, 32)),
      eq(bits(1), logic.bvAdd(bits(0), logic.bvConst(1, 32))),
      eq(bits(2), logic.bvMul(bits(1), bits(1))),
      logic.bvUlt(logic.bvConst(0, 32), bits(2)),
    ]
    const p = variable('p', word)
    const storing = [
      eq(cells(1), logic.store(cells(0), p, logic.bvConst(5, 32))),
      eq(cells(2), logic.store(cells(1), logic.bvAdd(p, logic.bvConst(4, 32)), logic.bvConst(7, 32))),
      not(eq(logic.select(cells(2), p), logic.bvConst(5, 32))),
    ]
    for (const formulas of [wrapping, storing]) {
      const answer = interpolate(smt, formulas, { method: 'newton' })
      expect(answer.status).toBe('unsat')
      if (answer.status === 'unsat') expect(checkInterpolants(smt, formulas, answer.interpolants)).toBeUndefined()
    }
  })

  it('the checker refuses wrong ones', () => {
    const [first, second] = [le(at('x', 0), int(3)), lt(int(5), at('x', 0))]
    expect(checkInterpolants(smt, [first, second], [le(at('x', 0), int(4))])).toBeUndefined()
    expect(checkInterpolants(smt, [first, second], [le(at('x', 0), int(6))])).toContain('step 1')
    expect(checkInterpolants(smt, [first, second], [le(at('x', 0), int(2))])).toContain('step 0')
    expect(
      checkInterpolants(smt, [and(first, le(at('w', 0), int(1))), second], [and(first, le(at('w', 0), int(1)))]),
    ).toContain('w@0')
  })
})
