// What an edge touches outside its thread: global variables, memory, the heap's counters. Races (src/property),
// dependence relations (src/reduction) and the interpreter all take it from here.
import type { Expr } from './expr.js'
import type { Edge, Label, MemoryObject, Region, Variable } from './model.js'
import { read, written } from './passes/labels.js'
import { byteSize } from './types.js'

export type Access = VariableAccess | MemoryAccess | AllocationAccess

interface AccessBase {
  readonly write: boolean
  /** Two atomic accesses never race. */
  readonly atomic: boolean
}

export interface VariableAccess extends AccessBase {
  readonly kind: 'variable'
  readonly variable: Variable
}

/** `address` is an expression at its label: over variables that earlier labels of the edge may have changed. */
export interface MemoryAccess extends AccessBase {
  readonly kind: 'memory'
  readonly region: Region
  readonly address: Expr
  readonly size: number
}

/** The life of heap instances: an allocation of `object`, or (`free`) of any. Never a race, but order matters. */
interface AllocationAccess extends AccessBase {
  readonly kind: 'allocation'
  readonly object: MemoryObject | undefined
}

/**
 * Synchronisation, or inside an atomic block. A start is not: it stores the thread's identity by an ordinary write,
 * and two of them into one place race.
 */
export const isAtomicStep = (edge: Edge): boolean => edge.sync !== undefined && edge.sync.kind !== 'start'

/** Every access of the edge in order, those to regions of scope local included. */
export const accessesOf = (edge: Edge): readonly Access[] => {
  const found: Access[] = []
  const atomic = isAtomicStep(edge)
  for (const label of edge.labels) addAccesses(label, atomic, found)
  return found
}

/** The accesses of one label of an edge; `atomic`: see `isAtomicStep`. */
export const labelAccesses = (label: Label, atomic: boolean): readonly Access[] => {
  const found: Access[] = []
  addAccesses(label, atomic, found)
  return found
}

const addAccesses = (label: Label, atomic: boolean, found: Access[]): void => {
  for (const variable of read(label))
    if (variable.scope === 'global') found.push(variableAccess(variable, false, atomic))
  switch (label.kind) {
    case 'load':
    case 'store': {
      const { region, address, type } = label
      const write = label.kind === 'store'
      const isAtomic = atomic || label.atomic === true
      found.push({ kind: 'memory', region, address, size: byteSize(type), write, atomic: isAtomic })
      break
    }
    case 'allocate':
      found.push({ kind: 'allocation', object: label.object, write: true, atomic: true })
      break
    case 'free':
      found.push({ kind: 'allocation', object: undefined, write: true, atomic: true })
      break
    default:
  }
  for (const variable of written(label))
    if (variable.scope === 'global') found.push(variableAccess(variable, true, atomic))
}

const variableAccess = (variable: Variable, write: boolean, atomic: boolean): VariableAccess => ({
  kind: 'variable',
  variable,
  write,
  atomic: atomic || variable.atomic === true,
})

/** Nothing that another thread can see or influence: no global, no memory, no start, join or free. */
export const isLocalLabel = (label: Label): boolean => {
  switch (label.kind) {
    case 'assign':
    case 'assume':
    case 'havoc':
      return labelAccesses(label, false).length === 0
    case 'fence':
      return true
    default:
      return false
  }
}
