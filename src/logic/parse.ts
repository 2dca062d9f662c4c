// Reading SMT-LIB text: values of models, formulas and solutions that a solver prints.
import { add, intConst, le, lt, mul, neg, realConst, sub, toReal } from './arithmetic.js'
import * as bv from './bitvector.js'
import { and, constArray, eq, ite, not, or, store } from './build.js'
import * as fp from './float.js'
import { BINARY, type Binary, UNARY, type Unary } from './operators.js'
import {
  type ArraySort,
  arraySort,
  BOOL_SORT,
  bvSort,
  FLOAT32_SORT,
  FLOAT64_SORT,
  type FloatSort,
  floatSort,
  INT_SORT,
  REAL_SORT,
  type Sort,
} from './sort.js'
import { FALSE, type Operator, type Term, TRUE } from './term.js'
import type { Rational } from './value.js'

/** An s-expression: a symbol (quotes removed, with `quoted` names as they are), or a list. */
export type Expression = string | readonly Expression[]

export const readExpressions = (text: string): readonly Expression[] => {
  const stack: Expression[][] = [[]]
  const token = /\s+|;[^\n]*|([()])|\|([^|]*)\||("(?:[^"]|"")*")|([^\s()|";]+)/gy
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[1] === '(') stack.push([])
    else if (match[1] === ')') {
      const list = stack.pop()!
      if (stack.length === 0) throw new Error('unbalanced parentheses from the solver')
      stack[stack.length - 1]!.push(list)
    } else {
      const symbol = match[2] ?? match[3] ?? match[4]
      if (symbol !== undefined) stack[stack.length - 1]!.push(symbol)
    }
  }
  if (stack.length !== 1) throw new Error('unbalanced parentheses from the solver')
  return stack[0]!
}

export const parseSort = (e: Expression): Sort => {
  if (typeof e === 'string') {
    const named: Readonly<Record<string, Sort>> = {
      Bool: BOOL_SORT,
      Int: INT_SORT,
      Real: REAL_SORT,
      Float32: FLOAT32_SORT,
      Float64: FLOAT64_SORT,
    }
    if (named[e]) return named[e]
  } else if (e[0] === 'Array') return arraySort(parseSort(e[1]!), parseSort(e[2]!))
  else if (e[0] === '_' && e[1] === 'BitVec') return bvSort(Number(e[2]))
  else if (e[0] === '_' && e[1] === 'FloatingPoint') return floatSort(Number(e[2]), Number(e[3]))
  throw new Error(`unknown sort ${JSON.stringify(e)}`)
}

type Scope = (name: string) => Term | undefined

/** A term whose free names the scope resolves. Numerals without a point are integers. */
export const parseTerm = (text: string, scope: Scope = () => undefined): Term =>
  parseExpression(readExpressions(text)[0]!, scope)

export const parseExpression = (e: Expression, scope: Scope): Term => {
  let names = scope
  let body = e
  while (typeof body !== 'string' && body[0] === 'let') {
    const outer = names
    const bound = new Map(
      (body[1] as readonly Expression[]).map((binding) => [binding[0] as string, parseExpression(binding[1]!, outer)]),
    )
    names = (name) => bound.get(name) ?? outer(name)
    body = body[2]!
  }
  if (typeof body === 'string') return parseSymbol(body, names)
  const [head, ...rest] = body
  if (typeof head !== 'string') return parseIndexed(head as readonly Expression[], rest, names)
  if (head === '_') return parseUnderscore(body)
  if (head === '!') return parseExpression(rest[0]!, names)
  return parseApplication(
    head,
    rest.filter((r) => typeof r !== 'string' || !ROUNDING.has(r)).map((r) => parseExpression(r, names)),
  )
}

const parseSymbol = (symbol: string, scope: Scope): Term => {
  const known = scope(symbol)
  if (known) return known
  if (symbol === 'true') return TRUE
  if (symbol === 'false') return FALSE
  if (symbol.startsWith('#b')) return bv.bvConst(BigInt(`0b${symbol.slice(2)}`), symbol.length - 2)
  if (symbol.startsWith('#x')) return bv.bvConst(BigInt(`0x${symbol.slice(2)}`), 4 * (symbol.length - 2))
  if (/^\d+$/.test(symbol)) return intConst(BigInt(symbol))
  const decimal = /^(\d+)\.(\d+)$/.exec(symbol)
  if (decimal) return realConst(BigInt(decimal[1]! + decimal[2]!), 10n ** BigInt(decimal[2]!.length))
  throw new Error(`unknown symbol ${symbol}`)
}

/** (_ bv5 32), (_ NaN 11 53), (_ +oo 8 24), ... */
const parseUnderscore = (e: readonly Expression[]): Term => {
  const name = e[1] as string
  if (/^bv\d+$/.test(name)) return bv.bvConst(BigInt(name.slice(2)), Number(e[2]))
  const sort = floatSort(Number(e[2]), Number(e[3]))
  const special: Readonly<Record<string, number>> = {
    NaN: Number.NaN,
    '+oo': Number.POSITIVE_INFINITY,
    '-oo': Number.NEGATIVE_INFINITY,
    '+zero': 0,
    '-zero': -0,
  }
  const value = special[name]
  if (value === undefined) throw new Error(`unknown constant ${name}`)
  return fp.floatConst(value, sort)
}

const ROUNDING = new Set(['RNE', 'RTZ', 'roundNearestTiesToEven', 'roundTowardZero'])

const parseIndexed = (head: readonly Expression[], rest: readonly Expression[], scope: Scope): Term => {
  const operands = rest.filter((r) => typeof r !== 'string' || !ROUNDING.has(r))
  const args = operands.map((r) => parseExpression(r, scope))
  if (head[0] === 'as' && head[1] === 'const') return constArray(parseSort(head[2]!) as ArraySort, args[0]!)
  return applyNamed(head[1] as string, head.slice(2).map(Number), args, operands.length < rest.length)
}

/** An operator by its SMT-LIB name, with indices as of extract; `rounds`: a rounding mode was among the arguments. */
export const applyNamed = (name: string, indices: readonly number[], args: readonly Term[], rounds = false): Term => {
  const a = args[0]!
  const [first, second] = indices as readonly [number, number]
  switch (name) {
    case 'extract':
      return bv.extract(first, second, a)
    case 'zero_extend':
      return bv.zeroExtend(first, a)
    case 'sign_extend':
      return bv.signExtend(first, a)
    case 'repeat':
      return Array.from({ length: first }, () => a).reduce(bv.concat)
    case 'int2bv':
    case 'int_to_bv':
      return bv.intToBv(first, a)
    case 'to_fp':
      if (!rounds) return fp.fpFromBits(a, floatSort(first, second))
      return a.sort.kind === 'float'
        ? fp.fpFromFp(a, floatSort(first, second))
        : fp.fpFromSigned(a, floatSort(first, second))
    case 'to_fp_unsigned':
      return fp.fpFromUnsigned(a, floatSort(first, second))
    case 'fp.to_sbv':
      return fp.fpToSigned(a, first)
    case 'fp.to_ubv':
      return fp.fpToUnsigned(a, first)
    default:
      return parseApplication(name, args)
  }
}

const chain = (args: readonly Term[], relation: (a: Term, b: Term) => Term): Term =>
  and(args.slice(1).map((b, i) => relation(args[i]!, b)))

const divideReals = (a: Term, b: Term): Term => {
  const divisor = b.value as Rational
  return mul(realConst(divisor.denominator, divisor.numerator), a)
}

/** A sum of reals may have integer constants in it as solvers print them. */
const asReals = (args: readonly Term[]): readonly Term[] =>
  args.some((a) => a.sort.kind === 'real') ? args.map((a) => (a.sort.kind === 'int' ? toReal(a) : a)) : args

const parseApplication = (head: string, given: readonly Term[]): Term => {
  const args = asReals(given)
  const [a, b, c] = args as readonly [Term, Term, Term]
  switch (head) {
    case 'and':
      return and(args)
    case 'or':
      return or(args)
    case '=>':
      return or(args.slice(0, -1).map(not), args[args.length - 1]!)
    case 'xor':
      return not(eq(a, b))
    case '=':
    case 'iff':
      return chain(args, eq)
    case 'distinct':
      return and(args.flatMap((x, i) => args.slice(i + 1).map((y) => not(eq(x, y)))))
    case 'ite':
    case 'if':
      return ite(a, b, c)
    case '+':
      return add(...args)
    case '-':
      return args.length === 1 ? neg(a) : args.slice(1).reduce(sub, a)
    case '/':
      return divideReals(a.sort.kind === 'int' ? toReal(a) : a, b.sort.kind === 'int' ? toReal(b) : b)
    case '<=':
      return chain(args, le)
    case '<':
      return chain(args, lt)
    case '>=':
      return chain(args, (x, y) => le(y, x))
    case '>':
      return chain(args, (x, y) => lt(y, x))
    case 'store':
      return store(a, b, c)
    case 'fp': {
      const bits = bv.concat(bv.concat(a, b), c)
      return fp.fpFromBits(bits, floatSort(bv.widthOf(b), bv.widthOf(c) + 1) as FloatSort)
    }
    default:
      return parseTheory(head, args)
  }
}

/** Names that only texts have. `bvudiv_i` and the like are Z3's own, for division by what is not zero. */
const WRITTEN_BINARY: Readonly<Record<string, Binary>> = {
  bvsub: bv.bvSub,
  bvudiv_i: bv.bvUdiv,
  bvurem_i: bv.bvUrem,
  bvsdiv_i: bv.bvSdiv,
  bvsrem_i: bv.bvSrem,
  bvugt: (a, b) => bv.bvUlt(b, a),
  bvuge: (a, b) => bv.bvUle(b, a),
  bvsgt: (a, b) => bv.bvSlt(b, a),
  bvsge: (a, b) => bv.bvSle(b, a),
  'fp.gt': (a, b) => fp.fpLt(b, a),
  'fp.geq': (a, b) => fp.fpLe(b, a),
}
const WRITTEN_UNARY: Readonly<Record<string, Unary>> = {
  bv2int: bv.bvToInt,
  ubv_to_int: bv.bvToInt,
  'fp.to_ieee_bv': fp.fpToBits,
}

const parseTheory = (head: string, args: readonly Term[]): Term => {
  const unary = UNARY[head as Operator] ?? WRITTEN_UNARY[head]
  if (unary) return unary(args[0]!)
  const binary = BINARY[head as Operator] ?? WRITTEN_BINARY[head]
  if (binary) return args.slice(1).reduce(binary, args[0]!)
  throw new Error(`unknown operator ${head}`)
}
