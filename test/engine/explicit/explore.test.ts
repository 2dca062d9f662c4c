// The compiled explorer against counts that can be derived by hand, and against the interpreter.
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import {
  add,
  BOOL,
  bitand,
  bitnot,
  bitor,
  bitxor,
  cast,
  constant,
  div,
  type Expr,
  eq,
  FLOAT,
  INT,
  intType,
  type Label,
  lt,
  mul,
  ne,
  neg,
  or,
  POINTER,
  type Program,
  rem,
  shl,
  shr,
  sub,
  type Type,
  varExpr,
} from '../../../src/xcfa/index.js'
import { assign, assume, load, lostUpdate, num, philosophers, start, store } from '../../semantics/programs.js'
import { handMade } from '../../xcfa/hand.js'
import { countsOf, REDUCTIONS, randomProgram, run } from './support.js'

/** Counts without reduction, verdicts with each. */
const expectAgreement = (program: Program) => {
  const expected = oracle(program, 'assert', { join: false, complete: true })
  expect(countsOf(program)).toEqual({ states: expected.states, transitions: expected.transitions })
  for (const por of REDUCTIONS)
    for (const forgetDead of [false, true])
      expect(run(program, { por, forgetDead }).outcome.kind, `${por}, forget dead: ${forgetDead}`).toBe(
        expected.verdict === 'true' ? 'complete' : 'violation',
      )
  return expected
}

/** Two threads of independent steps. */
const grid = (n: number, m: number): Program => {
  const p = handMade()
  ;[n, m].forEach((steps, i) => {
    const counter = p.global(`x${i}`)
    p.template(`T${i}`, (t) => {
      const increment = [assign(counter, add(varExpr(counter), num(1)))]
      if (steps > 0) t.path(t.initial, t.final, ...new Array(steps).fill(increment))
    })
  })
  p.template('main', (t) => {
    const handle = t.local('h')
    t.edge(t.initial, t.final, [start(handle, 'T0'), start(handle, 'T1')])
  })
  return p.program()
}

/** Two threads that count to a bound in a loop: the values, not the locations, make the states. */
const loops = (n: number, m: number): Program => {
  const p = handMade()
  ;[n, m].forEach((bound, i) => {
    const counter = p.global(`x${i}`)
    p.template(`T${i}`, (t) => {
      t.edge(t.initial, t.initial, [
        assume(ne(varExpr(counter), num(bound))),
        assign(counter, add(varExpr(counter), num(1))),
      ])
    })
  })
  p.template('main', (t) => {
    const handle = t.local('h')
    t.edge(t.initial, t.final, [start(handle, 'T0'), start(handle, 'T1')])
  })
  return p.program()
}

describe('counts', () => {
  it.each([
    [2, 3],
    [7, 9],
    [30, 21],
  ])('two threads of %i and %i independent steps have (n+1)(m+1) states', (n, m) => {
    const { states, transitions } = countsOf(grid(n, m))
    expect(states).toBe(1 + (n + 1) * (m + 1))
    expect(transitions).toBe(1 + n * (m + 1) + m * (n + 1))
  })

  it('so many that ranges are guessed, exceeded, and guessed again', () => {
    // The first search sees counters up to some 250 only.
    const { states, transitions } = countsOf(loops(300, 400))
    expect(states).toBe(1 + 301 * 401)
    expect(transitions).toBe(1 + 300 * 401 + 400 * 301)
  })

  it('persistent sets leave one path of independent steps', () => {
    expect(run(grid(7, 9), { por: 'persistent' }).states).toBe(1 + 7 + 9 + 1)
    expect(run(grid(7, 9), { por: 'both' }).states).toBe(1 + 7 + 9 + 1)
  })

  it('sleep sets keep the states and leave out transitions', () => {
    const { states, transitions } = run(grid(7, 9), { por: 'sleep' })
    expect(states).toBe(1 + 8 * 10)
    // A spanning tree: the start, and one way into each other state.
    expect(transitions).toBe(8 * 10)
  })
})

describe('agreement with the interpreter', () => {
  it('lost update', () => {
    expect(expectAgreement(lostUpdate(2)).verdict).toBe('false')
    expectAgreement(lostUpdate(1))
  })

  it('philosophers', () => {
    expectAgreement(philosophers(3, false))
  })

  it('random programs', () => {
    const verdicts = { true: 0, false: 0, unknown: 0 }
    for (let seed = 0; seed < 150; seed++) verdicts[expectAgreement(randomProgram(seed)).verdict]++
    expect(verdicts.unknown).toBe(0)
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(20)
  })

  it('creation in a loop, each thread with its own argument', () => {
    const p = handMade()
    const sum = p.global('sum')
    p.template('T', (t) => {
      const argument = t.parameter('argument')
      t.edge(t.initial, t.final, [assign(sum, add(varExpr(sum), varExpr(argument)))])
    })
    p.template('main', (t) => {
      const i = t.local('i')
      const handle = t.local('h')
      t.edge(t.initial, t.initial, [
        assume(ne(varExpr(i), num(4))),
        start(handle, 'T', varExpr(i)),
        assign(i, add(varExpr(i), num(1))),
      ])
      t.edge(t.initial, t.final, [assume(eq(varExpr(i), num(4)))])
    })
    expectAgreement(p.program())
  })
})

// ---- memory

const U8 = intType(8, false)
const I64 = intType(64, true)
const U64 = intType(64, false)

describe('memory', () => {
  it('bytes that are written as one type and read as others', () => {
    const p = handMade()
    const object = p.object('o', 16)
    p.template('main', (t) => {
      const values = [t.local('a', INT), t.local('b', U64), t.local('c', intType(16, true)), t.local('d', FLOAT[64])]
      const flag = t.local('e', BOOL)
      t.path(
        t.initial,
        t.final,
        [store(p.memory, object.base, constant(U64, -2))],
        [store(p.memory, object.base + 8, constant(FLOAT[64], 0.1))],
        [store(p.memory, object.base + 3, constant(U8, 7))],
        ...values.map((v, i) => [load(v, p.memory, object.base + 2 * i)]),
        [load(flag, p.memory, object.base)],
      )
    })
    expectAgreement(p.program())
  })

  it('uninitialised bytes get a value when they are read, and keep it', () => {
    const p = handMade()
    const object = p.object('o', 1, { contents: 'any' })
    p.template('main', (t) => {
      const [a, b] = [t.local('a', U8), t.local('b', U8)]
      const middle = t.location()
      t.path(t.initial, middle, [load(a, p.memory, object.base)], [load(b, p.memory, object.base)])
      t.edge(middle, t.error(), [assume(ne(varExpr(a), varExpr(b)))])
      t.edge(middle, t.final, [assume(eq(varExpr(a), varExpr(b)))])
    })
    expect(expectAgreement(p.program()).verdict).toBe('true')
  })

  it('heap instances: allocated, used, freed; use after free and wild addresses stop the thread', () => {
    const p = handMade()
    const heap = p.object('heap', 8, { storage: 'heap', instances: 64 })
    p.template('T', (t) => {
      const [pointer, value] = [t.local('p', POINTER[64]), t.local('v', INT)]
      const at = (address: Expr): Label => ({ kind: 'load', target: value, region: p.memory, address, type: INT })
      t.path(
        t.initial,
        t.final,
        [{ kind: 'allocate', target: pointer, object: heap, size: constant(U64, 4) }],
        [{ kind: 'store', region: p.memory, address: varExpr(pointer), value: num(5), type: INT }],
        [at(varExpr(pointer))],
        [{ kind: 'free', address: varExpr(pointer) }],
        [at(varExpr(pointer))],
      )
      // Beyond its size, and nowhere.
      t.edge(t.initial, t.final, [at(constant(POINTER[64], 12))])
    })
    p.template('main', (t) => {
      const handle = t.local('h')
      t.edge(t.initial, t.final, [start(handle, 'T'), start(handle, 'T')])
    })
    const program = p.program()
    expectAgreement(program)
    expect(run(program).undefinedEdges.length).toBe(2)
  })
})

// ---- arithmetic

describe('arithmetic', () => {
  const types: readonly Type[] = [
    ...[1, 8, 16, 32, 64].flatMap((width) => [intType(width, true), intType(width, false)]),
    intType(5, true),
    intType(40, false),
    POINTER[64],
  ]
  const operations: readonly ((a: Expr, b: Expr) => Expr)[] = [
    add,
    sub,
    mul,
    rem,
    shl,
    shr,
    (a) => neg(a),
    div,
    bitand,
    bitor,
    bitxor,
    (a) => bitnot(a),
    (a, b) => cast(a.type, lt(a, b)),
    (a) => cast(a.type, cast(intType(8, true), a)),
    (a) => cast(a.type, cast(I64, a)),
    (a) => cast(a.type, cast(FLOAT[64], a)),
  ]
  const interesting = (type: Type): readonly (number | bigint)[] => {
    if (type.kind === 'float' || type.kind === 'bool') return [0, 1]
    const top = 1n << BigInt(type.width - 1)
    return [0, 1, 2, 3, -1, 7, 31, top, top - 1n, -top, 0x12345678n, 0x1234567890abcdefn]
  }

  it.each(types.map((type) => [JSON.stringify(type), type] as const))('%s: as constants fold', (_, type) => {
    const p = handMade()
    p.template('main', (t) => {
      const [x, y] = [t.local('x', type), t.local('y', type)]
      const values = interesting(type).map((value) => constant(type, value))
      for (const a of values)
        for (const b of values) {
          const loaded = t.location()
          t.edge(t.initial, loaded, [assign(x, a), assign(y, b)])
          const wrong = operations.map((operation) => ne(operation(varExpr(x), varExpr(y)), operation(a, b)))
          t.edge(loaded, t.error(), [assume(or(...wrong))])
        }
    })
    const { outcome, steps } = run(p.program())
    expect({ outcome, steps: steps.map(({ edge }) => edge.labels) }).toEqual({
      outcome: { kind: 'complete' },
      steps: [],
    })
  })
})
