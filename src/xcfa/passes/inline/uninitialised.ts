// Frame objects that come to life with arbitrary contents. A declaration that no thread executes twice says that the
// object starts as arbitrary; on a cycle, the old contents are overwritten by arbitrary values, unless the program
// overwrites them before it reads.
import {
  byteSize,
  children,
  type Edge,
  type Expr,
  type Label,
  type Location,
  type MemoryObject,
  Unsupported,
} from '../../index.js'
import { isOnCycle } from '../back-edges.js'
import { outgoing } from '../edit.js'
import { expressionsOf } from '../labels.js'
import type { Template } from './growth.js'
import { UNINITIALISED_LARGE } from './tidy.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Replaces the labels that make objects arbitrary. The template's objects are its own, and still may change. */
export const settleUninitialised = (template: Template): void => {
  if (template.uninitialised.size === 0) return
  const from = outgoing(template.edges)
  template.edges.forEach((edge, i) => {
    const object = edge.labels[0] && template.uninitialised.get(edge.labels[0])
    if (object) template.edges[i] = { ...edge, labels: settled(template, edge, object, from) }
  })
}

type Outgoing = ReadonlyMap<Location, readonly Edge[]>

const settled = (template: Template, edge: Edge, object: MemoryObject, from: Outgoing): readonly Label[] => {
  if (isWrittenFirst(template, edge, object, from)) return []
  if (!isOnCycle(edge, from)) {
    ;(object as Mutable<MemoryObject>).contents = 'any'
    return []
  }
  const [first, ...stores] = edge.labels
  if (first?.kind === 'primitive' && first.name === UNINITIALISED_LARGE)
    throw new Unsupported(`an uninitialised local object of ${object.size} bytes in a loop`, edge.position)
  return stores
}

// ---- objects that are overwritten before they are read

/** No pointer to the object exists, and every way from the declaration stores the whole object before it loads. */
const isWrittenFirst = (template: Template, edge: Edge, object: MemoryObject, from: Outgoing): boolean => {
  if (template.edges.some(({ labels }) => labels.some((label) => leaks(template, label, object)))) return false
  const seen = new Set([edge.target])
  for (const location of seen)
    for (const next of from.get(location) ?? []) {
      const fate = fateOn(next, object)
      if (fate === 'read') return false
      if (fate === 'untouched') seen.add(next.target)
    }
  return true
}

const fateOn = (edge: Edge, object: MemoryObject): 'read' | 'written' | 'untouched' => {
  for (const label of edge.labels) {
    if (label.kind === 'load' && pointsInto(label.address, object)) return 'read'
    if (label.kind === 'store' && pointsInto(label.address, object) && byteSize(label.type) === object.size)
      return 'written'
  }
  return 'untouched'
}

/** The object's address is a value somewhere, not only the address of an access. */
const leaks = (template: Template, label: Label, object: MemoryObject): boolean => {
  if (template.uninitialised.has(label)) return false
  const isAccess = label.kind === 'load' || label.kind === 'store'
  return expressionsOf(label).some((e) =>
    isAccess && e === label.address ? leaksFromAddress(e, object) : holdsAddress(e, object),
  )
}

/** base + ... is an access to the object; any other use of its address inside is not understood. */
const leaksFromAddress = (e: Expr, object: MemoryObject): boolean => {
  if (e.kind === 'const') return false
  if (e.kind === 'binary' && e.op === 'add') return leaksFromAddress(e.left, object) || holdsAddress(e.right, object)
  return holdsAddress(e, object)
}

const isInside = (e: Expr & { kind: 'const' }, object: MemoryObject): boolean =>
  e.type.kind !== 'float' &&
  Number(e.value) >= object.base - object.stride &&
  Number(e.value) < object.base + object.stride * (object.instances ?? 1)

const holdsAddress = (e: Expr, object: MemoryObject): boolean =>
  // An integer may be an address that was converted.
  e.kind === 'const'
    ? e.type.kind !== 'bool' && isInside(e, object)
    : children(e).some((child) => holdsAddress(child, object))

const pointsInto = (e: Expr, object: MemoryObject): boolean => {
  if (e.kind === 'const') return isInside(e, object)
  return e.kind === 'binary' && e.op === 'add' && pointsInto(e.left, object)
}
