// Frame objects that come to life with arbitrary contents. A declaration that no thread executes twice says that the
// object starts as arbitrary; on a cycle, the old contents have to be overwritten by arbitrary values.
import { type Edge, type Label, type Location, type MemoryObject, Unsupported } from '../index.js'
import { outgoing } from './edit.js'
import type { Template } from './inline-expand.js'
import { UNINITIALISED_LARGE } from './inline-tidy.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Replaces the labels that make objects arbitrary. The template's objects are its own, and still may change. */
export const settleUninitialised = (template: Template): void => {
  const from = outgoing(template.edges)
  template.edges.forEach((edge, i) => {
    const object = edge.labels[0] && template.uninitialised.get(edge.labels[0])
    if (object) template.edges[i] = { ...edge, labels: settled(edge, object, from) }
  })
}

const settled = (edge: Edge, object: MemoryObject, from: ReadonlyMap<Location, readonly Edge[]>): readonly Label[] => {
  if (isOnCycle(edge, from)) {
    const [first, ...stores] = edge.labels
    if (first?.kind === 'primitive' && first.name === UNINITIALISED_LARGE)
      throw new Unsupported(`an uninitialised local object of ${object.size} bytes in a loop`, edge.position)
    return stores
  }
  ;(object as Mutable<MemoryObject>).contents = 'any'
  return []
}

const isOnCycle = (edge: Edge, from: ReadonlyMap<Location, readonly Edge[]>): boolean => {
  const seen = new Set([edge.target])
  for (const location of seen) {
    if (location === edge.source) return true
    for (const { target } of from.get(location) ?? []) seen.add(target)
  }
  return false
}
