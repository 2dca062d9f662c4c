// One exploration: a layout is guessed, the program compiled for it and searched; where the layout proves too small it
// grows, and the search goes on with its states in the new one (carry.ts), or starts again. A first, short search in an unpacked layout finds the ranges that later layouts
// are packed by.
import type { Step } from '../../semantics/index.js'
import { livenessOf } from '../../semantics/step/liveness.js'
import { interval } from '../../semantics/step/nondeterminism.js'
import { inconclusive, type Reason } from '../../verdict/reason.js'
import type { Edge, Location, MemoryObject, Program, Value, Variable } from '../../xcfa/index.js'
import { rangeOf } from '../../xcfa/index.js'
import type { Env } from '../engine.js'
import { translation } from './carry.js'
import { type Compiled, type CompiledEdge, compile } from './compile/generator.js'
import { type Cells, type IsStored, type Layout, layoutOf, type Shape } from './compile/layout.js'
import { TooMuchMemory } from './compile/memory.js'
import { type Domain, type Owner, widened } from './compile/range.js'
import { BeyondExploration, LayoutTooSmall, type Need } from './compile/runtime.js'
import { OutsideDomain } from './compile/state.js'
import { ContextSearch } from './contexts.js'
import { type HasValue, observedDomains } from './ranges.js'
import { ERROR, type Outcome, type Progress, Search, type SearchOptions, UNDEFINED } from './search.js'
import { type PartialOrder, Selection } from './selection.js'
import { onlyHalts, pathTo, stepsAlong } from './trace.js'
import { walk } from './walk.js'

export interface ExploreOptions {
  readonly por: PartialOrder
  /** Whether arriving at the end of this edge violates the property. */
  readonly isError: (edge: Edge) => boolean
  /** A property of states; made for each layout. */
  readonly stateCheck?: (compiled: Compiled) => StateCheck
  /** Forget values that nobody reads; off where states are counted. */
  readonly forgetDead: boolean
  /** The end of the program depends on every action (deadlocks). */
  readonly endMatters?: boolean
  readonly maximalBytes: number
  /** Nothing is proved once a pointer to a freed block is compared (`Task.watchesFreed`). */
  readonly watchesFreed?: boolean
  /** States in the order of context switches, up to so many. */
  readonly contexts?: { readonly switches: number | undefined }
  /** Asked after a short search that met choices with too many values: whether to leave it at that. */
  readonly leavesSamples?: () => boolean
  /** Of an earlier search of a program with the same variables: there is nothing left to guess. */
  readonly shape?: Shape
  /** How much the first search looks at, where it is to guess badly. */
  readonly scout?: { readonly states: number; readonly walks: number }
}

export type StateCheck = NonNullable<ConstructorParameters<typeof Search>[1]['violates']>

export interface Exploration {
  readonly outcome: Outcome
  /** Why `complete` does not mean everything: nondeterminism that was only sampled. */
  readonly partial: Reason | undefined
  readonly steps: readonly Step[]
  readonly initial: ReadonlyMap<Variable, Value>
  readonly undefinedEdges: readonly Edge[]
  readonly states: number
  readonly transitions: number
  readonly bytesPerState: number
  readonly restarts: number
  readonly provisos: number
  readonly reexpansions: number
  /** What the last layout was made for. */
  readonly shape: Shape | undefined
}

/** States of the first search. */
const SCOUT_STATES = 3_000
/** States of the search after random walks have met an error, to find a shorter way to it. */
const SHORTCUT_STATES = 20_000
const MAX_RESTARTS = 400
/** After so many restarts random walks no longer make the layout larger: threads or allocations without end. */
const WALK_RESTARTS = 12
const MAX_SLOTS = 1024
/** No more threads than this are provided for before they are met. */
const LIKELY_SLOTS = 64
const MAX_INSTANCES = 1 << 16

export const explore = (program: Program, options: ExploreOptions, env: Env): Exploration => {
  const isFirst = options.shape === undefined
  let shape = options.shape ?? { slots: likelyThreads(program), heap: likelyBlocks(program), domains: new Map() }
  let maxStates = isFirst ? (options.scout?.states ?? SCOUT_STATES) : Number.POSITIVE_INFINITY
  let known: FinishedExploration | undefined
  let earlier: Earlier | undefined
  for (let restarts = 0; ; restarts++) {
    const run = new Run(program, shape, options, env, maxStates, restarts < WALK_RESTARTS)
    const result = run.attempt(earlier)
    earlier = run.soFar()
    if (result.kind === 'finished') {
      const { exploration, domains = shape.domains } = result
      const found = known && exploration.outcome.kind !== 'violation' ? known : exploration
      return { ...found, restarts, shape: { ...shape, domains } }
    }
    const interrupted = env.stopped()
    if (interrupted !== undefined || restarts >= MAX_RESTARTS)
      return known
        ? { ...known, restarts, shape }
        : stopped(interrupted ?? inconclusive('the state grows without end'), restarts)
    if (result.kind === 'too small') {
      const grown = grow(shape, result.need, result.alike)
      if (typeof grown === 'string') return stopped(inconclusive(grown), restarts)
      shape = grown
    } else if (result.kind === 'scouted') {
      // A second time: no shorter way was found.
      if (known) return { ...known, restarts, shape }
      shape = { ...shape, domains: result.domains }
      known = result.error
      maxStates = known ? SHORTCUT_STATES : Number.POSITIVE_INFINITY
    } else return stopped(inconclusive(result.reason), restarts)
  }
}

/** Main, and the threads that it starts on one way through it: what is missing is found out. */
const likelyThreads = ({ main }: Program): readonly (readonly string[])[] => {
  const slots = [[main.name]]
  const passed = new Set<Location>()
  for (let location: Location | undefined = main.initial; location && !passed.has(location); ) {
    passed.add(location)
    const edge: Edge | undefined = main.edges.find(({ source, target }) => source === location && !passed.has(target))
    for (const label of edge?.labels ?? []) if (label.kind === 'start') slots.push([label.procedure])
    location = edge?.target
  }
  return slots
}

/** Of all allocations together; what is larger is provided for when it is met. */
const LIKELY_BYTES = 4096

/** One block of each small allocation: most are executed, and each one that is missing costs a restart. */
const likelyBlocks = ({ templates }: Program): Shape['heap'] => {
  const blocks = new Map<MemoryObject, { readonly count: number; readonly bytes: number }>()
  let total = 0
  for (const { edges } of templates.values())
    for (const label of edges.flatMap(({ labels }) => labels)) {
      if (label.kind !== 'allocate' || label.size.kind !== 'const' || blocks.has(label.object)) continue
      const bytes = Number(label.size.value)
      total += bytes
      if (total > LIKELY_BYTES) return blocks
      blocks.set(label.object, { count: 1, bytes })
    }
  return blocks
}

type FinishedExploration = Omit<Exploration, 'restarts' | 'shape'>

type Attempt =
  | {
      readonly kind: 'finished'
      readonly exploration: FinishedExploration
      /** What was seen, if the search was a short one. */
      readonly domains?: ReadonlyMap<Owner, Domain>
    }
  | { readonly kind: 'too small'; readonly need: Need; readonly alike: readonly Cells[] }
  | {
      readonly kind: 'scouted'
      readonly domains: ReadonlyMap<Owner, Domain>
      /** What random walks met. */
      readonly error: FinishedExploration | undefined
    }
  | { readonly kind: 'beyond'; readonly reason: string }

/** What a search did before its layout proved too small. */
interface Earlier {
  readonly compiled: Compiled
  readonly progress: Progress
}

class Run {
  private compiled: Compiled | undefined
  private searched: Search | undefined

  constructor(
    private readonly program: Program,
    private readonly shape: Shape,
    private readonly options: ExploreOptions,
    private readonly env: Env,
    private readonly maxStates: number,
    /** Whether random walks may ask for a larger layout. */
    private readonly mayGrow: boolean,
  ) {}

  attempt(earlier: Earlier | undefined): Attempt {
    try {
      return this.attemptWith(layoutOf(this.program, this.shape, this.isStored(), this.options.forgetDead), earlier)
    } catch (error) {
      if (error instanceof BeyondExploration || error instanceof TooMuchMemory)
        return { kind: 'beyond', reason: error.message }
      throw error
    }
  }

  /** What the next attempt can go on with. */
  soFar(): Earlier | undefined {
    const progress = this.options.forgetDead ? this.searched?.progress() : undefined
    return progress && { compiled: this.compiled!, progress }
  }

  private attemptWith(layout: Layout, earlier: Earlier | undefined): Attempt {
    try {
      this.compiled = compile(layout, {
        forgetDead: this.options.forgetDead,
        leaveOut: !this.options.endMatters,
        endsMatter: this.options.endMatters ?? false,
        watchesFreed: this.options.watchesFreed ?? false,
      })
      return this.search(layout, this.compiled, earlier)
    } catch (error) {
      if (error instanceof LayoutTooSmall) return tooSmall(layout, error.need)
      if (error instanceof OutsideDomain)
        return tooSmall(layout, { kind: 'value', cells: error.cells, value: error.value })
      throw error
    }
  }

  private search(layout: Layout, compiled: Compiled, earlier: Earlier | undefined): Attempt {
    const { options, env, maxStates } = this
    const violates = options.stateCheck?.(compiled)
    const start = this.options.forgetDead ? ONE_INITIAL : initialValues(this.program)
    const searchOptions: SearchOptions = {
      maxStates,
      maximalBytes: options.maximalBytes,
      meaning: Uint8Array.from(compiled.edges, ({ edge, stops }) =>
        stops ? 0 : options.isError(edge) ? ERROR : edge.target.reason?.kind === 'undefined' ? UNDEFINED : 0,
      ),
      endMatters: options.endMatters ?? false,
      selection: new Selection(layout, options.por),
      ...(violates ? { violates } : {}),
    }
    const isWhole = (): boolean => start.partial === undefined && compiled.runtime.partialReasons.size === 0
    const search = options.contexts
      ? new ContextSearch(compiled, { ...searchOptions, ...options.contexts, isWhole }, env)
      : this.searchFrom(earlier, compiled, searchOptions)
    if (search instanceof Search) this.searched = search
    const outcome = search.run(start.values.map((chosen) => compiled.initial(chosen)))
    const { runtime, edges } = compiled
    const [reason] = runtime.partialReasons
    const path = outcome.kind === 'violation' ? pathTo(search.visited, outcome.state) : []
    const exploration: FinishedExploration = {
      outcome,
      partial: start.partial ?? (reason === undefined ? undefined : runtime.reasons[reason]),
      steps: stepsAlong(compiled, search.visited, path),
      initial: start.values[path[0] ?? 0] ?? new Map(),
      undefinedEdges: [...new Set([...runtime.undefinedEdges].map((index) => edges[index]!.edge))],
      states: search.visited.count,
      transitions: search.transitions,
      bytesPerState: search.visited.bytes / search.visited.count,
      provisos: search.provisos,
      reexpansions: search.reexpansions,
    }
    if (outcome.kind !== 'enough') return { kind: 'finished', exploration }
    const walks = walk(compiled, compiled.initial(start.values[0]!), {
      isError: (edge) => search.meaningOf(edge) === ERROR,
      ...(violates ? { violates: (words, state) => search.isViolation(words, state, violates) } : {}),
      isAnywhere: !options.endMatters,
      mayGrow: this.mayGrow,
      ...(options.scout && { maxWalks: options.scout.walks }),
    })
    const error: FinishedExploration | undefined = walks.error && {
      ...exploration,
      outcome: { kind: 'violation', state: -1 },
      steps: walks.error.filter((step) => !onlyHalts(step.edge)),
      initial: start.values[0]!,
    }
    const domains = observedDomains(layout, [search.visited, walks], this.hasValue(layout))
    if (!error && exploration.partial && this.options.leavesSamples?.())
      return { kind: 'finished', exploration: { ...exploration, outcome: { kind: 'complete' } }, domains }
    return { kind: 'scouted', domains, error }
  }

  private searchFrom(earlier: Earlier | undefined, compiled: Compiled, options: SearchOptions): Search {
    const fresh = (): Search => new Search(compiled, options, this.env)
    // Reduction by the threads of fewer slots says nothing about more of them.
    if (earlier?.compiled.layout.slots.length !== compiled.layout.slots.length) return fresh()
    const { count } = earlier.progress.visited
    const translate = translation(earlier.compiled, compiled, this.hasValue(earlier.compiled.layout), count)
    const search = fresh()
    if (!translate || !search.goOnWith(earlier.progress, translate)) return fresh()
    carryNotes(earlier.compiled, compiled)
    return search
  }

  /** Locals that are live at some location. */
  private isStored(): IsStored {
    if (!this.options.forgetDead) return () => true
    return (variable, procedure) => {
      const { isLiveAt } = livenessOf(procedure)
      return procedure.locations.some((location) => isLiveAt(variable, location))
    }
  }

  private hasValue({ slots }: Layout): HasValue {
    if (!this.options.forgetDead) return (_, slot, counter) => slots[slot]!.locations[counter] !== undefined
    return (variable, slot, counter) => {
      const { locations, templates } = slots[slot]!
      const location = locations[counter]
      const template = location && templates.find(({ counters }) => counters.has(location))
      return template !== undefined && livenessOf(template.procedure).isLiveAt(variable, location!)
    }
  }
}

const isStep = (compiled: CompiledEdge, slot: number, edge: Edge): boolean =>
  compiled.slot === slot && compiled.edge === edge

/** What was met on the way: undefined behaviour, and choices of which some were left out. */
const carryNotes = (before: Compiled, after: Compiled): void => {
  const { runtime } = before
  for (const number of runtime.undefinedEdges) {
    const { slot, edge, stops } = before.edges[number]!
    const alike = after.edges.map((_, i) => i).filter((i) => isStep(after.edges[i]!, slot, edge))
    after.runtime.undefined(alike.find((i) => after.edges[i]!.stops === stops) ?? alike[0]!)
  }
  for (const number of runtime.partialReasons)
    after.runtime.partial(undefined, after.runtime.reasonNumber(runtime.reasons[number]!))
}

/** What one thread's local was found to need, other threads' will need soon: each would cost a restart of its own. */
const tooSmall = ({ slots }: Layout, need: Need): Attempt => {
  if (need.kind !== 'value') return { kind: 'too small', need, alike: [] }
  const locals = slots.flatMap(({ templates }) => templates.flatMap((template) => [...template.locals]))
  const variable = locals.find(([, { owner }]) => owner === need.cells.owner)?.[0]
  const alike = locals.filter(([local]) => local === variable).map(([, cells]) => cells)
  return { kind: 'too small', need, alike: alike.length > 0 ? alike : [need.cells] }
}

/** Larger in the way that was needed, or why not. */
const grow = (shape: Shape, need: Need, alike: readonly Cells[]): Shape | string => {
  switch (need.kind) {
    case 'value': {
      const domains = new Map(shape.domains)
      for (const { owner, type, domain } of alike) domains.set(owner, widened(type, domain, need.value))
      return { ...shape, domains }
    }
    case 'slot': {
      if (need.number >= MAX_SLOTS) return `more than ${MAX_SLOTS} threads`
      const slots = Array.from(
        { length: Math.max(shape.slots.length, need.number + 1) },
        (_, i) => shape.slots[i] ?? [],
      )
      slots[need.number] = [...slots[need.number]!, need.template]
      // Where a loop starts threads, more of the same will follow.
      const more = shape.slots.at(-1)?.[0] === need.template ? Math.floor(need.number / 2) : 0
      while (slots.length < Math.min(need.number + 1 + more, LIKELY_SLOTS)) slots.push([need.template])
      return { ...shape, slots }
    }
    case 'heap': {
      const { object, instance } = need
      const known = shape.heap.get(object) ?? { count: 0, bytes: 0 }
      const count = instance < known.count ? known.count : Math.max(instance + 1, Math.ceil(instance * 1.5))
      if (count > MAX_INSTANCES) return `more than ${MAX_INSTANCES} allocations of ${object.name}`
      const bytes = Math.max(known.bytes, need.bytes)
      return { ...shape, heap: new Map(shape.heap).set(object, { count, bytes }) }
    }
  }
}

const stopped = (reason: Reason, restarts: number): Exploration => ({
  outcome: { kind: 'stopped', reason },
  partial: undefined,
  steps: [],
  initial: new Map(),
  undefinedEdges: [],
  states: 0,
  transitions: 0,
  bytesPerState: 0,
  restarts,
  provisos: 0,
  reexpansions: 0,
  shape: undefined,
})

const ONE_INITIAL = { values: [new Map<Variable, Value>()], partial: undefined }

/** More initial states than this are a sample. */
const MAX_INITIAL_STATES = 4096

/** The values of globals that start as any value, one map for each initial state. */
const initialValues = (
  program: Program,
): { readonly values: readonly ReadonlyMap<Variable, Value>[]; readonly partial: Reason | undefined } => {
  let values: readonly ReadonlyMap<Variable, Value>[] = [new Map()]
  let partial: Reason | undefined
  for (const variable of program.globals) {
    if (variable.initial !== 'any') continue
    const { low, high } = variable.type.kind === 'float' ? { low: 0n, high: 1n << 64n } : rangeOf(variable.type)
    const all = high - low < 256n ? interval(low, high)! : undefined
    if (!all || all.length * values.length > MAX_INITIAL_STATES) partial = { kind: 'sampled', variable: variable.name }
    else values = values.flatMap((chosen) => all.map((value) => new Map(chosen).set(variable, value)))
  }
  return { values, partial }
}
