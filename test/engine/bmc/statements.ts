// Threads of a few statements, one step each, with two meanings: as automata for the engine, and as functions on a
// plain record here, from which interleavings, independence by the rules of peephole.txt and Mazurkiewicz traces are
// computed without the engine.
import {
  add,
  bitand,
  cast,
  constant,
  type Expr,
  eq,
  INT,
  intType,
  type Label,
  lt,
  mul,
  not,
  POINTER,
  type Program,
  type Region,
  type Variable,
  varExpr,
} from '../../../src/xcfa/index.js'
import { assign, assume, num, start } from '../../semantics/programs.js'
import { handMade } from '../../xcfa/hand.js'

const GLOBALS = ['x', 'y', 'z', 'm'] as const
export type Global = (typeof GLOBALS)[number]

/** An index of the array: a constant, or a global variable taken modulo 2. */
export type Index = number | Global

export type Statement =
  | { readonly kind: 'set'; readonly target: Global; readonly value: number }
  | { readonly kind: 'set-all'; readonly values: Readonly<Partial<Record<Global, number>>> }
  | { readonly kind: 'copy'; readonly target: Global; readonly from: Global }
  | { readonly kind: 'increment'; readonly target: Global }
  | { readonly kind: 'read'; readonly from: Global }
  | { readonly kind: 'branch'; readonly on: Global; readonly below: number }
  | { readonly kind: 'await'; readonly on: Global; readonly below: number }
  | { readonly kind: 'store'; readonly index: Index; readonly value: number }
  | { readonly kind: 'load'; readonly index: Index }
  | { readonly kind: 'update'; readonly index: Index; readonly by: number }
  | { readonly kind: 'fetch'; readonly target: Global; readonly index: Index }
  | { readonly kind: 'lock' }
  | { readonly kind: 'unlock' }

const CELLS = 3

// ---- as automata

const READS = 'r'

export const programOf = (threads: readonly (readonly Statement[])[]): Program => {
  const p = handMade()
  const globals = Object.fromEntries(GLOBALS.map((name) => [name, p.global(name)])) as Record<Global, Variable>
  const array = p.object('a', 4 * CELLS)
  const region: Region = {
    ...{ id: 7, name: 'a', scope: 'global', element: INT },
    slots: [{ object: array, offset: 0, step: 4, count: CELLS }],
  }
  threads.forEach((statements, number) => {
    p.template(`T${number}`, (t) => {
      // A local a statement, so that what is read stays read.
      const ends = [t.initial, ...statements.slice(1).map(() => t.location()), t.final]
      statements.forEach((statement, i) => {
        const local = t.local(`${READS}${i}`)
        const ways = labelsOf(statement, { globals, region, base: array.base, local, self: t.self })
        for (const labels of ways) t.edge(ends[i]!, ends[i + 1]!, labels)
      })
    })
  })
  p.template('main', (t) => {
    t.edge(
      t.initial,
      t.final,
      threads.map((_, i) => start(t.local(`t${i}`, intType(32, false)), `T${i}`)),
    )
  })
  return { ...p.program(), regions: [region] }
}

interface Names {
  readonly globals: Readonly<Record<Global, Variable>>
  readonly region: Region
  readonly base: number
  readonly local: Variable
  readonly self: Variable
}

/** The edges of a statement: two for a branch. */
const labelsOf = (statement: Statement, names: Names): readonly (readonly Label[])[] => {
  const { globals, region, local, self } = names
  const value = (name: Global): Expr => varExpr(globals[name])
  const at = (index: Index): Expr => addressOf(index, names)
  const load = (index: Index): Label => ({ kind: 'load', target: local, region, address: at(index), type: INT })
  const store = (index: Index, expr: Expr): Label => ({
    kind: 'store',
    region,
    address: at(index),
    value: expr,
    type: INT,
  })
  switch (statement.kind) {
    case 'set':
      return [[assign(globals[statement.target], num(statement.value))]]
    case 'set-all':
      return [Object.entries(statement.values).map(([name, n]) => assign(globals[name as Global], num(n)))]
    case 'copy':
      return [[assign(globals[statement.target], value(statement.from))]]
    case 'increment':
      return [[assign(globals[statement.target], add(value(statement.target), num(1)))]]
    case 'read':
      return [[assign(local, value(statement.from))]]
    case 'branch': {
      const condition = lt(value(statement.on), num(statement.below))
      return [[assume(condition)], [assume(not(condition))]]
    }
    case 'await':
      return [[assume(lt(value(statement.on), num(statement.below)))]]
    case 'store':
      return [[store(statement.index, num(statement.value))]]
    case 'load':
      return [[load(statement.index)]]
    case 'update':
      return [[load(statement.index), store(statement.index, add(varExpr(local), num(statement.by)))]]
    case 'fetch':
      return [[load(statement.index), assign(globals[statement.target], varExpr(local)), assign(local, num(0))]]
    case 'lock':
      return [[assume(eq(value('m'), num(0))), assign(globals.m, add(cast(INT, varExpr(self)), num(1)))]]
    case 'unlock':
      return [[assume(eq(value('m'), add(cast(INT, varExpr(self)), num(1)))), assign(globals.m, num(0))]]
  }
}

const addressOf = (index: Index, { globals, base }: Names): Expr => {
  if (typeof index === 'number') return constant(POINTER[64], base + 4 * index)
  const long = intType(64, true)
  const element = cast(long, bitand(varExpr(globals[index]), num(1)))
  return add(constant(POINTER[64], base), mul(element, constant(long, 4)))
}

// ---- as functions

/** Places by name: globals, and `a0`, `a1`, ... */
export type Memory = Readonly<Record<string, number>>

/** One way to take a statement in a state: which edge, what it assigns, what these values depend on. */
interface Action {
  /** Which of the statement's edges. */
  readonly way: number
  readonly enabled: boolean
  readonly writes: Memory
  /** Places that the assigned values, and the places of memory, are computed from. */
  readonly data: readonly string[]
  /** Places that the enabling condition reads. */
  readonly guard: readonly string[]
  /** Accesses to the array at an index that is not constant. */
  readonly symbolic: boolean
}

export const initialMemory = (): Memory => ({
  ...Object.fromEntries(GLOBALS.map((name) => [name, 0])),
  ...Object.fromEntries(Array.from({ length: CELLS }, (_, i) => [`a${i}`, 0])),
})

export const actionsOf = (statement: Statement, s: Memory, owner: number): readonly Action[] => {
  const base = { way: 0, enabled: true, writes: {}, data: [], guard: [], symbolic: false }
  const place = (index: Index): string => `a${typeof index === 'number' ? index : s[index]! & 1}`
  const via = (index: Index): readonly string[] => (typeof index === 'number' ? [] : [index])
  const symbolic = (index: Index): boolean => typeof index !== 'number'
  switch (statement.kind) {
    case 'set':
      return [{ ...base, writes: { [statement.target]: statement.value } }]
    case 'set-all':
      return [{ ...base, writes: statement.values as Memory }]
    case 'copy':
      if (statement.target === statement.from) return [base]
      return [{ ...base, writes: { [statement.target]: s[statement.from]! }, data: [statement.from] }]
    case 'increment':
      return [{ ...base, writes: { [statement.target]: s[statement.target]! + 1 }, data: [statement.target] }]
    case 'read':
      return [{ ...base, data: [statement.from] }]
    case 'branch': {
      const below = s[statement.on]! < statement.below
      return [true, false].map((way, i) => ({ ...base, way: i, enabled: below === way, guard: [statement.on] }))
    }
    case 'await':
      return [{ ...base, enabled: s[statement.on]! < statement.below, guard: [statement.on] }]
    case 'store': {
      const { index, value } = statement
      return [{ ...base, writes: { [place(index)]: value }, data: via(index), symbolic: symbolic(index) }]
    }
    case 'load': {
      const { index } = statement
      return [{ ...base, data: [...via(index), place(index)], symbolic: symbolic(index) }]
    }
    case 'update': {
      const { index, by } = statement
      const at = place(index)
      return [{ ...base, writes: { [at]: s[at]! + by }, data: [...via(index), at], symbolic: symbolic(index) }]
    }
    case 'fetch': {
      const { index, target } = statement
      const at = place(index)
      return [{ ...base, writes: { [target]: s[at]! }, data: [...via(index), at], symbolic: symbolic(index) }]
    }
    case 'lock':
      return [{ ...base, enabled: s['m'] === 0, writes: { m: owner + 1 }, guard: ['m'] }]
    case 'unlock':
      return [{ ...base, enabled: s['m'] === owner + 1, writes: { m: 0 }, guard: ['m'] }]
  }
}
