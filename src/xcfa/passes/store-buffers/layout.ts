// What a store buffer consists of: for each entry what it writes (a code: which variable, or which type of memory
// access), where, and the value, in one of three variables by the kind of type.
import { cast, constant, varExpr } from '../../build.js'
import type { Expr } from '../../expr.js'
import type { Procedure, Program, Region, Variable } from '../../model.js'
import { FLOAT, intType, POINTER, sameType, type Type } from '../../types.js'
import { accessOf, type StoreTarget } from './accesses.js'

export interface Entry {
  readonly what: Variable
  readonly at: Variable
  readonly integer: Variable
  readonly pointer: Variable
  readonly float: Variable
}

export interface StoreBuffer {
  /** The oldest first. */
  readonly entries: readonly Entry[]
  /** Code k + 1 of `what` means targets[k]. */
  readonly targets: readonly BufferedTarget[]
  /** The code of an entry that is not there. */
  readonly nothing: Expr
  /** For loads: whether an entry answers, and its value. */
  readonly hit: Variable
  readonly found: Entry
  readonly variables: readonly Variable[]
}

export type BufferedTarget =
  | { readonly kind: 'variable'; readonly variable: Variable; readonly release: boolean }
  | { readonly kind: 'memory'; readonly region: Region; readonly type: Type; readonly release: boolean }
  /** An entry that writes nothing, and that no younger one passes. */
  | { readonly kind: 'barrier' }

const BARRIER: BufferedTarget = { kind: 'barrier' }

const CODE = intType(16, false)
const WORD = intType(64, false)

export const bufferOf = (procedure: Procedure, program: Program, length: number): StoreBuffer => {
  const pointer = POINTER[program.dataModel === 'ilp32' ? 32 : 64]
  let next = nextVariableId(program, procedure)
  const variables: Variable[] = []
  const local = (name: string, type: Type): Variable => {
    const variable: Variable = { id: next++, name: `buffer.${name}`, type, scope: 'local', initial: 0 }
    variables.push(variable)
    return variable
  }
  const entry = (name: string): Entry => ({
    what: local(`${name}.what`, CODE),
    at: local(`${name}.at`, pointer),
    integer: local(`${name}.integer`, WORD),
    pointer: local(`${name}.pointer`, pointer),
    float: local(`${name}.float`, FLOAT[64]),
  })
  const entries = Array.from({ length }, (_, i) => entry(String(i)))
  return {
    entries,
    targets: targetsOf(procedure),
    nothing: constant(CODE, 0),
    hit: local('hit', CODE),
    found: entry('found'),
    variables,
  }
}

const nextVariableId = (program: Program, procedure: Procedure): number => {
  let next = 0
  const all = [...program.globals, ...[...program.templates.values()].flatMap(({ locals, self }) => [...locals, self])]
  for (const { id } of all) next = Math.max(next, id + 1)
  // Templates get different ids, so that names that are made of them differ.
  const index = [...program.templates.keys()].indexOf(procedure.name)
  return next + index * 1000
}

const targetsOf = (procedure: Procedure): readonly BufferedTarget[] => {
  const targets: BufferedTarget[] = []
  for (const edge of procedure.edges) {
    const access = accessOf(edge)
    if (access.kind === 'store' && codeIn(targets, access.target) < 0) targets.push(bufferedTarget(access.target))
    if (access.kind === 'barrier' && !targets.includes(BARRIER)) targets.push(BARRIER)
  }
  return targets
}

const bufferedTarget = (target: StoreTarget): BufferedTarget =>
  target.kind === 'variable'
    ? target
    : { kind: 'memory', region: target.region, type: target.type, release: target.release }

const codeIn = (targets: readonly BufferedTarget[], target: StoreTarget): number =>
  targets.findIndex((each) => {
    if (each.kind === 'barrier' || each.release !== target.release) return false
    if (each.kind === 'variable') return target.kind === 'variable' && each.variable === target.variable
    return target.kind === 'memory' && each.region === target.region && sameType(each.type, target.type)
  })

export const codeOf = ({ targets }: StoreBuffer, target: StoreTarget): Expr => {
  const index = codeIn(targets, target)
  if (index < 0) throw new Error('a store without a code')
  return constant(CODE, index + 1)
}

export const barrierCode = ({ targets }: StoreBuffer): Expr => constant(CODE, targets.indexOf(BARRIER) + 1)

export const codeAt = (index: number): Expr => constant(CODE, index + 1)
export const isSet = (flag: boolean): Expr => constant(CODE, flag ? 1 : 0)

/** The variable of an entry that holds values of a type. */
export const holder = (entry: Entry, type: Type): Variable => {
  switch (type.kind) {
    case 'pointer':
      return entry.pointer
    case 'float':
      return entry.float
    case 'int':
    case 'bool':
      return entry.integer
  }
}

export const packed = (value: Expr): Expr => {
  switch (value.type.kind) {
    case 'pointer':
      return value
    case 'float':
      return cast(FLOAT[64], value)
    case 'int':
    case 'bool':
      return cast(WORD, value)
  }
}

export const unpacked = (entry: Entry, type: Type): Expr => {
  const held = varExpr(holder(entry, type))
  return type.kind === 'pointer' ? held : cast(type, held)
}
