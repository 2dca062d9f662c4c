// Which accesses of an edge are atomic, and in which memory order.
import { type Edge, type Label, type MemoryOrder, syncOrder, Unsupported } from '../../xcfa/index.js'

/** An atomic step: nothing lies between its accesses. */
export const isAtomicEdge = ({ sync, source, target }: Edge): boolean =>
  source.atomic || target.atomic || (sync !== undefined && sync.kind !== 'start' && sync.kind !== 'join')

export const isAtomic = (edge: Edge, declared: boolean | undefined): boolean => declared === true || isAtomicEdge(edge)

export const fenceOrder = (label: Extract<Label, { kind: 'fence' }>, { position }: Edge): MemoryOrder => {
  const order = label.c11 ?? label.order ?? 'seq_cst'
  if (order === 'unknown') throw new Unsupported('a memory order that is computed when the program runs', position)
  return order
}

export const ordersOf = (
  { sync, position }: Edge,
  kind: 'read' | 'write',
): { readonly order: MemoryOrder; readonly failureOrder: MemoryOrder } => {
  if (sync && sync.kind !== 'atomic' && sync.kind !== 'start' && sync.kind !== 'join') {
    return { order: syncOrder(sync.kind, kind, true), failureOrder: syncOrder(sync.kind, kind, false) }
  }
  const order = sync?.c11 ?? 'seq_cst'
  if (order === 'unknown' || sync?.c11Failure === 'unknown')
    throw new Unsupported('a memory order that is computed when the program runs', position)
  return { order, failureOrder: sync?.c11Failure ?? order }
}
