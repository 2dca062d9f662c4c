import { describe, expect, it } from 'vitest'
import * as logic from '../../../src/logic/index.js'
import {
  BOOL,
  type Expr,
  FLOAT,
  INT,
  intType,
  ite,
  POINTER,
  type Type,
  type Value,
  type Variable,
} from '../../../src/xcfa/index.js'
import { createEncoding, NotExpressible } from '../../../src/xcfa/terms/index.js'
import { binaryValue, bitcastValue, castValue, compareValue, unaryValue, wrap } from '../../../src/xcfa/value.js'
import { type Random, seeded } from '../../logic/random.js'

const types: readonly Type[] = [
  INT,
  intType(32, false),
  intType(8, true),
  intType(8, false),
  intType(1, false),
  intType(64, true),
  intType(64, false),
  intType(5, true),
  POINTER[64],
]
const variables = types.flatMap((type, i): readonly Variable[] =>
  [0, 1].map((k) => ({ id: 2 * i + k, name: `v${2 * i + k}`, type, scope: 'global', initial: 0 })),
)
const floats = [FLOAT[32], FLOAT[64]].map(
  (type, i): Variable => ({ id: 100 + i, name: `f${i}`, type, scope: 'global', initial: 0 }),
)

/** The concrete meaning, by the arithmetic that the interpreter uses. */
const concrete = (e: Expr, env: ReadonlyMap<Variable, Value>): Value => {
  switch (e.kind) {
    case 'const':
      return e.value
    case 'var':
      return env.get(e.variable)!
    case 'unary':
      return unaryValue(e.op, e.type, concrete(e.arg, env))
    case 'binary':
      return binaryValue(e.op, e.type, concrete(e.left, env), concrete(e.right, env))
    case 'compare':
      return compareValue(e.op, e.left.type, concrete(e.left, env), concrete(e.right, env)) ? 1 : 0
    case 'not':
      return concrete(e.arg, env) ? 0 : 1
    case 'and':
      return e.args.every((a) => concrete(a, env)) ? 1 : 0
    case 'or':
      return e.args.some((a) => concrete(a, env)) ? 1 : 0
    case 'ite':
      return concrete(e.condition, env) ? concrete(e.then, env) : concrete(e.else, env)
    case 'cast':
      return castValue(e.arg.type, e.type, concrete(e.arg, env))
    case 'bitcast':
      return bitcastValue(e.arg.type, e.type, concrete(e.arg, env))
  }
}

const choice = (condition: Expr, then: Expr, otherwise: Expr): Expr => ite(condition, then, otherwise)

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!
const OPERATIONS = ['add', 'sub', 'mul', 'div', 'rem', 'shl', 'shr', 'bitand', 'bitor', 'bitxor'] as const
const INTERESTING = [0n, 1n, -1n, 2n, 3n, 7n, 127n, 128n, 255n, 256n, 0x7fffffffn, 0x80000000n, (1n << 63n) - 1n]

const randomValue = (random: Random, type: Type): Value =>
  type.kind === 'float'
    ? wrap(type, pick(random, [0, -0, 1.5, -2.75, 1e10, 3e38, -1e300, 0.1, Number.NaN, Number.POSITIVE_INFINITY]))
    : wrap(type, random(2) === 0 ? BigInt(random(20) - 10) : pick(random, INTERESTING) + BigInt(random(3) - 1))

const randomExpr = (random: Random, type: Type, depth: number): Expr => {
  const sub = (t: Type) => randomExpr(random, t, depth - 1)
  if (type.kind === 'bool') {
    if (depth <= 0) return { kind: 'const', type, value: random(2) }
    const operand = pick(random, types)
    if (random(4) === 0) return { kind: pick(random, ['and', 'or'] as const), type, args: [sub(BOOL), sub(BOOL)] }
    if (random(5) === 0) return { kind: 'not', type: BOOL, arg: sub(BOOL) }
    return {
      kind: 'compare',
      op: pick(random, ['eq', 'ne', 'lt', 'le'] as const),
      type,
      left: sub(operand),
      right: sub(operand),
    }
  }
  if (depth <= 0 || random(6) === 0) {
    const fitting = variables.filter((v) => v.type === type)
    return random(3) > 0 && fitting.length > 0
      ? { kind: 'var', type, variable: pick(random, fitting) }
      : { kind: 'const', type, value: randomValue(random, type) }
  }
  if (type.kind === 'pointer')
    return random(2) === 0
      ? { kind: 'cast', type, arg: sub(intType(64, false)) }
      : choice(sub(BOOL), sub(type), sub(type))
  switch (random(6)) {
    case 0:
      return { kind: 'cast', type, arg: sub(random(4) === 0 ? BOOL : pick(random, types)) }
    case 1:
      return choice(sub(BOOL), sub(type), sub(type))
    case 2:
      return { kind: 'unary', op: pick(random, ['neg', 'bitnot'] as const), type, arg: sub(type) }
    default: {
      const op = pick(random, OPERATIONS)
      const right =
        op === 'shl' || op === 'shr' ? sub(pick(random, [INT, intType(8, false), intType(64, true)])) : sub(type)
      return { kind: 'binary', op, type, left: sub(type), right }
    }
  }
}

const asValue = (type: Type, value: logic.Value): Value => {
  if (typeof value === 'boolean') return value ? 1 : 0
  return wrap(type, value as Value)
}

describe('bit-vectors', () => {
  const encoding = createEncoding('bv')
  it('are exactly the concrete arithmetic, on random expressions', () => {
    const random = seeded(11)
    for (let i = 0; i < 4000; i++) {
      const e = randomExpr(random, random(3) === 0 ? BOOL : pick(random, types), 4)
      const env = new Map(variables.map((v) => [v, randomValue(random, v.type)]))
      const folded = encoding.term(e, (v) => encoding.constant(v.type, env.get(v)!))
      expect(folded.op, logic.print(folded)).toBe('const')
      expect(asValue(e.type, folded.value!), logic.print(folded)).toEqual(concrete(e, env))
      const open = encoding.term(e, (v) => logic.variable(v.name, encoding.sortOf(v.type)))
      const model = new Map(
        variables.map((v) => [
          logic.variable(v.name, encoding.sortOf(v.type)),
          encoding.constant(v.type, env.get(v)!).value!,
        ]),
      )
      expect(asValue(e.type, logic.evaluate(open, model))).toEqual(concrete(e, env))
    }
  })

  it('convert floats as C does', () => {
    const random = seeded(12)
    for (let i = 0; i < 2000; i++) {
      const from = pick(random, floats)
      const value = randomValue(random, from.type)
      const to = pick(random, [...types, ...floats.map((f) => f.type), BOOL])
      const e: Expr = { kind: 'cast', type: to, arg: { kind: 'var', type: from.type, variable: from } }
      const term = encoding.term(e, (v) => encoding.constant(v.type, value))
      expect(asValue(to, term.value!)).toEqual(concrete(e, new Map([[from, value]])))
      const back = pick(random, types)
      const integer = randomValue(random, back)
      const f: Expr = { kind: 'cast', type: from.type, arg: { kind: 'const', type: back, value: integer } }
      expect(encoding.term(f, () => logic.TRUE).value).toEqual(concrete(f, new Map()))
    }
  })

  it('memory is little endian: bytes come back as the value', () => {
    const random = seeded(13)
    for (let i = 0; i < 500; i++) {
      const type = pick(random, types)
      const value = encoding.constant(type, randomValue(random, type))
      expect(encoding.fromBytes(type, encoding.toBytes(type, value))).toBe(value)
    }
    expect(encoding.toBytes(INT, encoding.constant(INT, 0x01020304)).map((b) => b.value)).toEqual([4n, 3n, 2n, 1n])
  })
})

describe('integers', () => {
  const encoding = createEncoding('int')
  it('are the concrete arithmetic wherever no obligation is broken', () => {
    const random = seeded(21)
    let compared = 0
    let broken = 0
    for (let i = 0; i < 12000; i++) {
      const e = randomExpr(random, random(3) === 0 ? BOOL : pick(random, types), 3)
      const env = new Map(variables.map((v) => [v, randomValue(random, v.type)]))
      const environment = (v: Variable) => logic.variable(v.name, encoding.sortOf(v.type))
      const model = new Map(variables.map((v) => [environment(v), BigInt(env.get(v)!)]))
      try {
        const term = encoding.term(e, environment)
        const obligations = encoding.obligations(e, environment)
        if (obligations.some((o) => logic.evaluate(o, model) === false)) {
          broken++
          continue
        }
        compared++
        const value = logic.evaluate(term, model)
        expect(typeof value === 'boolean' ? (value ? 1n : 0n) : value, logic.print(term)).toEqual(
          BigInt(concrete(e, env)),
        )
      } catch (error) {
        if (!(error instanceof NotExpressible)) throw error
      }
    }
    expect(compared).toBeGreaterThan(3000)
    expect(broken).toBeGreaterThan(100)
  })

  it('that wrap are the concrete arithmetic, and leave nothing to show', () => {
    const wrapping = createEncoding('int', { wrapping: true })
    const random = seeded(22)
    let compared = 0
    for (let i = 0; i < 4000; i++) {
      const e = randomExpr(random, random(3) === 0 ? BOOL : pick(random, types), 3)
      const env = new Map(variables.map((v) => [v, randomValue(random, v.type)]))
      const environment = (v: Variable) => logic.variable(v.name, wrapping.sortOf(v.type))
      const model = new Map(variables.map((v) => [environment(v), BigInt(env.get(v)!)]))
      try {
        expect(wrapping.obligations(e, environment)).toEqual([])
        const value = logic.evaluate(wrapping.term(e, environment), model)
        expect(typeof value === 'boolean' ? (value ? 1n : 0n) : value).toEqual(BigInt(concrete(e, env)))
        compared++
      } catch (error) {
        if (!(error instanceof NotExpressible)) throw error
      }
    }
    expect(compared).toBeGreaterThan(1000)
  })

  it('ask for the overflow of x + 1, under the condition that guards it, and not where bounds exclude it', () => {
    const x = variables[0]!
    const plusOne: Expr = {
      kind: 'binary',
      op: 'add',
      type: INT,
      left: { kind: 'var', type: INT, variable: x },
      right: { kind: 'const', type: INT, value: 1 },
    }
    const term = logic.variable('x', logic.INT_SORT)
    expect(encoding.obligations(plusOne, () => term)).toEqual([
      logic.and(logic.le(term, logic.intConst(2147483646)), logic.le(logic.intConst(-2147483649), term)),
    ])
    const bounded = createEncoding('int', { bounds: () => ({ low: 0n, high: 100n }) })
    expect(bounded.obligations(plusOne, () => term)).toEqual([])
    const less: Expr = {
      kind: 'compare',
      op: 'lt',
      type: BOOL,
      left: { kind: 'var', type: INT, variable: x },
      right: { kind: 'const', type: INT, value: 10 },
    }
    const guarded = choice(less, plusOne, { kind: 'const', type: INT, value: 0 })
    const [only] = encoding.obligations(guarded, () => term)
    expect(logic.evaluate(only!, new Map([[term, 2147483647n]]))).toBe(true)
    expect(logic.evaluate(only!, new Map([[term, 5n]]))).toBe(true)
  })

  it('bytes come back as the value', () => {
    const random = seeded(23)
    for (let i = 0; i < 500; i++) {
      const type = pick(random, types)
      const value = encoding.constant(type, randomValue(random, type))
      expect(encoding.fromBytes(type, encoding.toBytes(type, value))).toBe(value)
    }
  })

  it('a product of variables with & is not expressible', () => {
    const [x, y] = [variables[0]!, variables[1]!]
    const e: Expr = {
      kind: 'binary',
      op: 'bitand',
      type: INT,
      left: { kind: 'var', type: INT, variable: x },
      right: { kind: 'var', type: INT, variable: y },
    }
    expect(() => encoding.term(e, (v) => logic.variable(v.name, logic.INT_SORT))).toThrow(NotExpressible)
  })
})
