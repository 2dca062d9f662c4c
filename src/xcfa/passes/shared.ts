// Escape analysis: what other threads can notice. A global variable or region is private where only one thread
// instance accesses it, or where no two threads hold addresses of the same instance; reads are invisible where nobody
// else writes. It decides which labels start a step (large-block.ts), and is sound for races too: an access that is
// invisible here conflicts with none of another thread. What main does before the first start, nobody sees.
import type { Edge, Label, Procedure, Program, Region, Variable } from '../model.js'
import { isOnCycle } from './back-edges.js'
import { outgoing } from './edit.js'
import { read, regionOf, written } from './labels.js'
import type { Visible } from './large-block.js'
import { pointsTo } from './memory/points-to.js'

export interface Sharing {
  /** Whether two thread instances may access it, one of them writing. */
  isShared(part: Variable | Region): boolean
  /** Never written once there is a second thread. */
  isReadOnly(part: Variable | Region): boolean
  /** Whether the edge can only be taken while main is the only thread that there is, or was. */
  isAlone(edge: Edge): boolean
  /** Whether other threads can notice the label, or influence it. */
  readonly visible: Visible
  /** An upper bound of the instances of a template in one execution; infinity if it is started in a loop. */
  readonly instances: ReadonlyMap<Procedure, number>
}

/** Instances of the templates that access a part of memory. */
interface Users {
  readonly readers: Set<Procedure>
  readonly writers: Set<Procedure>
}

export const sharing = (program: Program): Sharing => {
  const instances = threadInstances(program)
  const alone = aloneEdges(program.main)
  const users = usersOf(program, alone)
  const { escaped } = pointsTo(program)
  const isPrivate = (part: Variable | Region): boolean =>
    part.scope === 'local' || ('slots' in part && part.slots.every(({ object }) => !escaped.has(object)))
  const others = (of: ReadonlySet<Procedure>, procedure: Procedure): boolean =>
    [...of].some((user) => user.name !== procedure.name || instances.get(user)! > 1)
  const conflicts = (part: Variable | Region, procedure: Procedure, write: boolean): boolean => {
    const known = users.get(part)
    if (!known || isPrivate(part)) return false
    return others(known.writers, procedure) || (write && others(known.readers, procedure))
  }
  return {
    instances,
    isAlone: (edge) => alone.has(edge),
    isReadOnly: (part) => (users.get(part)?.writers.size ?? 0) === 0,
    isShared: (part) => [...(users.get(part)?.writers ?? [])].some((writer) => conflicts(part, writer, true)),
    visible: (label, procedure) => partsOf(label).some(({ part, write }) => conflicts(part, procedure, write)),
  }
}

/** Global variables and regions that a label accesses. */
const partsOf = (label: Label): readonly { readonly part: Variable | Region; readonly write: boolean }[] => {
  const globals = (variables: Iterable<Variable>, write: boolean) =>
    [...variables].filter((v) => v.scope === 'global').map((part) => ({ part, write }))
  const region = regionOf(label)
  return [
    ...globals(read(label), false),
    ...globals(written(label), true),
    ...(region ? [{ part: region, write: label.kind === 'store' }] : []),
  ]
}

const usersOf = (program: Program, alone: ReadonlySet<Edge>): Map<Variable | Region, Users> => {
  const users = new Map<Variable | Region, Users>()
  for (const procedure of program.templates.values())
    for (const edge of procedure.edges.filter((e) => !alone.has(e)))
      for (const { part, write } of edge.labels.flatMap(partsOf)) {
        let known = users.get(part)
        if (!known) users.set(part, (known = { readers: new Set(), writers: new Set() }))
        known[write ? 'writers' : 'readers'].add(procedure)
      }
  return users
}

/** Edges of main that no path from a start leads to, the first starts included. */
const aloneEdges = (main: Procedure): Set<Edge> => {
  const from = outgoing(main.edges)
  const starts = main.edges.filter((edge) => edge.labels.some((label) => label.kind === 'start'))
  const accompanied = new Set(starts.map((edge) => edge.target))
  for (const location of accompanied) for (const { target } of from.get(location) ?? []) accompanied.add(target)
  return new Set(main.edges.filter((edge) => !accompanied.has(edge.source)))
}

// ---- instances

/** How many instances of each template one execution may have. Run it before large blocks copy the starts. */
export const threadInstances = (program: Program): Map<Procedure, number> => {
  const counts = new Map<Procedure, number>()
  const open = new Set<Procedure>()
  const sites = startSites(program)
  const count = (procedure: Procedure): number => {
    const known = counts.get(procedure)
    if (known !== undefined) return known
    // A thread that starts its own kind, perhaps through others.
    if (open.has(procedure)) return Number.POSITIVE_INFINITY
    open.add(procedure)
    let sum = procedure === program.main ? 1 : 0
    for (const { starter, repeated } of sites.get(procedure.name) ?? [])
      sum += repeated ? (count(starter) > 0 ? Number.POSITIVE_INFINITY : 0) : count(starter)
    open.delete(procedure)
    counts.set(procedure, sum)
    return sum
  }
  for (const procedure of program.templates.values()) count(procedure)
  return counts
}

interface StartSite {
  readonly starter: Procedure
  /** On a cycle of its automaton. */
  readonly repeated: boolean
}

const startSites = (program: Program): Map<string, StartSite[]> => {
  const sites = new Map<string, StartSite[]>()
  for (const starter of program.templates.values()) {
    const from = outgoing(starter.edges)
    for (const edge of starter.edges)
      for (const label of edge.labels)
        if (label.kind === 'start') {
          const site = { starter, repeated: isOnCycle(edge, from) }
          sites.set(label.procedure, [...(sites.get(label.procedure) ?? []), site])
        }
  }
  return sites
}
