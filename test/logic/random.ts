// Seeded random terms over a few variables of each sort, built raw: what constructors make of them is for tests to see.
import {
  type ArraySort,
  type ArrayValue,
  application,
  arraySort,
  arrayStore,
  type BitVectorSort,
  BOOL_SORT,
  boolConst,
  bvConst,
  bvSort,
  defaultValue,
  INT_SORT,
  intConst,
  type Sort,
  type Term,
  type Value,
  variable,
} from '../../src/logic/index.js'

export type Random = (below: number) => number

/** mulberry32 */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

export const BV8 = bvSort(8)
const MEMORY = arraySort(INT_SORT, BV8)
const variables: readonly Term[] = [BOOL_SORT, INT_SORT, BV8, MEMORY].flatMap((sort) =>
  ['a', 'b', 'c'].map((name) => variable(`${name}_${sort.kind}`, sort)),
)

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!

const COMPARISONS = ['bvult', 'bvule', 'bvslt', 'bvsle'] as const
const BINARY = [
  'bvadd',
  'bvmul',
  'bvand',
  'bvor',
  'bvxor',
  'bvudiv',
  'bvurem',
  'bvsdiv',
  'bvsrem',
  'bvshl',
  'bvlshr',
  'bvashr',
] as const

export const randomTerm = (random: Random, sort: Sort, depth: number): Term => {
  const sub = (s: Sort): Term => randomTerm(random, s, depth - 1)
  if (depth <= 0 || random(8) === 0) return leaf(random, sort)
  if (random(7) === 0) return application('ite', sort, [sub(BOOL_SORT), sub(sort), sub(sort)])
  switch (sort.kind) {
    case 'bool':
      return randomFormula(random, sub)
    case 'int':
      return randomInteger(random, sub)
    case 'bv':
      return randomBits(random, sort, sub)
    default:
      return application('store', sort, [sub(sort), sub((sort as ArraySort).index), sub((sort as ArraySort).element)])
  }
}

const leaf = (random: Random, sort: Sort): Term => {
  if (sort.kind === 'array' || random(2) === 0) {
    const fitting = variables.filter((v) => v.sort === sort)
    if (fitting.length > 0) return pick(random, fitting)
  }
  return constantOf(random, sort)
}

const constantOf = (random: Random, sort: Sort): Term => {
  switch (sort.kind) {
    case 'bool':
      return boolConst(random(2) === 0)
    case 'int':
      return intConst(random(11) - 5)
    default:
      return bvConst(random(256), (sort as BitVectorSort).width)
  }
}

const randomFormula = (random: Random, sub: (s: Sort) => Term): Term => {
  switch (random(6)) {
    case 0:
      return application('not', BOOL_SORT, [sub(BOOL_SORT)])
    case 1:
      return application('and', BOOL_SORT, [sub(BOOL_SORT), sub(BOOL_SORT), sub(BOOL_SORT)])
    case 2:
      return application('or', BOOL_SORT, [sub(BOOL_SORT), sub(BOOL_SORT)])
    case 3: {
      const sort = pick(random, [BOOL_SORT, INT_SORT, BV8])
      return application('=', BOOL_SORT, [sub(sort), sub(sort)])
    }
    case 4:
      return application(pick(random, ['<=', '<'] as const), BOOL_SORT, [sub(INT_SORT), sub(INT_SORT)])
    default:
      return application(pick(random, COMPARISONS), BOOL_SORT, [sub(BV8), sub(BV8)])
  }
}

const randomInteger = (random: Random, sub: (s: Sort) => Term): Term => {
  switch (random(5)) {
    case 0:
      return application('*', INT_SORT, [intConst(random(7) - 3), sub(INT_SORT)])
    case 1:
      return application(pick(random, ['div', 'mod'] as const), INT_SORT, [sub(INT_SORT), intConst(random(4) + 1)])
    case 2:
      return application('bv2nat', INT_SORT, [sub(BV8)])
    default:
      return application('+', INT_SORT, [sub(INT_SORT), sub(INT_SORT)])
  }
}

const randomBits = (random: Random, sort: Sort, sub: (s: Sort) => Term): Term => {
  const width = (sort as BitVectorSort).width
  if (width !== 8) return constantOf(random, sort)
  switch (random(6)) {
    case 0:
      return application(pick(random, ['bvneg', 'bvnot'] as const), sort, [sub(sort)])
    case 1: {
      const low = random(8)
      const high = low + random(8 - low)
      const part = application('extract', bvSort(high - low + 1), [sub(sort)], high * 65536 + low)
      const bits = 8 - (high - low + 1)
      return bits === 0 ? part : application(pick(random, ['zero_extend', 'sign_extend'] as const), sort, [part], bits)
    }
    case 2: {
      const half = (from: number) => application('extract', bvSort(4), [sub(sort)], (from + 3) * 65536 + from)
      return application('concat', sort, [half(random(5)), half(random(5))])
    }
    case 3:
      return application('select', sort, [sub(MEMORY), sub(INT_SORT)])
    default:
      return application(pick(random, BINARY), sort, [sub(sort), sub(sort)])
  }
}

/** Small values, so that equalities hold now and then. */
export const randomModel = (random: Random): Map<Term, Value> =>
  new Map(variables.map((v) => [v, randomValue(random, v.sort)]))

const randomValue = (random: Random, sort: Sort): Value => {
  switch (sort.kind) {
    case 'bool':
      return random(2) === 0
    case 'int':
      return BigInt(random(9) - 4)
    case 'bv':
      return BigInt(random(3) === 0 ? random(4) : random(2 ** sort.width))
    default: {
      let array = defaultValue(sort) as ArrayValue
      for (let i = 0; i < 3; i++) array = arrayStore(array, BigInt(random(5)), BigInt(random(256)))
      return array
    }
  }
}
