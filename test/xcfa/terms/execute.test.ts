import { describe, expect, it } from 'vitest'
import * as logic from '../../../src/logic/index.js'
import { checkInterpolants, interpolate } from '../../../src/smt/index.js'
import { pathFormulas } from '../../../src/symbolic/index.js'
import {
  add,
  compare,
  constant,
  type Expr,
  INT,
  intType,
  type Label,
  type MemoryObject,
  POINTER,
  type Region,
  type Type,
  type Value,
  type Variable,
  varExpr,
} from '../../../src/xcfa/index.js'
import {
  addressInRegion,
  createEncoding,
  defaultNames,
  executeAll,
  freshNames,
  symbolicState,
  variableTerm,
} from '../../../src/xcfa/terms/index.js'
import { binaryValue, castValue } from '../../../src/xcfa/value.js'
import { seeded } from '../../logic/random.js'
import { libraryKinds, withSmt } from '../../smt/backends.js'

let created = 0
const declare = (name: string, type: Type, scope: 'global' | 'local' = 'global'): Variable => ({
  id: created++,
  name,
  type,
  scope,
  initial: 0,
})
const block: MemoryObject = {
  id: 0,
  name: 'block',
  storage: 'static',
  base: 64,
  stride: 64,
  size: 32,
  cells: [],
  initial: [],
  contents: 'zero',
}
const region = (element: Type | 'bytes', step: number): Region => ({
  id: step,
  name: `region${step}`,
  scope: 'global',
  element,
  slots: [{ object: block, offset: 0, step, count: 32 / step }],
})
const bytes = region('bytes', 1)
const pointer = (address: number): Expr => constant(POINTER[64], address)

/** The same labels on concrete values and a byte buffer. */
const runConcretely = (labels: readonly Label[], values: Map<Variable, Value>): void => {
  const memory = new DataView(new ArrayBuffer(128))
  const value = (e: Expr): Value => {
    if (e.kind === 'const') return e.value
    if (e.kind === 'var') return values.get(e.variable)!
    if (e.kind === 'cast') return castValue(e.arg.type, e.type, value(e.arg))
    if (e.kind === 'binary') return binaryValue(e.op, e.type, value(e.left), value(e.right))
    throw new Error(e.kind)
  }
  for (const label of labels) {
    if (label.kind === 'assign') values.set(label.target, value(label.value))
    if (label.kind !== 'store' && label.kind !== 'load') continue
    const address = Number(value(label.address))
    const { width, signed } = label.type as { width: number; signed: boolean }
    if (label.kind === 'store') {
      if (width === 8) memory.setInt8(address, Number(value(label.value)))
      else if (width === 16) memory.setInt16(address, Number(value(label.value)), true)
      else memory.setInt32(address, Number(value(label.value)), true)
    } else if (width === 8) values.set(label.target, signed ? memory.getInt8(address) : memory.getUint8(address))
    else if (width === 16)
      values.set(label.target, signed ? memory.getInt16(address, true) : memory.getUint16(address, true))
    else values.set(label.target, signed ? memory.getInt32(address, true) : memory.getUint32(address, true))
  }
}

describe.each(['bv', 'int'] as const)('symbolic execution, %s', (arithmetic) => {
  const encoding = createEncoding(arithmetic)

  it('of overlapping loads and stores is what a byte buffer does', () => {
    const random = seeded(31)
    const types = [8, 16, 32].flatMap((width) => [intType(width, true), intType(width, false)])
    const variables = types.flatMap((type, i) => [declare(`a${i}`, type), declare(`b${i}`, type)])
    const ofType = (type: Type) => variables.filter((v) => v.type === type)[random(2)]!
    for (let round = 0; round < 60; round++) {
      const labels: Label[] = []
      for (let i = 0; i < 25; i++) {
        const type = types[random(types.length)]!
        const address = pointer(64 + random(12))
        const target = ofType(type)
        const source: Expr = { kind: 'cast', type, arg: varExpr(variables[random(variables.length)]!) }
        if (random(3) === 0) labels.push({ kind: 'load', target, region: bytes, address, type })
        else if (random(2) === 0) labels.push({ kind: 'store', region: bytes, address, value: source, type })
        else labels.push({ kind: 'assign', target, value: source })
      }
      const start = new Map<Variable, Value>(
        variables.map((v) => [v, castValue(intType(64, true), v.type, random(2 ** 31))]),
      )
      const empty = logic.constArray(
        encoding.regionSort(bytes),
        arithmetic === 'bv' ? logic.bvConst(0, 8) : logic.intConst(0),
      )
      const initial = symbolicState(
        (v) => encoding.constant(v.type, start.get(v)!),
        () => empty,
      )
      const { guard, next } = executeAll(labels, initial, encoding, { fresh: freshNames() })
      const values = new Map(start)
      runConcretely(labels, values)
      expect(guard).toBe(logic.TRUE)
      for (const v of variables) expect(next.value(v)).toBe(encoding.constant(v.type, values.get(v)!))
    }
  })

  it('gives a path formula whose models are executions, and interpolants over the right variables', () =>
    withSmt(libraryKinds[0]!, (smt) => {
      const shared = declare('shared', INT)
      const local = declare('local', INT, 'local')
      const one = constant(INT, 1)
      const read: Label = { kind: 'assign', target: local, value: varExpr(shared) }
      const write: Label = { kind: 'assign', target: shared, value: add(varExpr(local), one) }
      const start: Label = { kind: 'assign', target: shared, value: constant(INT, 0) }
      const final = (op: 'eq' | 'ne', value: number): Label => ({
        kind: 'assume',
        condition: compare(op, varExpr(shared), constant(INT, value)),
      })
      // Two threads increment without a lock: interleaved the result is 1, one after the other it is 2.
      const interleaved = [
        [0, start],
        [1, read],
        [2, read],
        [1, write],
        [2, write],
      ] as const
      const serial = [
        [0, start],
        [1, read],
        [1, write],
        [2, read],
        [2, write],
      ] as const
      const fresh = freshNames()
      const no = (): never => {
        throw new Error('no threads and no heap here')
      }
      const unused = { start: no, join: no, allocate: no, valid: undefined }
      const path = (steps: readonly (readonly [number, Label])[], last: Label) =>
        pathFormulas(
          [...steps, [0, last] as const].map(([thread, label]) => ({ thread, labels: [label] })),
          { ...unused, encoding, input: (_, name, sort) => fresh(name, sort) },
        )
      const sat = (steps: readonly (readonly [number, Label])[], last: Label) =>
        interpolate(smt, path(steps, last).formulas).status
      expect(sat(interleaved, final('eq', 1))).toBe('sat')
      expect(sat(serial, final('eq', 2))).toBe('sat')
      expect(sat(serial, final('ne', 2))).toBe('unsat')
      const { formulas, current, plain } = path(interleaved, final('ne', 1))
      const answer = interpolate(smt, formulas)
      expect(answer.status).toBe('unsat')
      if (answer.status !== 'unsat') return
      expect(checkInterpolants(smt, formulas, answer.interpolants)).toBeUndefined()
      const mine = variableTerm(local, 2, encoding)
      expect(mine.name).toBe(defaultNames.variable(local, 2))
      expect(plain.get(current[4]!.get(mine)!)).toBe(mine)
      answer.interpolants.forEach((interpolant, cut) => {
        const now = new Set(current[cut + 1]!.values())
        for (const v of logic.freeVariables(interpolant)) expect(now.has(v)).toBe(true)
      })
    }))

  it('says which addresses belong to a region', () => {
    const p = logic.variable('p', encoding.addressSort)
    const cells = region(INT, 4)
    const holds = (r: Region, address: number, size: number) =>
      logic.evaluate(
        addressInRegion(encoding, r, p, size, () => 0),
        new Map([[p, BigInt(address)]]),
      )
    expect([64, 68, 92].map((a) => holds(cells, a, 4))).toEqual([true, true, true])
    expect([60, 65, 96].map((a) => holds(cells, a, 4))).toEqual([false, false, false])
    expect([64, 65, 92].map((a) => holds(bytes, a, 4))).toEqual([true, true, true])
    expect([63, 93, 200].map((a) => holds(bytes, a, 4))).toEqual([false, false, false])
  })
})

it('a havocked variable has any value of its type or range, in both arithmetics', () =>
  withSmt(libraryKinds[0]!, (smt) => {
    const v = declare('v', intType(8, true))
    for (const arithmetic of ['bv', 'int'] as const) {
      const encoding = createEncoding(arithmetic)
      const reachable = (label: Label, value: number): boolean => {
        const state = symbolicState(
          () => logic.FALSE,
          () => logic.FALSE,
        )
        const { guard, next } = executeAll([label], state, encoding, { fresh: freshNames() })
        const solver = smt.solver()
        solver.add(
          logic.and(
            guard,
            logic.eq(next.value(v), arithmetic === 'int' ? logic.intConst(value) : logic.bvConst(value, 8)),
          ),
        )
        return solver.check() === 'sat'
      }
      const any: Label = { kind: 'havoc', target: v }
      const between: Label = {
        kind: 'havoc',
        target: v,
        range: { low: constant(v.type, -3), high: constant(v.type, 4) },
      }
      expect([-128, -1, 127].map((value) => reachable(any, value))).toEqual([true, true, true])
      if (arithmetic === 'int') expect([-129, 128].map((value) => reachable(any, value))).toEqual([false, false])
      expect([-4, -3, 0, 4, 5].map((value) => reachable(between, value))).toEqual([false, true, true, true, false])
    }
  }))
