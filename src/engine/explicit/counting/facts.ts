// What is known of a program before its instances are counted: what steps touch, where a join commutes with all that others
// do, and where main does nothing any more that matters.
import { conflict, Footprints, type LocationFootprints, locationFootprints } from '../../../reduction/index.js'
import type { ThreadState } from '../../../semantics/index.js'
import {
  type Edge,
  type Expr,
  type Label,
  type Location,
  type Program,
  type Region,
  variablesOf,
} from '../../../xcfa/index.js'
import type { Machine } from './machine.js'
import { type CountedState, mainKey, restKey } from './state.js'

/** Different ways to main's end that are tried. */
const MAX_TAILS = 16

export class Facts {
  readonly footprints: ReadonlyMap<Location, LocationFootprints>
  private readonly joins: ReadonlyMap<Location, LocationFootprints['next']>
  private readonly disturbed = new Map<Location, Map<Location, boolean>>()
  private readonly tail: ReadonlySet<Location>
  /** Where main looks at nothing but its own variables and handles until it ends. */
  private readonly withdrawn: ReadonlySet<Location>
  /** Whether main comes to its end from here, by itself and by what it depends on. */
  private readonly idle = new WeakMap<ThreadState, boolean>()
  private readonly ends = new Map<string, boolean>()

  constructor(
    program: Program,
    private readonly machine: Machine,
  ) {
    const footprints = new Footprints(program)
    this.footprints = locationFootprints(program, footprints)
    this.joins = joinFootprints(program, footprints)
    this.tail = tailLocations(program, footprints, this.footprints)
    this.withdrawn = withdrawnLocations(program, machine.identities.handleRegions)
  }

  /** Whether something that a thread may ever do from its location on conflicts with what another one does next. */
  mayDisturb(from: Location, location: Location): boolean {
    let known = this.disturbed.get(location)
    if (!known) this.disturbed.set(location, (known = new Map()))
    let disturbs = known.get(from)
    if (disturbs === undefined) {
      const next = this.joins.get(location) ?? this.footprints.get(location)?.next
      const future = this.footprints.get(from)?.future
      disturbs = !next || !future || conflict(next, future)
      known.set(from, disturbs)
    }
    return disturbs
  }

  /**
   * Whether main does nothing that matters until it ends. What others do does not change what it does there, so that
   * once is enough for each state in which it arrives.
   */
  isIdle(state: CountedState): boolean {
    const { location } = state.main
    if (!this.tail.has(location)) return false
    let isIdle = this.idle.get(state.main)
    if (isIdle === undefined) {
      const { layout, kinds } = this.machine
      const key = this.withdrawn.has(location) ? mainKey(kinds, state) : restKey(layout, kinds, state)
      isIdle = this.ends.get(key) ?? (this.ends.size < MAX_TAILS && this.machine.mainEnds(state))
      this.ends.set(key, isIdle)
      this.idle.set(state.main, isIdle)
    }
    return isIdle
  }
}

/**
 * Where main no longer matters, if it comes to its end: whatever it does from there on is no error, starts nobody, and
 * touches nothing that another thread may ever touch. Who joins all threads and returns is there already: a join makes
 * nobody wait but main.
 */
const tailLocations = (
  { main, templates }: Program,
  footprints: Footprints,
  futures: ReadonlyMap<Location, LocationFootprints>,
): ReadonlySet<Location> => {
  const others = [...templates.values()].filter((template) => template !== main)
  const isQuiet = (edge: Edge): boolean => {
    const touched = footprints.of(withoutJoins(edge))
    return others.every(({ initial }) => !conflict(touched, futures.get(initial)!.future))
  }
  const matters = new Set(main.locations.filter(({ kind }) => kind === 'error'))
  for (const edge of main.edges)
    if (edge.target.atomic || edge.labels.some(({ kind }) => kind === 'start') || !isQuiet(edge))
      matters.add(edge.source)
  for (let before = -1; before !== matters.size; ) {
    before = matters.size
    for (const { source, target } of main.edges) if (matters.has(target)) matters.add(source)
  }
  return new Set(main.locations.filter((location) => !matters.has(location)))
}

/** Where all that main may still do depends on its own variables and on handles alone. */
const withdrawnLocations = ({ main }: Program, handles: ReadonlySet<Region>): ReadonlySet<Location> => {
  const others = new Set<Location>()
  for (const { source, labels } of main.edges) if (!labels.every((label) => isOwn(label, handles))) others.add(source)
  for (let before = -1; before !== others.size; ) {
    before = others.size
    for (const { source, target } of main.edges) if (others.has(target)) others.add(source)
  }
  return new Set(main.locations.filter((location) => !others.has(location)))
}

const isOwn = (label: Label, handles: ReadonlySet<Region>): boolean => {
  const areLocal = (...parts: readonly Expr[]): boolean =>
    parts.every((e) => [...variablesOf(e)].every(({ scope }) => scope === 'local'))
  switch (label.kind) {
    case 'assign':
      return label.target.scope === 'local' && areLocal(label.value)
    case 'assume':
      return areLocal(label.condition)
    case 'load':
      return label.target.scope === 'local' && handles.has(label.region) && areLocal(label.address)
    case 'join':
      return areLocal(label.thread)
    case 'fence':
      return true
    default:
      return false
  }
}

const withoutJoins = (edge: Edge): Edge => ({ ...edge, labels: edge.labels.filter(({ kind }) => kind !== 'join') })

/**
 * What main touches next where it joins, the ends of threads aside: a join that is possible stays so, whatever others do,
 * since it waits for any instance, and nobody but main joins.
 */
const joinFootprints = (
  program: Program,
  footprints: Footprints,
): ReadonlyMap<Location, LocationFootprints['next']> => {
  const outgoing = new Map<Location, Edge[]>()
  for (const edge of program.main.edges) outgoing.set(edge.source, [...(outgoing.get(edge.source) ?? []), edge])
  const found = new Map<Location, LocationFootprints['next']>()
  for (const [location, edges] of outgoing) {
    const [edge] = edges
    if (edges.length !== 1 || !edge || edge.target.atomic || !edge.labels.some(({ kind }) => kind === 'join')) continue
    found.set(location, footprints.of(withoutJoins(edge)))
  }
  return found
}
