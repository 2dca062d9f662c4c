// Symbolic execution of labels: what bmc, cegar, impact and redcomp share. A state says what each variable and each
// region of memory is as a term; a label gives the condition to get through and the state after it.

import type { Sort, Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Expr } from '../expr.js'
import type { Label, Load, Region, Store, Variable } from '../model.js'
import { type IndexedAddress, indexedAddress } from '../passes/unsized.js'
import { byteSize, POINTER, type Type } from '../types.js'
import type { Encoding } from './encoding.js'
import { typeInterval } from './intervals.js'
import { type Obligation, obligationsUnder } from './obligation.js'

export interface SymbolicState {
  value(v: Variable): Term
  memory(region: Region): Term
  withValue(v: Variable, term: Term): SymbolicState
  withMemory(region: Region, term: Term): SymbolicState
  /** Variables and regions that were given another term since the state was made by `symbolicState`. */
  readonly changedVariables: ReadonlyMap<Variable, Term>
  readonly changedRegions: ReadonlyMap<Region, Term>
}

/** A state from functions that say what everything is at first. */
export const symbolicState = (value: (v: Variable) => Term, memory: (region: Region) => Term): SymbolicState => {
  const make = (variables: ReadonlyMap<Variable, Term>, regions: ReadonlyMap<Region, Term>): SymbolicState => ({
    value: (v) => variables.get(v) ?? value(v),
    memory: (region) => regions.get(region) ?? memory(region),
    withValue: (v, term) => make(new Map(variables).set(v, term), regions),
    withMemory: (region, term) => make(variables, new Map(regions).set(region, term)),
    changedVariables: variables,
    changedRegions: regions,
  })
  return make(new Map(), new Map())
}

export interface Executed {
  /** What must hold to get through: assumptions, ranges of values that came from outside, what hooks ask for. */
  readonly guard: Term
  readonly next: SymbolicState
  /** What it takes for granted, given the guard so far. */
  readonly obligations: readonly Obligation[]
}

type Outcome = Pick<Executed, 'guard' | 'next'>

/** The instance that an allocation makes. */
export interface Instance {
  /** How far it lies behind the object's first instance: an address. */
  readonly offset: Term
  /** Holds exactly if addresses are reserved for it. */
  readonly room: Term
}

/** What is the engine's business: threads, the heap, and whether an address may be accessed. */
export interface Hooks {
  /** A variable that occurs nowhere else, named after what it stands for. */
  fresh(name: string, sort: Sort): Term
  start?(label: Extract<Label, { kind: 'start' }>, args: readonly Term[], state: SymbolicState): Outcome
  join?(label: Extract<Label, { kind: 'join' }>, thread: Term, state: SymbolicState): Outcome
  allocate?(label: Extract<Label, { kind: 'allocate' }>, state: SymbolicState): Instance
  free?(label: Extract<Label, { kind: 'free' }>, address: Term, state: SymbolicState): Outcome
  primitive?(label: Extract<Label, { kind: 'primitive' }>, args: readonly Term[], state: SymbolicState): Outcome
  /** The condition under which the access is defined: it becomes part of the guard. Absent: every access is. */
  access?(label: Load | Store, address: Term, state: SymbolicState): Term
  /** Whether offsets in the region may be anything that fits into an address (src/xcfa/passes/unsized.ts). */
  isIndexed?(region: Region): boolean
}

/** Fresh names in order of asking: `x!0`, `x!1`, ... with a prefix that tells one counter from another. */
export const freshNames = (prefix = ''): Hooks['fresh'] => {
  let count = 0
  return (name, sort) => logic.variable(`${prefix}${name}!${count++}`, sort)
}

const missing = (what: string): never => {
  throw new Error(`the engine has no hook for ${what}`)
}

/** The addresses of the bytes of an access. */
export const bytesAt = (encoding: Encoding, address: Term, count: number): readonly Term[] =>
  Array.from({ length: count }, (_, i) => offsetBy(encoding, address, i))

const offsetBy = (encoding: Encoding, address: Term, bytes: number): Term =>
  encoding.arithmetic === 'int'
    ? logic.add(address, logic.intConst(bytes))
    : logic.bvAdd(address, logic.bvConst(bytes, logic.widthOf(address)))

/** The value that a load finds, and the fact that it is one of its type. */
export const loadTerm = (
  encoding: Encoding,
  { region, type }: Pick<Load, 'region' | 'type'>,
  memory: Term,
  address: Term,
): { readonly value: Term; readonly fact: Term } => {
  if (region.element !== 'bytes') {
    const cell = logic.select(memory, address)
    return { value: encoding.reinterpret(region.element, type, cell), fact: encoding.inRange(region.element, cell) }
  }
  const bytes = bytesAt(encoding, address, byteSize(type)).map((at) => logic.select(memory, at))
  const byte = { kind: 'int', width: 8, signed: false } as const
  return {
    value: encoding.fromBytes(type, bytes),
    fact: logic.and(bytes.map((each) => encoding.inRange(byte, each))),
  }
}

const storeTerm = (
  encoding: Encoding,
  { region, type }: Pick<Store, 'region' | 'type'>,
  memory: Term,
  address: Term,
  value: Term,
): Term => {
  if (region.element !== 'bytes') return logic.store(memory, address, encoding.reinterpret(type, region.element, value))
  return encoding
    .toBytes(type, value)
    .reduce((array, byte, i) => logic.store(array, offsetBy(encoding, address, i), byte), memory)
}

/** An address as an index of regions: pointers have the encoding's address sort already. */
const addressTerm = (encoding: Encoding, term: Term): Term => {
  if (encoding.arithmetic === 'int' || term.sort === encoding.addressSort) return term
  const wanted = (encoding.addressSort as { width: number }).width
  const width = logic.widthOf(term)
  return width > wanted ? logic.extract(wanted - 1, 0, term) : logic.zeroExtend(wanted - width, term)
}

/** Whether the offset that the indices come to fits into an address; what they are made of is evaluated. */
const isOffset = ({ base, constant, indices }: IndexedAddress, { type }: Expr, evaluate: (e: Expr) => Term): Term => {
  evaluate(base)
  const offset = logic.add(
    logic.intConst(constant),
    ...indices.map(({ index, factor }) => logic.mul(logic.intConst(factor), evaluate(index))),
  )
  const last = logic.intConst((1n << BigInt((type as { width: number }).width)) - 1n)
  return logic.and(logic.le(logic.intConst(0), offset), logic.le(offset, last))
}

export const execute = (label: Label, state: SymbolicState, encoding: Encoding, hooks: Hooks): Executed => {
  const obligations: Obligation[] = []
  const evaluate = (e: Expr): Term => {
    for (const holds of encoding.obligations(e, state.value)) obligations.push({ kind: 'overflow', holds })
    return encoding.term(e, state.value)
  }
  const evaluateAddress = ({ address, region }: Load | Store): Term => {
    const parts = encoding.arithmetic === 'int' && hooks.isIndexed?.(region) ? indexedAddress(address) : undefined
    if (!parts || parts.indices.length === 0) return addressTerm(encoding, evaluate(address))
    obligations.push({ kind: 'overflow', holds: isOffset(parts, address, evaluate) })
    return addressTerm(encoding, encoding.term(address, state.value))
  }
  const done = (outcome: Outcome): Executed => ({ ...outcome, obligations })
  switch (label.kind) {
    case 'assign':
      return done({ guard: logic.TRUE, next: state.withValue(label.target, evaluate(label.value)) })
    case 'assume':
      return done({ guard: evaluate(label.condition), next: state })
    case 'havoc': {
      const { target, range } = label
      const value = hooks.fresh(target.name, encoding.sortOf(target.type))
      const ends = range && [evaluate(range.low), evaluate(range.high)]
      const inside = ends ? between(encoding, target, value, ends[0]!, ends[1]!) : logic.TRUE
      const guard = logic.and(encoding.inRange(target.type, value), inside)
      return done({ guard, next: state.withValue(target, value) })
    }
    case 'load': {
      const address = evaluateAddress(label)
      const defined = hooks.access?.(label, address, state) ?? logic.TRUE
      const { value, fact } = loadTerm(encoding, label, state.memory(label.region), address)
      const converted = encoding.convert(label.type, label.target.type, value)
      return done({ guard: logic.and(defined, fact), next: state.withValue(label.target, converted) })
    }
    case 'store': {
      const address = evaluateAddress(label)
      const value = evaluate(label.value)
      const defined = hooks.access?.(label, address, state) ?? logic.TRUE
      const memory = storeTerm(encoding, label, state.memory(label.region), address, value)
      return done({ guard: defined, next: state.withMemory(label.region, memory) })
    }
    case 'allocate': {
      const { object, target } = label
      const size = evaluate(label.size)
      const { offset, room } = (hooks.allocate ?? missing('allocate'))(label, state)
      const fits = isAtMost(encoding, label.size.type, size, object.size)
      obligations.push({ kind: 'allocation-size', object, holds: fits })
      obligations.push({ kind: 'heap-instances', object, holds: room })
      const address = encoding.convert(pointerOf(encoding), target.type, offsetBy(encoding, offset, object.base))
      return done({ guard: logic.TRUE, next: state.withValue(target, address) })
    }
    case 'free':
      return done((hooks.free ?? missing('free'))(label, evaluate(label.address), state))
    case 'start':
      return done((hooks.start ?? missing('start'))(label, label.args.map(evaluate), state))
    case 'join':
      return done((hooks.join ?? missing('join'))(label, evaluate(label.thread), state))
    case 'primitive':
      return done((hooks.primitive ?? missing('primitives'))(label, label.args.map(evaluate), state))
    case 'fence':
      return done({ guard: logic.TRUE, next: state })
    case 'call':
      throw new Error('calls are inlined before symbolic execution')
  }
}

const pointerOf = ({ addressSort }: Encoding): Type =>
  POINTER[addressSort.kind === 'bv' && addressSort.width === 32 ? 32 : 64]

/** 0 <= term <= most, of a term of an integer type. */
const isAtMost = (encoding: Encoding, type: Type, term: Term, most: number): Term => {
  const { high } = typeInterval(type)
  const bound = encoding.constant(type, high < BigInt(most) ? high : most)
  if (encoding.arithmetic === 'int') return logic.and(logic.le(logic.intConst(0), term), logic.le(term, bound))
  return logic.bvUle(term, bound)
}

const between = (encoding: Encoding, v: Variable, value: Term, low: Term, high: Term): Term => {
  if (encoding.arithmetic === 'int') return logic.and(logic.le(low, value), logic.le(value, high))
  const lessEqual = v.type.kind === 'int' && v.type.signed ? logic.bvSle : logic.bvUle
  return logic.and(lessEqual(low, value), lessEqual(value, high))
}

/** Labels one after the other. Obligations hold under the guards before them. */
export const executeAll = (
  labels: readonly Label[],
  state: SymbolicState,
  encoding: Encoding,
  hooks: Hooks,
): Executed => {
  let next = state
  const guards: Term[] = []
  const obligations: Obligation[] = []
  for (const label of labels) {
    const step = execute(label, next, encoding, hooks)
    obligations.push(...obligationsUnder(logic.and(guards), step.obligations))
    guards.push(step.guard)
    next = step.next
  }
  return { guard: logic.and(guards), next, obligations }
}
