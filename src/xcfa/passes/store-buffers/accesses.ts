// What an edge means for the store buffer of its thread: it waits for it to be empty, it adds an entry, or it reads
// (perhaps nothing at all).
import type { Expr } from '../../expr.js'
import type { Edge, Label, Region, Variable } from '../../model.js'
import type { Type } from '../../types.js'
import { Unsupported } from '../../unsupported.js'
import { written } from '../labels.js'

export type Access =
  | { readonly kind: 'fence' }
  /** `label`: which label of the edge stores. */
  | { readonly kind: 'store'; readonly label: number; readonly target: StoreTarget; readonly value: Expr }
  /** Stores before it become visible before those after it. */
  | { readonly kind: 'barrier'; readonly label: number }
  | { readonly kind: 'read' }

/** `release`: it becomes visible after every store before it. */
export type StoreTarget =
  | { readonly kind: 'variable'; readonly variable: Variable; readonly release: boolean }
  | {
      readonly kind: 'memory'
      readonly region: Region
      readonly type: Type
      readonly address: Expr
      readonly release: boolean
    }

export const accessOf = (edge: Edge): Access => {
  const { source, target, labels, sync } = edge
  if (source.atomic || target.atomic || labels.some(waits)) return { kind: 'fence' }
  const stores = labels.flatMap((label, i) => (isSharedStore(label) ? [i] : []))
  // A fence that only acquires orders loads, which such machines keep in order anyway.
  const barrier = labels.findIndex((label) => label.kind === 'fence' && label.order !== 'acquire')
  if (barrier >= 0) return stores.length === 0 ? { kind: 'barrier', label: barrier } : { kind: 'fence' }
  // An atomic load is an ordinary one on such machines, and so is a store without the strongest order; everything
  // else that synchronises is a locked operation.
  const isOrdinary = !sync || sync.order !== undefined || (sync.kind === 'atomic' && stores.length === 0)
  if (!isOrdinary) return { kind: 'fence' }
  const [index, another] = stores
  if (index === undefined) return { kind: 'read' }
  if (another !== undefined) throw new Unsupported('two stores in one step, with a weak memory model', edge.position)
  return { kind: 'store', label: index, ...storeOf(labels[index]!, edge) }
}

const waits = (label: Label): boolean => (label.kind === 'fence' ? label.order === undefined : WAITING.has(label.kind))

const WAITING: ReadonlySet<Label['kind']> = new Set(['start', 'join', 'free', 'call', 'primitive'])

/** A thread's result is read only after its end, when its buffer is empty: nobody can tell. */
const isResult = ({ region, address }: Extract<Label, { kind: 'store' }>): boolean => {
  const base = address.kind === 'binary' && address.left.kind === 'const' ? Number(address.left.value) : undefined
  return region.slots.some(({ object }) => object.role === 'thread-result' && object.base === base)
}

const isSharedStore = (label: Label): boolean =>
  label.kind === 'store'
    ? label.region.scope === 'global' && !isResult(label)
    : written(label).some((variable) => variable.scope === 'global')

const storeOf = (label: Label, edge: Edge): { readonly target: StoreTarget; readonly value: Expr } => {
  const release = edge.sync?.order === 'release'
  if (label.kind === 'assign')
    return { target: { kind: 'variable', variable: label.target, release }, value: label.value }
  if (label.kind === 'store') {
    const { region, type, address, value } = label
    return { target: { kind: 'memory', region, type, address, release }, value }
  }
  throw new Unsupported(`a global changed by ${label.kind}, with a weak memory model`, edge.position)
}
