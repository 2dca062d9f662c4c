// Where accesses go, asked in two ways that must not be mixed up: whether two accesses *may* meet (what conflicts), and
// whether a write *must* hit a place (what protects). A lock that may be the one that is taken protects nothing.
import { type Access, constantValue, type MemoryAccess, type VariableAccess } from '../xcfa/index.js'

export type Shared = VariableAccess | MemoryAccess | Extract<Access, { kind: 'allocation' }>

/** Whether other threads may see the place. */
export const isShared = (access: Access): boolean => {
  switch (access.kind) {
    case 'variable':
      return access.variable.scope === 'global'
    case 'memory':
      return access.region.scope === 'global'
    case 'allocation':
      return true
  }
}

/** Whether two accesses may touch the same place. */
export const mayMeet = (a: Shared, b: Shared): boolean => {
  if (a.kind === 'allocation' || b.kind === 'allocation') {
    if (a.kind === 'allocation' && b.kind === 'allocation')
      return a.object === undefined || b.object === undefined || a.object === b.object
    // The end of an instance's life matters to every access of the heap.
    const life = a.kind === 'allocation' ? a : (b as Extract<Access, { kind: 'allocation' }>)
    const access = a.kind === 'allocation' ? b : a
    return (
      life.object === undefined &&
      access.kind === 'memory' &&
      access.region.slots.some((s) => s.object.storage === 'heap')
    )
  }
  if (a.kind === 'variable' || b.kind === 'variable')
    return a.kind === 'variable' && b.kind === 'variable' && a.variable === b.variable
  if (a.region !== b.region) return false
  const [first, second] = [constantValue(a.address), constantValue(b.address)]
  if (first === undefined || second === undefined) return true
  return Number(first) < Number(second) + b.size && Number(second) < Number(first) + a.size
}

/** Whether the access certainly touches every byte of the place, whatever the state is. */
export const mustCover = (access: Shared, place: Shared): boolean => {
  if (access.kind === 'variable' || place.kind === 'variable')
    return access.kind === 'variable' && place.kind === 'variable' && access.variable === place.variable
  if (access.kind !== 'memory' || place.kind !== 'memory' || access.region !== place.region) return false
  const [first, second] = [constantValue(access.address), constantValue(place.address)]
  if (first === undefined || second === undefined) return false
  return Number(first) <= Number(second) && Number(second) + place.size <= Number(first) + access.size
}

/** A place that is the same one in every execution. */
export const isDefinite = (place: Shared): boolean => mustCover(place, place)
