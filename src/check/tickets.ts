// Tickets, as the checker sees them: an instance reads a cell into a variable, once, and adds to it before anybody else can
// look: on the same edge, or on the only way on from there with a lock held that all others hold, too, who look at it.
import type { Edge, Label, Location, Procedure, Program, Variable } from '../xcfa/index.js'
import { linearOf, symbolOf } from '../xcfa/index.js'
import { outgoing, written } from '../xcfa/passes/index.js'
import { expressionsOf, mentions } from '../xcfa/passes/labels.js'

/** The locks that a thread certainly holds at a location. */
export type Locks = ReadonlyMap<Location, ReadonlySet<Variable>>

interface Context {
  readonly program: Program
  readonly template: Procedure
  /** Where main starts instances. */
  readonly start: Edge
  readonly locks: Locks
}

export const isTicket = (context: Context, ticket: Variable, cell: Variable, read: Edge): boolean => {
  const { program, template, start, locks } = context
  if (cell.type.kind !== 'int' || cell.type.width < 32 || isOnCycle(template, read)) return false
  const users = [...program.templates.values()].flatMap((owner) =>
    owner.edges
      .filter((edge) => edge.labels.some((label) => touches(label, cell)))
      .filter((edge) => owner !== program.main || edge === start || isBehind(owner, start, edge))
      .map((edge) => ({ owner, edge })),
  )
  // Only the edges of this one pattern write the cell, and each instance comes through it at most once.
  const common = [...(locks.get(read.source) ?? [])].filter((lock) =>
    users.every(({ edge }) => locks.get(edge.source)?.has(lock)),
  )
  const way = straightFrom(template, read, (location) => common.some((lock) => locks.get(location)?.has(lock)))
  const writers = users.filter(({ edge }) => edge.labels.some((label) => written(label).includes(cell)))
  const isOfWay = writers.every(({ owner, edge }) => owner === template && way.includes(edge))
  return writers.length === 1 && isOfWay && addsOne(way, ticket, cell)
}

const touches = (label: Label, variable: Variable): boolean =>
  written(label).includes(variable) || expressionsOf(label).some((e) => mentions(e, variable))

const isBehind = ({ edges }: Procedure, first: Edge, edge: Edge): boolean =>
  locationsAfter(edges, first).has(edge.source)

const isOnCycle = ({ edges }: Procedure, edge: Edge): boolean => locationsAfter(edges, edge).has(edge.source)

const locationsAfter = (edges: readonly Edge[], { target }: Edge): ReadonlySet<Location> => {
  const from = outgoing(edges)
  const seen = new Set([target])
  for (const location of seen) for (const next of from.get(location) ?? []) seen.add(next.target)
  return seen
}

/** The edge, and those that follow it as long as there is one way on and the lock is held. */
const straightFrom = ({ edges }: Procedure, first: Edge, isHeld: (location: Location) => boolean): readonly Edge[] => {
  const from = outgoing(edges)
  const way = [first]
  for (let { target } = first; isHeld(target); ) {
    const [next, ...others] = from.get(target) ?? []
    if (!next || others.length > 0 || way.includes(next)) break
    way.push(next)
    target = next.target
  }
  return way
}

/** Along the way the ticket is what the cell held at first, and the cell has more in the end. */
const addsOne = (way: readonly Edge[], ticket: Variable, cell: Variable): boolean => {
  if (cell.type.kind !== 'int') return false
  const { width } = cell.type
  const values = new Map<Variable, number>([[cell, 0]])
  for (const label of way.flatMap(({ labels }) => labels)) {
    const value =
      label.kind === 'assign'
        ? linearOf(
            label.value,
            (v) => {
              const symbol = values.has(v) ? symbolOf('', cell.type, width) : undefined
              return symbol?.kind === 'sum' ? { ...symbol, constant: values.get(v)! } : undefined
            },
            width,
          )
        : undefined
    const isKnown = value?.kind === 'sum' && value.parts.size === 1 && value.parts.get('')?.coefficient === 1
    for (const target of written(label)) {
      values.delete(target)
      if (isKnown) values.set(target, value.constant)
    }
  }
  const added = values.get(cell) ?? 0
  return values.get(ticket) === 0 && added > 0 && added <= 4
}
