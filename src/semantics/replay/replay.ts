// Replay: an engine's trace, executed in the concrete semantics of the raw program. The engine's edges name the raw
// edges they stand for (`origins`); what the engine left open (choices it did not make, edges that slicing removed,
// work before a race) is searched for, within a budget. FALSE is said only after a replay that reached the violation.
import type { Edge, Label, Program, Value, Variable } from '../../xcfa/index.js'
import { Unsupported, wrap } from '../../xcfa/index.js'
import {
  type Chooser,
  type ConcreteAccess,
  type Interpreter,
  interpreterOf,
  lazyChoice,
  type Successor,
  usualChoice,
} from '../interpreter.js'
import { BeyondBounds } from '../layout.js'
import type { State } from '../state.js'
import { givesNothing } from '../step/choices.js'
import type { Step, Trace } from '../trace.js'
import { endlessAt, STATE_PROPERTIES, type StateProperty, type ViolationFound, violationAt } from '../violation.js'
import { type Change, changesOf, type Waiting, waitingOf } from './describe.js'

export interface Replay {
  /** Every step took place, and nothing was wrong in the end. */
  readonly followed?: true
  /** Whether the execution really ends in a violation of the property. */
  readonly reached: boolean
  /** Where and why it failed. */
  readonly reason?: string
  readonly initial: State
  readonly steps: readonly ReplayedStep[]
  readonly violation?: ViolationFound
  /** For a deadlock: what each thread waits for. */
  readonly waiting?: readonly Waiting[]
}

export interface ReplayedStep {
  /** Over the edges of the raw program. */
  readonly step: Step
  /** The engine's step that it belongs to; absent for one that the replay had to add. */
  readonly from?: number
  readonly state: State
  readonly changes: readonly Change[]
  readonly accesses: readonly ConcreteAccess[]
}

export interface ReplayOptions {
  /** How many edges may be executed, retries included; beyond it the replay fails. Long traces get more by default. */
  readonly budget?: number
  /** False where only `reached` is asked for, not termination: the states on the way are forgotten. */
  readonly keepsSteps?: boolean
}

/** Edges that a replay may execute, however short the trace is. */
const MIN_BUDGET = 100_000

export const replay = (raw: Program, trace: Trace, property: string, options: ReplayOptions = {}): Replay =>
  replayWith(interpreterOf(raw), trace, property, options)

/** The same with an interpreter at hand: its tables are computed once for many replays. */
export const replayWith = (
  interpreter: Interpreter,
  trace: Trace,
  property: string,
  { budget = Math.max(MIN_BUDGET, 4 * trace.steps.length), keepsSteps = true }: ReplayOptions = {},
): Replay => {
  const initial = interpreter.initialWith(initialValues(interpreter, trace))
  // Being blocked for ever is one way not to end, coming back to a state the other.
  const asked = property === 'termination' ? 'no-deadlock' : property
  if (!STATE_PROPERTIES.some((p) => p === asked))
    return { reached: false, reason: `replay does not decide ${property}`, initial, steps: [] }
  const search: Search = {
    interpreter,
    property: asked as StateProperty,
    mayBeEndless: property === 'termination',
    keepsSteps,
    waypoints: waypointsOf(trace),
    budget,
    furthest: undefined,
  }
  try {
    return follow(search, initial)
  } catch (problem) {
    if (problem instanceof BeyondBounds || problem instanceof Unsupported)
      return {
        reached: false,
        reason: problem.message,
        initial,
        steps: described(search, initial, executedUntil(search.furthest?.path)),
      }
    throw problem
  }
}

/** Engines may have their own copies of a global: they are matched by name. */
const initialValues = ({ layout }: Interpreter, { initial = new Map() }: Trace): ReadonlyMap<Variable, Value> => {
  const values = new Map<Variable, Value>()
  for (const variable of layout.globals.keys())
    for (const [given, value] of initial)
      if (given === variable || given.name === variable.name) values.set(variable, value)
  return values
}

// ---- what has to be executed

interface Waypoint {
  readonly thread: number
  readonly edge: Edge
  readonly from: number
  /** The engine's values for the havoc labels of this edge, where they can be told. */
  readonly choices: readonly (Value | 'open' | undefined)[]
  readonly indeterminate: readonly Value[]
}

const waypointsOf = ({ steps }: Trace): readonly Waypoint[] =>
  steps.flatMap(({ thread, edge, choices, open, indeterminate = [] }, from) => {
    const origins = edge.origins ?? [edge]
    const made = choices.map((value, i) => (open?.includes(i) ? 'open' : value))
    const assigned = distribute(edge, origins, made)
    return origins.map((origin, i) => ({ thread, edge: origin, from, choices: assigned[i]!, indeterminate }))
  })

type Choice = Value | 'open'
type Chosen = Label & { readonly kind: 'havoc' | 'primitive'; readonly target: Variable }
/** Labels whose values a step gives: the value of a scheduler's primitive is one. */
const havocsOf = (edge: Edge): readonly Chosen[] =>
  edge.labels.filter(
    (label): label is Chosen => label.kind === 'havoc' || (label.kind === 'primitive' && label.target !== undefined),
  )

/** In order if the numbers agree; otherwise (a pass removed some) by the variable that they give a value. */
const distribute = (
  edge: Edge,
  origins: readonly Edge[],
  choices: readonly Choice[],
): readonly (readonly (Choice | undefined)[])[] => {
  const wanted = origins.map(havocsOf)
  if (wanted.reduce((sum, havocs) => sum + havocs.length, 0) === choices.length) {
    let next = 0
    return wanted.map((havocs) => havocs.map(() => choices[next++]))
  }
  const left = havocsOf(edge).map(({ target }, i) => ({ target, value: choices[i] }))
  return wanted.map((havocs) =>
    havocs.map(({ target }) => {
      const at = left.findIndex((known) => known.target === target || known.target.name === target.name)
      return at < 0 ? undefined : left.splice(at, 1)[0]!.value
    }),
  )
}

// ---- search: depth first along the waypoints, alternatives only where something fails

interface Search {
  readonly interpreter: Interpreter
  readonly property: StateProperty
  readonly mayBeEndless: boolean
  /** Whether the answer lists what was executed. */
  readonly keepsSteps: boolean
  readonly waypoints: readonly Waypoint[]
  budget: number
  /** Where the most waypoints were behind, to tell where it fails. */
  furthest: Level | undefined
}

interface Executed {
  readonly successor: Successor
  readonly from?: number
}

/** A way on: steps to execute, and the next waypoint after them. */
interface Candidate {
  readonly executed: readonly Executed[]
  readonly next: number
  /** Nothing was left open in it, so that no other one can follow. */
  readonly isOnly?: boolean
}

/** What was executed, last first. */
interface Path {
  readonly before: Path | undefined
  readonly executed: readonly Executed[]
}

interface Level {
  /** Where to try something else: levels with one candidate are left out. */
  readonly parent: Level | undefined
  readonly state: State
  readonly path: Path | undefined
  readonly next: number
  /** How many values of loads from unwritten bytes the engine's step has given already. */
  readonly used: number
  readonly candidates: Iterator<Candidate>
}

const follow = (search: Search, initial: State): Replay => {
  let level: Level | undefined = firstLevel(search, initial)
  while (level && search.budget > 0) {
    if (!search.furthest || level.next > search.furthest.next) search.furthest = level
    if (level.next === search.waypoints.length) {
      const executed = executedUntil(level.path)
      const endless = search.mayBeEndless && endlessOf(search, initial, executed)
      if (endless) return reached(search, initial, executed, endless)
      const end = violationNear(search, level.state)
      if (end) return reached(search, initial, [...executed, ...end.executed], end.violation)
      level = level.parent
      continue
    }
    const candidate: IteratorResult<Candidate> = level.candidates.next()
    if (candidate.done) level = level.parent
    else level = levelAfter(search, level, candidate.value)
  }
  return failed(search, initial)
}

const firstLevel = (search: Search, state: State): Level => {
  const [waypoint] = search.waypoints
  const candidates = waypoint ? candidatesAt(search, state, waypoint, 0, 0) : [].values()
  return { parent: undefined, state, path: undefined, next: 0, used: 0, candidates }
}

const levelAfter = (search: Search, level: Level, { executed, next, isOnly }: Candidate): Level => {
  const waypoint = search.waypoints[next]
  const last = executed.at(-1)!
  const { state, step } = last.successor
  const sameStep = waypoint !== undefined && last.from === waypoint.from
  const used = sameStep ? level.used + (step.indeterminate?.length ?? 0) : 0
  const candidates = waypoint ? candidatesAt(search, state, waypoint, next, used) : [].values()
  const path = search.keepsSteps ? { before: level.path, executed } : undefined
  return { parent: isOnly ? level.parent : level, state, path, next, used, candidates }
}

const executedUntil = (last: Path | undefined): readonly Executed[] => {
  const parts: (readonly Executed[])[] = []
  for (let path = last; path; path = path.before) parts.push(path.executed)
  return parts.reverse().flat()
}

function* candidatesAt(
  search: Search,
  state: State,
  waypoint: Waypoint,
  next: number,
  used: number,
): Generator<Candidate> {
  const { interpreter } = search
  const { thread, edge, from } = waypoint
  if (!interpreter.mayMove(state, thread)) return
  if (!interpreter.edgesOf(state, thread).includes(edge)) {
    for (const executed of waysTo(search, state, thread, (s) => interpreter.edgesOf(s, thread).includes(edge)))
      yield { executed, next }
    return
  }
  // Keys of states are long where there are many threads: they are made only if a second candidate is asked for.
  const tried: State[] = []
  const isTried = (other: State): boolean =>
    tried.length > 0 && tried.some((known) => interpreter.key(known) === interpreter.key(other))
  let isOpen = false
  const given = asGiven(waypoint, used)
  const noticing: Chooser = (kind, domain, point) => {
    isOpen = true
    return given(kind, domain, point)
  }
  for (const chooser of [noticing, usualChoice]) {
    for (const successor of execute(search, state, thread, edge, chooser)) {
      if (successor.undefined || isTried(successor.state)) continue
      tried.push(successor.state)
      yield { executed: [{ successor, from }], next: next + 1, isOnly: !isOpen }
    }
    if (!isOpen) return
  }
}

const execute = (search: Search, state: State, thread: number, edge: Edge, choose: Chooser): readonly Successor[] => {
  search.budget--
  return search.interpreter.execute(state, thread, edge, choose)
}

/** The engine's values where it gave some. */
const asGiven = ({ choices, indeterminate }: Waypoint, used: number): Chooser => {
  const given = { havoc: choices.values(), indeterminate: indeterminate.slice(used).values() }
  return (kind, domain, point) => {
    if (givesNothing(kind, point)) return [0]
    const next = given[kind === 'primitive' ? 'havoc' : kind].next()
    if (!next.done && next.value === 'open' && point.onlyStored) return 'open'
    if (!next.done && next.value !== undefined && next.value !== 'open') return [wrap(domain.target.type, next.value)]
    return kind === 'indeterminate' ? [0] : usualChoice(kind, domain, point)
  }
}

const MAX_GAP_STATES = 2_000
const MAX_GAP_PATHS = 8

/** Ways of one thread alone to a state, shortest first: edges that the engine's program no longer has. */
function* waysTo(
  search: Search,
  start: State,
  thread: number,
  isGoal: (state: State) => boolean,
): Generator<readonly Executed[]> {
  const { interpreter } = search
  const queue: (readonly Executed[])[] = [[]]
  const seen = new Set<string>()
  let paths = 0
  for (let i = 0; i < queue.length && seen.size < MAX_GAP_STATES && paths < MAX_GAP_PATHS; i++) {
    const state = queue[i]!.at(-1)?.successor.state ?? start
    for (const edge of interpreter.edgesOf(state, thread))
      for (const successor of execute(search, state, thread, edge, usualChoice)) {
        const key = interpreter.key(successor.state)
        if (seen.has(key) || successor.undefined) continue
        seen.add(key)
        const way = [...queue[i]!, { successor }]
        if (isGoal(successor.state)) {
          paths++
          yield way
        } else queue.push(way)
      }
  }
}

// ---- the end

const endlessOf = (
  { interpreter }: Search,
  initial: State,
  executed: readonly Executed[],
): ViolationFound | undefined =>
  endlessAt(
    interpreter,
    initial,
    executed.map(({ successor }) => successor),
  )

const MAX_END_STATES = 500

/** The violation here, or after a few steps: an engine's last step may end before the raw program's. */
const violationNear = (
  search: Search,
  start: State,
): { readonly executed: readonly Executed[]; readonly violation: ViolationFound } | undefined => {
  const { interpreter, property } = search
  const queue: { readonly state: State; readonly executed: readonly Executed[] }[] = [{ state: start, executed: [] }]
  const seen = new Set<string>([interpreter.key(start)])
  // A deadlock is about all steps: there, a choice that cannot be enumerated must not look like none.
  const choose = property === 'no-deadlock' ? lazyChoice : usualChoice
  for (let i = 0; i < queue.length && search.budget > 0; i++) {
    const { state, executed } = queue[i]!
    const successors = interpreter
      .movable(state)
      .flatMap((t) => interpreter.edgesOf(state, t).flatMap((edge) => execute(search, state, t, edge, choose)))
    const violation = violationAt(interpreter, property, state, successors)
    if (violation) return { executed, violation }
    for (const successor of successors) {
      const key = interpreter.key(successor.state)
      if (seen.has(key) || seen.size >= MAX_END_STATES) continue
      seen.add(key)
      queue.push({ state: successor.state, executed: [...executed, { successor }] })
    }
  }
  return undefined
}

const described = (search: Search, initial: State, executed: readonly Executed[]): readonly ReplayedStep[] => {
  // Steps that were not kept cannot be told from the initial state on.
  if (!search.keepsSteps) return []
  let before = initial
  return executed.map(({ successor, from }) => {
    const { step, state, accesses } = successor
    const changes = changesOf(search.interpreter.layout, before, successor)
    before = state
    return { step, state, changes, accesses, ...(from === undefined ? {} : { from }) }
  })
}

const reached = (search: Search, initial: State, executed: readonly Executed[], violation: ViolationFound): Replay => {
  const state = executed.at(-1)?.successor.state ?? initial
  const waiting =
    violation.kind === 'deadlock'
      ? { waiting: violation.waiting.map((thread) => waitingOf(search.interpreter, state, thread)) }
      : {}
  return { reached: true, initial, steps: described(search, initial, executed), violation, ...waiting }
}

const failed = (search: Search, initial: State): Replay => {
  const { waypoints, furthest, budget } = search
  const waypoint = waypoints[furthest?.next ?? 0]
  const steps = described(search, initial, executedUntil(furthest?.path))
  const where = waypoint && `${waypoint.edge.position.file}:${waypoint.edge.position.line} ${waypoint.edge.text}`
  const reason =
    budget <= 0
      ? 'replay gave up: too many alternatives'
      : waypoint
        ? `step ${waypoint.from + 1}, thread ${waypoint.thread}, ${where}: not enabled in the concrete semantics`
        : 'the execution ends without the violation'
  return { reached: false, reason, initial, steps, ...(budget > 0 && !waypoint && { followed: true as const }) }
}
