// Atomic blocks (esst.txt, 5.2): what a thread may do from where it is until it yields, as reads, writes and calls of
// primitives. The paper ends a block at every call that may block; an await whose event is there goes on, so we follow
// it, as far as the scheduler cannot exclude that.
//
// Guarded independence (7.5): of the block that a thread executes next, edges that no state of the node can take do
// nothing. What their guards read still counts: somebody who changes that could open them.
import type { Term } from '../../../logic/index.js'
import {
  CREATION,
  endOf,
  type PrimitiveCall,
  type Scheduler,
  type SchedulerState,
} from '../../../semantics/cooperative/schedulers/index.js'
import type { Edge, Label, Location, Program, Region, Value, Variable } from '../../../xcfa/index.js'
import { complementary, outgoing, read, regionOf, written } from '../../../xcfa/passes/index.js'
import type { Ground } from '../ground.js'
import { type Handles, handleName, handlesKey, knownValue } from '../handles.js'
import { type Configured, factsOf } from '../node.js'
import { AT_THE_NODE, type GuardedPath, pathAfter } from './guarded.js'

export interface Effects {
  readonly reads: ReadonlySet<Variable | Region>
  readonly writes: ReadonlySet<Variable | Region>
  readonly calls: readonly PrimitiveCall[]
  /** May loop, stop the program, or do something unknown: depends on everything. */
  readonly isUnknown: boolean
}

/** Places of a block that are followed at most. */
const MAX_PLACES = 400
/** Of a block that is followed path by path, with guards. */
const MAX_GUARDED = 60

type Values = ReadonlyMap<string, Value | undefined>

export class Blocks {
  private readonly stoppable: ReadonlySet<Edge>
  /** Globals that threads other than main give other values: what they hold later is not known. */
  private readonly unstable: ReadonlySet<Variable>
  private readonly runsAgain: boolean
  private readonly cache = new Map<string, Effects>()

  constructor(
    private readonly ground: Ground,
    raw: Program,
    private readonly isGuarded = false,
  ) {
    this.stoppable = stoppableEdges(raw)
    this.unstable = changedByThreads(ground.program)
    this.runsAgain = ground.scheduler.runsAgain(callsOf(ground.program))
  }

  /** The block that the thread executes if it runs now. */
  now(node: Configured, thread: number): Effects {
    return this.effects(node, thread, false)
  }

  /** What it may execute before the barrier, after others ran. */
  later(node: Configured, thread: number): Effects {
    return this.effects(node, thread, true)
  }

  /** Whether the order of the blocks that two threads execute next may matter. */
  areDependentNow(node: Configured, a: number, b: number): boolean {
    const { scheduler } = this.ground
    if (!areDependent(this.now(node, a), this.now(node, b), scheduler)) return false
    return !this.isGuarded || areDependent(this.guarded(node, a), this.guarded(node, b), scheduler)
  }

  /** Whether the block that one executes next may depend on what another does before the barrier. */
  mayDependLater(node: Configured, now: number, later: number): boolean {
    const { scheduler } = this.ground
    if (!areDependent(this.now(node, now), this.later(node, later), scheduler)) return false
    return !this.isGuarded || areDependent(this.guarded(node, now), this.later(node, later), scheduler)
  }

  private guarded(node: Configured, thread: number): Effects {
    const facts = factsOf(node).map(this.ground.named(node.handles))
    const place = `${thread}@${node.threads[thread]!.location.id} guarded ${this.outlook(node, false)}`
    const key = `${place} ${facts.map((fact) => fact.id)}`
    let known = this.cache.get(key)
    if (!known) {
      const walk = new Walk(this.ground, node.scheduler, thread, { later: false, again: false, facts }, this.stoppable)
      walk.from(node.threads[thread]!.location, node.handles, AT_THE_NODE)
      this.cache.set(key, (known = walk.isGivenUp ? this.now(node, thread) : walk.found()))
    }
    return known
  }

  private effects(node: Configured, thread: number, later: boolean): Effects {
    const { location } = node.threads[thread]!
    const key = `${thread}@${location.id} ${later} ${this.outlook(node, later)}`
    let known = this.cache.get(key)
    if (!known) this.cache.set(key, (known = this.compute(node, thread, later)))
    return known
  }

  private outlook({ scheduler, handles }: Configured, later: boolean): string {
    return `${this.ground.scheduler.outlook(scheduler, later)} ${handlesKey(handles)}`
  }

  private compute(node: Configured, thread: number, later: boolean): Effects {
    const again = later && this.runsAgain
    const walk = new Walk(this.ground, node.scheduler, thread, { later, again }, this.stoppable)
    walk.from(node.threads[thread]!.location, this.valuesOf(node.handles, later))
    return walk.found()
  }

  private valuesOf(handles: Handles, later: boolean): Values {
    if (!later) return handles
    const values = new Map<string, Value | undefined>(handles)
    for (const v of this.unstable) values.set(handleName(v, 0), undefined)
    return values
  }
}

/** Depth first over a block's places: a location with the values of handles there. */
class Walk {
  private readonly reads = new Set<Variable | Region>()
  private readonly writes = new Set<Variable | Region>()
  private readonly calls = new Map<string, PrimitiveCall>()
  private readonly places = new Map<string, 'open' | 'done'>()
  private isUnknown = false
  /** There are more paths than are followed with guards. */
  isGivenUp = false
  private paths = 0

  constructor(
    private readonly ground: Ground,
    private readonly state: SchedulerState,
    private readonly thread: number,
    private readonly mode: { readonly later: boolean; readonly again: boolean; readonly facts?: readonly Term[] },
    private readonly stoppable: ReadonlySet<Edge>,
  ) {}

  found(): Effects {
    return { reads: this.reads, writes: this.writes, calls: [...this.calls.values()], isUnknown: this.isUnknown }
  }

  from(location: Location, values: Values, path?: GuardedPath): void {
    if (path) {
      if (++this.paths > MAX_GUARDED) this.isGivenUp = true
      if (!this.isGivenUp && !this.isUnknown) this.visit(location, values, path)
      return
    }
    const place = `${location.id} ${valuesKey(values)}`
    const known = this.places.get(place)
    // soundness 17: a way back to a place that is being followed: the block loops, unless it yields in between.
    if (known === 'open' && !this.mode.again) this.isUnknown = true
    if (known || this.isUnknown) return
    this.places.set(place, 'open')
    if (this.places.size > MAX_PLACES) this.isUnknown = true
    this.visit(location, values, undefined)
    this.places.set(place, 'done')
  }

  private visit(location: Location, values: Values, path: GuardedPath | undefined): void {
    if (location.kind === 'final') this.call(endOf(this.thread))
    // soundness 4: whoever stops never yields, so that nobody else runs any more.
    if (location.kind === 'halt') this.isUnknown = true
    for (const edge of this.ground.edgesFrom(location)) this.follow(edge, values, path)
  }

  private follow(edge: Edge, before: Values, path: GuardedPath | undefined): void {
    const known = (v: Variable): Value | undefined => this.valueOf(before, v)
    const next = path && pathAfter(path, edge, this.thread, known, this.ground, this.mode.facts!)
    if (next === 'closed') {
      for (const label of edge.labels) this.noteReads(label)
      return
    }
    if ((edge.origins ?? [edge]).some((origin) => this.stoppable.has(origin))) this.isUnknown = true
    let values = before
    for (const label of edge.labels) {
      this.note(label)
      if (label.kind === 'primitive' && !this.passes(label, values)) return
      values = this.after(label, values)
    }
    this.from(edge.target, values, next)
  }

  private noteReads(label: Label): void {
    for (const v of read(label)) if (v.scope === 'global') this.reads.add(v)
    const region = regionOf(label)
    if (region?.scope === 'global') this.reads.add(region)
  }

  private note(label: Label): void {
    this.noteReads(label)
    for (const v of written(label)) if (v.scope === 'global') this.writes.add(v)
    const region = regionOf(label)
    if (region?.scope === 'global' && label.kind === 'store') this.writes.add(region)
    if ((label.kind === 'load' || label.kind === 'store') && label.address.kind !== 'const') this.isUnknown = true
    if (label.kind === 'start') this.call(CREATION)
  }

  /** Notes the call; whether the thread may go on after it. */
  private passes(label: Label & { readonly kind: 'primitive' }, values: Values): boolean {
    const args = label.args.map((arg) => numberOf(knownValue(arg, (v) => this.valueOf(values, v))))
    const call: PrimitiveCall = { name: label.name, args }
    const { scheduler } = this.ground
    const concerned = [...this.calls.values()].some((own) => scheduler.dependent(own, call))
    this.call(call)
    if (this.mode.again || (concerned && scheduler.isBlocking(label.name))) return true
    return scheduler.goesOn(this.state, call, this.mode.later) !== false
  }

  private call(call: PrimitiveCall): void {
    this.calls.set(`${call.name}(${call.args.join()})`, call)
  }

  private valueOf(values: Values, v: Variable): Value | undefined {
    if (!this.ground.handleVariables.has(v)) return undefined
    const name = handleName(v, this.thread)
    return values.has(name) ? values.get(name) : v.initial === 'any' ? undefined : v.initial
  }

  private after(label: Label, values: Values): Values {
    const targets = written(label).filter((v) => this.ground.handleVariables.has(v))
    if (targets.length === 0) return values
    const value = label.kind === 'assign' ? knownValue(label.value, (v) => this.valueOf(values, v)) : undefined
    const next = new Map(values)
    for (const v of targets) next.set(handleName(v, this.thread), value)
    return next
  }
}

const valueKeys = new WeakMap<Values, string>()

const valuesKey = (values: Values): string => {
  let key = valueKeys.get(values)
  if (key === undefined) valueKeys.set(values, (key = [...values].join()))
  return key
}

const callsOf = ({ templates }: Program): readonly PrimitiveCall[] =>
  [...templates.values()].flatMap(({ edges }) =>
    edges.flatMap(({ labels }) =>
      labels.flatMap((l) => (l.kind === 'primitive' ? [{ name: l.name, args: l.args.map(() => undefined) }] : [])),
    ),
  )

const numberOf = (value: Value | undefined): number | undefined => (value === undefined ? undefined : Number(value))

/** Where the whole program may stop, or a thread get stuck: ends, failed assumptions, undefined behaviour. */
const stoppableEdges = (raw: Program): ReadonlySet<Edge> => {
  const found = new Set<Edge>()
  for (const { edges } of raw.templates.values())
    for (const next of outgoing(edges).values()) {
      const isStuck = !alwaysGoesOn(next)
      for (const edge of next) if (isStuck || edge.target.kind === 'halt') found.add(edge)
    }
  return found
}

const alwaysGoesOn = (edges: readonly Edge[]): boolean => {
  const guards = edges.map(({ labels }) => {
    const [first, ...rest] = labels
    if (rest.some(isGuard)) return undefined
    return first?.kind === 'assume' ? first.condition : first && isGuard(first) ? undefined : true
  })
  if (guards.includes(true)) return true
  return guards.some((a, i) => guards.some((b, j) => i < j && isPair(a, b)))
}

const isPair = (a: Guard, b: Guard): boolean => typeof a === 'object' && typeof b === 'object' && complementary(a, b)
type Guard = Parameters<typeof complementary>[0] | true | undefined

const isGuard = (label: Label): boolean =>
  label.kind === 'assume' || label.kind === 'join' || (label.kind === 'havoc' && label.range !== undefined)

const changedByThreads = (program: Program): ReadonlySet<Variable> => {
  const changed = new Set<Variable>()
  for (const template of program.templates.values())
    if (template !== program.main)
      for (const { labels } of template.edges)
        for (const label of labels) for (const v of written(label)) if (v.scope === 'global') changed.add(v)
  return changed
}

/** A valid dependence relation (5.2, soundness 2 and 17): shared data, and what the scheduler says of the calls. */
const areDependent = (a: Effects, b: Effects, scheduler: Scheduler): boolean =>
  a.isUnknown ||
  b.isUnknown ||
  meet(a.writes, b.writes) ||
  meet(a.writes, b.reads) ||
  meet(a.reads, b.writes) ||
  a.calls.some((x) => b.calls.some((y) => scheduler.dependent(x, y)))

const meet = (a: ReadonlySet<object>, b: ReadonlySet<object>): boolean => {
  for (const each of a) if (b.has(each)) return true
  return false
}
