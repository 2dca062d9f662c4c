// The steps of a thread with a store buffer: adding an entry, making one visible, reading through the buffer.
import { add, and, cast, constant, eq, ite, lt, ne, not, or, substitute, varExpr } from '../../build.js'
import type { Expr } from '../../expr.js'
import type { Edge, Label, Load, Location, Variable } from '../../model.js'
import { byteSize, intType, type Type } from '../../types.js'
import type { Draft } from '../edit.js'
import { mapExpressions } from '../labels.js'
import type { Access } from './accesses.js'
import {
  type BufferedTarget,
  barrierCode,
  codeAt,
  codeOf,
  type Entry,
  holder,
  isSet,
  packed,
  type StoreBuffer,
  unpacked,
} from './layout.js'

const assume = (condition: Expr): Label => ({ kind: 'assume', condition })
const assign = (target: Variable, value: Expr): Label => ({ kind: 'assign', target, value })

const isThere = (entry: Entry, buffer: StoreBuffer): Expr => ne(varExpr(entry.what), buffer.nothing)
const isFree = (entry: Entry, buffer: StoreBuffer): Expr => eq(varExpr(entry.what), buffer.nothing)

// ---- stores

/**
 * One edge for each number of entries before the store, and one for a full buffer if that is an error. What the edge
 * reads before it stores is read through the buffer.
 */
export const stored = (
  edge: Draft,
  access: Extract<Access, { kind: 'store' | 'barrier' }>,
  buffer: StoreBuffer,
  full: Location | undefined,
): readonly Draft[] => {
  const { entries } = buffer
  const through = (label: Label): Label => mapExpressions(label, (expr) => substituted(expr, buffer))
  const appended = entries.map((entry, i): Draft => {
    const guards = i === 0 ? [isFree(entry, buffer)] : [isThere(entries[i - 1]!, buffer), isFree(entry, buffer)]
    const labels = edge.labels.flatMap((label, k) =>
      k === access.label ? filling(entry, access, buffer).map(through) : forwardedLabel(label, buffer),
    )
    return { ...edge, labels: [assume(and(...guards)), ...labels] }
  })
  if (!full) return appended
  return [...appended, { ...edge, target: full, labels: [assume(isThere(entries.at(-1)!, buffer))] }]
}

const filling = (
  entry: Entry,
  access: Extract<Access, { kind: 'store' | 'barrier' }>,
  buffer: StoreBuffer,
): readonly Label[] => {
  if (access.kind === 'barrier') return [assign(entry.what, barrierCode(buffer))]
  const { target, value } = access
  return [
    ...(target.kind === 'memory' ? [assign(entry.at, target.address)] : []),
    assign(holder(entry, value.type), packed(value)),
    assign(entry.what, codeOf(buffer, target)),
  ]
}

/** Steps that make an entry visible: the oldest, or (PSO) any that no older one for the same place holds back. */
export const flushEdges = (at: Location, buffer: StoreBuffer, model: 'tso' | 'pso'): readonly Draft[] =>
  buffer.entries.slice(0, model === 'tso' ? 1 : undefined).flatMap((entry, i) =>
    buffer.targets.flatMap((target, code): Draft[] => {
      if (i > 0 && (target.kind === 'barrier' || target.release)) return []
      const older = buffer.entries.slice(0, i)
      const isIt = eq(varExpr(entry.what), codeAt(code))
      const free = older.map((each) => not(holdsBack(each, entry, code, buffer)))
      return [
        {
          source: at,
          target: at,
          labels: [assume(and(isIt, ...free)), ...visible(entry, target), ...removing(i, buffer)],
          position: at.position,
          text: flushText(target),
        },
      ]
    }),
  )

const visible = (entry: Entry, target: BufferedTarget): readonly Label[] => {
  switch (target.kind) {
    case 'variable':
      return [assign(target.variable, unpacked(entry, target.variable.type))]
    case 'memory': {
      const { region, type } = target
      return [{ kind: 'store', region, address: varExpr(entry.at), type, value: unpacked(entry, type) }]
    }
    case 'barrier':
      return []
  }
}

const flushText = (target: BufferedTarget): string => {
  if (target.kind === 'barrier') return 'the stores before a fence are visible'
  return target.kind === 'variable' ? `${target.variable.name} becomes visible` : 'a store becomes visible'
}

/** An older entry writes where this one, with the code `code`, does, or is a barrier. */
const holdsBack = (older: Entry, entry: Entry, code: number, buffer: StoreBuffer): Expr => {
  const target = buffer.targets[code]!
  const barriers = buffer.targets.flatMap(({ kind }, i) =>
    kind === 'barrier' ? [eq(varExpr(older.what), codeAt(i))] : [],
  )
  if (target.kind === 'variable') return or(...barriers, holds(older, target.variable, buffer))
  return target.kind === 'memory'
    ? or(...barriers, overlaps(older, varExpr(entry.at), byteSize(target.type), buffer))
    : or(...barriers)
}

/** The entry is a store to this variable. */
const holds = (entry: Entry, variable: Variable, buffer: StoreBuffer): Expr =>
  or(
    ...buffer.targets.flatMap((target, code) =>
      target.kind === 'variable' && target.variable === variable ? [eq(varExpr(entry.what), codeAt(code))] : [],
    ),
  )

/** The entries after the one that goes move up; what is free is zero, so that equal buffers are equal states. */
const removing = (index: number, { entries }: StoreBuffer): readonly Label[] =>
  entries.slice(index).flatMap((entry, k) => {
    const next = entries[index + k + 1]
    return fields(entry).map((field, f) => assign(field, next ? varExpr(fields(next)[f]!) : constant(field.type, 0)))
  })

const fields = ({ what, at, integer, pointer, float }: Entry): readonly Variable[] => [
  what,
  at,
  integer,
  pointer,
  float,
]

// ---- reads

/** The labels of an edge that reads: what is in the buffer hides what is in memory, the youngest entry first. */
export const forwarded = (edge: Edge, buffer: StoreBuffer): readonly Label[] =>
  edge.labels.flatMap((label) => forwardedLabel(label, buffer))

const forwardedLabel = (label: Label, buffer: StoreBuffer): readonly Label[] => {
  const seen = mapExpressions(label, (expr) => substituted(expr, buffer))
  return seen.kind === 'load' && seen.region.scope === 'global' ? loading(seen, buffer) : [seen]
}

const substituted = (expr: Expr, buffer: StoreBuffer): Expr => substitute(expr, (v) => throughBuffer(v, buffer))

const throughBuffer = (variable: Variable, buffer: StoreBuffer): Expr | undefined => {
  if (!buffer.targets.some((target) => target.kind === 'variable' && target.variable === variable)) return undefined
  return buffer.entries.reduce<Expr>(
    (older, entry) => ite(holds(entry, variable, buffer), unpacked(entry, variable.type), older),
    varExpr(variable),
  )
}

/** The youngest entry that overlaps answers if it is for exactly these bytes; otherwise the load has to wait. */
const loading = (load: Load, buffer: StoreBuffer): readonly Label[] => {
  const { hit, found, targets } = buffer
  if (!targets.some((target) => target.kind === 'memory' && target.region === load.region)) return [load]
  let possible: Expr = constant({ kind: 'bool' }, 1)
  let answers: Expr = constant({ kind: 'bool' }, 0)
  let value = packedZero(load.type)
  for (const entry of buffer.entries) {
    const exact = matches(entry, load, buffer)
    const overlap = overlaps(entry, load.address, byteSize(load.type), buffer)
    possible = ite(overlap, exact, possible)
    answers = or(exact, and(not(overlap), answers))
    value = ite(exact, varExpr(holder(entry, load.type)), value)
  }
  const read = ite(
    eq(varExpr(hit), isSet(true)),
    cast(load.target.type, unpacked(found, load.type)),
    varExpr(load.target),
  )
  return [
    assume(possible),
    assign(hit, ite(answers, isSet(true), isSet(false))),
    assign(holder(found, load.type), value),
    load,
    assign(load.target, read),
    assign(hit, isSet(false)),
    assign(holder(found, load.type), packedZero(load.type)),
  ]
}

const packedZero = (type: Type): Expr => {
  const { type: held } = packed(constant(type, 0))
  return constant(held, 0)
}

/** The entry is a store of the same kind of value to the same address. */
const matches = (entry: Entry, { address, region, type }: Load, buffer: StoreBuffer): Expr =>
  or(
    ...buffer.targets.flatMap((target, code) =>
      target.kind === 'memory' &&
      target.region === region &&
      target.type.kind === type.kind &&
      byteSize(target.type) === byteSize(type)
        ? [and(eq(varExpr(entry.what), codeAt(code)), eq(varExpr(entry.at), address))]
        : [],
    ),
  )

/** The entry is a store to memory that touches one of these bytes. */
const overlaps = (entry: Entry, address: Expr, size: number, buffer: StoreBuffer): Expr =>
  or(
    ...buffer.targets.flatMap((target, code) => {
      if (target.kind !== 'memory') return []
      const at = varExpr(entry.at)
      const width = address.type.kind === 'pointer' ? address.type.width : 64
      const end = (from: Expr, bytes: number): Expr => add(from, constant(intType(width, true), bytes))
      const together = and(lt(at, end(address, size)), lt(address, end(at, byteSize(target.type))))
      return [and(eq(varExpr(entry.what), codeAt(code)), together)]
    }),
  )
