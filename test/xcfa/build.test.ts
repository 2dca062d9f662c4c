// Constructors of expressions change the form, never the value.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  add,
  and,
  BOOL,
  binary,
  binaryValue,
  cast,
  castValue,
  compare,
  compareValue,
  constant,
  type Expr,
  eq,
  FALSE,
  FLOAT,
  INT,
  intType,
  ite,
  lt,
  ne,
  not,
  or,
  sameExpr,
  sub,
  substitute,
  TRUE,
  type Type,
  truth,
  unary,
  unaryValue,
  type Value,
  type Variable,
  varExpr,
} from '../../src/xcfa/index.js'

const variable = (name: string, type: Type, id: number): Variable => ({ id, name, type, scope: 'local', initial: 0 })
const x = variable('x', INT, 0)
const y = variable('y', INT, 1)
const small = variable('c', intType(8, true), 2)
const flag = variable('b', intType(1, false), 3)
const real = variable('f', FLOAT[64], 4)

describe('constructors', () => {
  it('fold sums to one constant', () => {
    expect(sameExpr(add(sub(add(varExpr(x), constant(INT, 5)), constant(INT, 7)), constant(INT, 2)), varExpr(x))).toBe(
      true,
    )
  })

  it('take truth values out of integers', () => {
    const less = lt(varExpr(x), varExpr(y))
    expect(sameExpr(truth(cast(INT, less)), less)).toBe(true)
    expect(sameExpr(eq(cast(INT, less), constant(INT, 0)), not(less))).toBe(true)
    expect(sameExpr(ne(ite(less, constant(INT, 3), constant(INT, 0)), constant(INT, 0)), less)).toBe(true)
  })

  it('negate comparisons, but not those of floats', () => {
    expect(not(lt(varExpr(x), varExpr(y))).kind).toBe('compare')
    // !(f < 1) is true of NaN, 1 <= f is not.
    expect(not(lt(varExpr(real), constant(FLOAT[64], 1))).kind).toBe('not')
  })

  it('recognise contradictions and tautologies', () => {
    const less = lt(varExpr(x), varExpr(y))
    expect(and(less, TRUE, not(less))).toBe(FALSE)
    expect(or(FALSE, less, not(less))).toBe(TRUE)
    expect(eq(varExpr(x), varExpr(x))).toBe(TRUE)
    expect(eq(varExpr(real), varExpr(real)).kind).toBe('compare')
  })

  it('compare a widened value with its own type', () => {
    expect(eq(cast(INT, varExpr(small)), constant(INT, 1000))).toBe(FALSE)
    expect(
      sameExpr(eq(cast(INT, varExpr(small)), constant(INT, -3)), eq(varExpr(small), constant(intType(8, true), -3))),
    ).toBe(true)
  })
})

// ---- values of random expressions: built plainly and evaluated, against built by the constructors and substituted

interface Sample {
  readonly expr: Expr
  value(env: ReadonlyMap<Variable, Value>): Value
}

const integers = [INT, intType(8, true), intType(8, false), intType(16, true), intType(64, false), intType(1, false)]
const toInt = (s: Sample, type: Type): Sample => ({
  expr: cast(type, s.expr),
  value: (env) => castValue(s.expr.type, type, s.value(env)),
})

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.constantFrom(x, y, small, flag).map((v): Sample => ({ expr: varExpr(v), value: (env) => env.get(v)! })),
  fc.integer({ min: -3, max: 3 }).map((n): Sample => ({ expr: constant(INT, n), value: () => n })),
)

const { sample } = fc.letrec<{ sample: Sample; condition: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc
      .tuple(
        fc.constantFrom('add', 'sub', 'mul', 'div', 'rem', 'shl', 'shr', 'bitand', 'bitor', 'bitxor'),
        fc.constantFrom(...integers),
        tie('sample'),
        tie('sample'),
      )
      .map(([op, type, a, b]): Sample => {
        const left = toInt(a, type)
        const right = toInt(b, type)
        return {
          expr: binary(op as 'add', left.expr, right.expr),
          value: (env) => binaryValue(op as 'add', type, left.value(env), right.value(env)),
        }
      }),
    fc.tuple(fc.constantFrom('neg', 'bitnot'), tie('sample')).map(([op, a]): Sample => {
      const arg = toInt(a, INT)
      return { expr: unary(op as 'neg', arg.expr), value: (env) => unaryValue(op as 'neg', INT, arg.value(env)) }
    }),
    fc.tuple(fc.constantFrom(...integers), tie('sample')).map(([type, a]) => toInt(a, type)),
    fc.tuple(tie('condition'), tie('sample'), tie('sample')).map(([c, a, b]): Sample => {
      const left = toInt(a, INT)
      const right = toInt(b, INT)
      return {
        expr: ite(c.expr, left.expr, right.expr),
        value: (env) => (c.value(env) === 1 ? left.value(env) : right.value(env)),
      }
    }),
    fc.tuple(tie('condition'), fc.constantFrom(...integers)).map(([c, type]) => toInt(c, type)),
  ),
  condition: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc
      .tuple(fc.constantFrom('eq', 'ne', 'lt', 'le'), fc.constantFrom(...integers), tie('sample'), tie('sample'))
      .map(([op, type, a, b]): Sample => {
        const left = toInt(a, type)
        const right = toInt(b, type)
        return {
          expr: compare(op as 'eq', left.expr, right.expr),
          value: (env) => (compareValue(op as 'eq', type, left.value(env), right.value(env)) ? 1 : 0),
        }
      }),
    tie('sample').map((a) => toInt(a, BOOL)),
    tie('condition').map((c): Sample => ({ expr: not(c.expr), value: (env) => (c.value(env) === 1 ? 0 : 1) })),
    fc.tuple(fc.boolean(), tie('condition'), tie('condition')).map(
      ([all, a, b]): Sample => ({
        expr: all ? and(a.expr, b.expr) : or(a.expr, b.expr),
        value: (env) =>
          all ? Number(a.value(env)) & Number(b.value(env)) : Number(a.value(env)) | Number(b.value(env)),
      }),
    ),
  ),
}))

describe('random expressions', () => {
  it('have the value of what they were built from', () => {
    fc.assert(
      fc.property(
        sample,
        fc.record({
          x: fc.integer(),
          y: fc.integer({ min: -4, max: 4 }),
          c: fc.integer({ min: -128, max: 127 }),
          b: fc.nat(1),
        }),
        (s, values) => {
          const env = new Map<Variable, Value>([
            [x, values.x],
            [y, values.y],
            [small, values.c],
            [flag, values.b],
          ])
          const folded = substitute(s.expr, (v) => constant(v.type, env.get(v)!))
          expect(folded).toEqual({ kind: 'const', type: s.expr.type, value: s.value(env) })
        },
      ),
      { numRuns: 20_000, seed: 7 },
    )
  })
})
