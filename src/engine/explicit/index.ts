// The engine `explicit`: prepares the program for the property, explores its states, and says what came of it.
import { errorsOf, type Property, TOLD_APART } from '../../property/index.js'
import type { Trace } from '../../semantics/index.js'
import type { Assumption, Result, Stats } from '../../verdict/index.js'
import { inconclusive } from '../../verdict/reason.js'
import { unknown } from '../../verdict/result.js'
import type { Program } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { type Engine, type Env, engineOf, type Options, parseOptions, type Task } from '../engine.js'
import { replayedOnly } from '../memory-safety.js'
import { tellAssertions } from './assertions.js'
import { type Counted, counted, type Effort } from './counting/index.js'
import { deadlockCheck } from './deadlocks.js'
import { type Exploration, type ExploreOptions, explore } from './explore.js'
import { withFreeStarts } from './free-starts.js'
import { withoutFreeValues } from './free-values.js'
import { hasHeap, leakCheck } from './leaks.js'
import { mayRace } from './modular/index.js'
import { raceCheck } from './races.js'
import type { PartialOrder } from './selection.js'
import { EXPLICIT_OPTIONS, explicitSpec } from './spec.js'

/** Bytes of visited states. */
const MAXIMAL_BYTES = 3 * 2 ** 30

/** How many instances of one heap object are told apart for valid-memsafety: each of them makes every state larger. */
const TOLD = [TOLD_APART, 1 << 10, 1 << 13]

const verify = (task: Task, options: Options, env: Env): Result => {
  const { property } = task
  if (property !== 'valid-memsafety') return search(task, preparedFor(task.raw, property), options, env)
  let result: Result | undefined
  for (const told of TOLD) {
    result = replayedOnly(task, search(task, preparedFor(task.raw, property, told), options, env))
    const isBeyond = result.verdict === 'unknown' && result.reason.kind === 'no-replay'
    if (!isBeyond || !task.raw.objects.some(({ instances = 1 }) => instances > told)) break
  }
  return result!
}

const search = (task: Task, program: Program, options: Options, env: Env): Result => {
  const { property } = task
  const { por: asked, counting, order, contexts } = parseOptions(EXPLICIT_OPTIONS, options)
  const inOrder = contexts > 0 ? { switches: contexts } : order === 'switches' ? { switches: undefined } : undefined
  const por = inOrder ? 'none' : asked
  tellAssertions(task.raw, program, property, env)
  // Random walks find most races among many threads: they come before a long search over counts.
  const isShort = property === 'no-data-race'
  const count = (effort: Effort, searched = program): Counted => counted(task.raw, searched, property, env, effort)
  const counts = counting === 'on' && !inOrder && !task.watchesFreed && COUNTED.includes(property)
  const instances = counts ? count(isShort ? 'short' : 'long') : undefined
  if (instances && instances.kind !== 'open') return countedResult(instances)
  const isStopped = (): boolean => env.stopped() !== undefined
  if (counts) {
    if (isShort && mayRace(program, isStopped) === undefined) return MODULAR_PROOF
    const relaxed = withFreeStarts(program)
    if (isShort && relaxed && mayRace(relaxed, isStopped) === undefined) return MODULAR_PROOF
    const anyInput = relaxed && count('proof', relaxed)
    if (anyInput?.kind === 'true') return countedResult(anyInput)
  }
  let isDisputed = false
  const exploring = (searched: Program, more: Beside = {}): Exploration => {
    const explored = exploreOptions(searched, property, por, () => {
      isDisputed = true
    })
    const watched = { ...explored, ...more, ...(task.watchesFreed && { watchesFreed: true }) }
    return explore(searched, inOrder ? { ...watched, contexts: inOrder } : watched, env)
  }
  const found = resultOf(besideFreeValues(program, exploring), por)
  if (isShort && instances && found.verdict === 'unknown' && instances.stats.threads > MAX_THREADS && !env.stopped()) {
    const again = count('long')
    if (again.kind !== 'open') return countedResult(again)
  }
  const result = instances ? { ...found, stats: { ...found.stats, not_counted: instances.reason } } : found
  return result.verdict === 'true' && isDisputed ? { ...DISPUTED, stats: result.stats } : result
}

type Beside = Pick<ExploreOptions, 'leavesSamples' | 'shape'>

/**
 * Choices among many values are tried with a few of them, which proves nothing. Where they only decide branches, a search
 * that leaves both outcomes open may; it comes first, because a search through a sample takes as long.
 */
const besideFreeValues = (
  program: Program,
  exploring: (searched: Program, more?: Beside) => Exploration,
): Exploration => {
  let relaxed: Program | undefined
  const leavesSamples = (): boolean => (relaxed = withoutFreeValues(program)) !== undefined
  const first = exploring(program, { leavesSamples })
  const isCut = relaxed !== undefined
  if (isSampled(first)) relaxed ??= withoutFreeValues(program)
  if (!relaxed) return first
  const { shape } = first
  const second = exploring(relaxed, shape && { shape })
  if (isProof(second)) return second
  return isCut ? exploring(program) : first
}

const isProof = ({ outcome, partial }: Exploration): boolean => outcome.kind === 'complete' && partial === undefined

/** Nothing is wrong with the values that were tried of a choice among many. */
const isSampled = ({ outcome, partial }: Exploration): boolean =>
  (outcome.kind === 'complete' || outcome.kind === 'bounded') && partial?.kind === 'sampled'

const DISPUTED = {
  verdict: 'unknown',
  reason: inconclusive('memory that only variables of other threads point to when a thread calls exit or abort'),
  forAll: true,
  assumptions: [],
} as const

/** Properties of single steps, which more threads cannot mend. */
const COUNTED: readonly Property[] = ['assert', 'unreach-call', 'no-overflow', 'no-data-race']

/** Thread by thread: invalid accesses stop their threads. */
const MODULAR_PROOF: Result = {
  verdict: 'true',
  certificate: { kind: 'exploration', data: { states: 0, transitions: 0, por: 'both' } },
  stats: {},
  assumptions: [{ kind: 'valid-dereferences', status: 'open' }],
}

/** The exploration of single threads stops at more. */
const MAX_THREADS = 31

const countedResult = (counting: Exclude<Counted, { kind: 'open' }>): Result => {
  const { nodes, edges, threads } = counting.stats
  const stats = { nodes, edges, actions_explored: edges, counted_threads: threads }
  if (counting.kind === 'false') return { verdict: 'false', trace: counting.trace, stats, assumptions: [] }
  const certificate = { kind: 'exploration', data: { states: nodes, transitions: edges, por: 'both' } } as const
  return { verdict: 'true', certificate, stats, assumptions: assumptionsOf(counting) }
}

/** What the search sees of a program for a property. */
export const preparedFor = (raw: Program, property: Property, told = TOLD_APART): Program =>
  prepare(errorsOf(raw, property, { leaks: false, told }), {
    // Whatever may race, or point to memory, matters.
    slice: property === 'no-data-race' ? 'races' : !looksForLeaks(raw, property),
    keepExit: property === 'no-deadlock' || looksForLeaks(raw, property),
  })

const looksForLeaks = (program: Program, property: Property): boolean =>
  property === 'valid-memsafety' && hasHeap(program)

export const exploreOptions = (
  program: Program,
  property: Property,
  por: PartialOrder,
  onDisputed: () => void = () => {},
): ExploreOptions => ({
  por,
  isError: ({ target }) => target.kind === 'error',
  forgetDead: true,
  maximalBytes: MAXIMAL_BYTES,
  endMatters: property === 'no-deadlock' || looksForLeaks(program, property),
  ...(property === 'no-data-race' ? { stateCheck: raceCheck(program) } : {}),
  ...(property === 'no-deadlock' ? { stateCheck: deadlockCheck } : {}),
  ...(looksForLeaks(program, property) ? { stateCheck: leakCheck(program, onDisputed) } : {}),
})

export const resultOf = (exploration: Exploration, por: PartialOrder): Result => {
  const { outcome, partial, states, transitions } = exploration
  const stats = statsOf(exploration)
  switch (outcome.kind) {
    case 'violation':
      return { verdict: 'false', trace: traceOf(exploration), stats, assumptions: [] }
    case 'complete': {
      if (partial !== undefined) return unknown(partial, stats)
      const certificate = { kind: 'exploration', data: { states, transitions, por } } as const
      return { verdict: 'true', certificate, stats, assumptions: assumptionsOf(exploration) }
    }
    case 'bounded': {
      const reason =
        partial ??
        inconclusive(`no violation within ${outcome.switches} context switch${outcome.switches === 1 ? '' : 'es'}`)
      return unknown(reason, stats)
    }
    case 'stopped':
    case 'enough':
      return unknown(outcome.kind === 'stopped' ? outcome.reason : inconclusive('too many states'), stats)
  }
}

const traceOf = ({ steps, initial }: Exploration): Trace => ({ steps, ...(initial.size > 0 ? { initial } : {}) })

const statsOf = ({ states, transitions, provisos, reexpansions, restarts, bytesPerState }: Exploration): Stats => ({
  nodes: states,
  edges: transitions,
  actions_explored: transitions,
  provisos,
  reexpansions,
  restarts,
  bytes_per_state: Math.round(bytesPerState),
})

/** Undefined behaviour that happened, and stopped its thread. */
const assumptionsOf = ({ undefinedEdges }: Pick<Exploration, 'undefinedEdges'>): readonly Assumption[] => {
  const [first] = undefinedEdges
  if (!first) return []
  const { file, line } = first.position
  // Without a reason it is an access that the state has no place for.
  const { text, isAccess } = first.target.reason ?? { text: 'invalid access', isAccess: true }
  const met = { text, file, line, ...(isAccess && { isAccess }) }
  return [{ kind: 'defined-behaviour', met, status: 'open' }]
}

export const explicitEngine: Engine = engineOf(explicitSpec, verify)
