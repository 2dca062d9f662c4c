// Counting instances: programs that start many threads of few kinds (docs/any-number.md). Three searches, each for what it
// is good at: with any number of instances, which proves what holds for all numbers; with a few that move, which finds what
// two or three of ten thousand do wrong; and with exact counts, depth first, for what depends on how many there are.
//   What it allows beyond the program (joins, counts that are any number) makes it no worse a proof; a violation counts
// only after it was executed on the program as it was lowered.
import type { Property } from '../../../property/index.js'
import { BeyondBounds, interpreterOf, replay, type Trace } from '../../../semantics/index.js'
import { type Edge, type Program, Unsupported } from '../../../xcfa/index.js'
import { isOnCycle, outgoing } from '../../../xcfa/passes/index.js'
import type { Env } from '../../engine.js'
import { NotCountable } from './cells.js'
import { concretise } from './concretise.js'
import { Facts } from './facts.js'
import { type Asymmetry, type Identities, symmetryOf } from './identities.js'
import { Machine } from './machine.js'
import { type RaceCheck, racesAmong } from './races.js'
import { type Outcome, Search, type SearchOptions, type Start } from './search.js'
import { numberStarted } from './state.js'

export type Counted =
  | { readonly kind: 'true'; readonly undefinedEdges: readonly Edge[]; readonly stats: CountedStats }
  | { readonly kind: 'false'; readonly trace: Trace; readonly stats: CountedStats }
  /** Why counting does not help, or did not end. */
  | { readonly kind: 'open'; readonly reason: string; readonly stats: CountedStats }

interface CountedStats {
  readonly nodes: number
  readonly edges: number
  readonly threads: number
}

/** Instances that are counted one by one before they are any number. */
const MAX_COUNTED = 2
/** Transitions of a search in the first round, in the second, ... */
const ROUNDS = [4_000, 32_000, 256_000]
const SHORT = [1_000]
const PROOF = [32_000]
/** Transitions of exact counts once a few instances are known to do nothing wrong, and for each thread that was started. */
const MIN_DIVE = 16_000
const DIVE = 24
/** Where no more threads than this were started, exploring them one by one is no worse than a second round. */
const FEW_THREADS = 30

/** `short`: one short round only, where another search may be quicker. `proof`: of a program whose violations mean nothing. */
export type Effort = 'short' | 'long' | 'proof'

export const counted = (
  raw: Program,
  program: Program,
  property: Property,
  env: Env,
  effort: Effort = 'long',
): Counted => {
  const symmetry = hasInstances(program) ? symmetryOf(program) : undefined
  if (!symmetry) return { kind: 'open', reason: 'no template has several instances', stats: NOTHING }
  if ('asymmetry' in symmetry) return { kind: 'open', reason: textOf(symmetry.asymmetry), stats: NOTHING }
  try {
    return new Counting(raw, program, property, symmetry.identities, env).decide(effort)
  } catch (error) {
    if (error instanceof NotCountable || error instanceof BeyondBounds || error instanceof Unsupported)
      return { kind: 'open', reason: error.message, stats: NOTHING }
    throw error
  }
}

const NOTHING: CountedStats = { nodes: 0, edges: 0, threads: 0 }

const textOf = ({ reason, position: { file, line } }: Asymmetry): string => `${reason} at ${file}:${line}`

/** Whether some template may be started more than once. */
const hasInstances = ({ templates, main }: Program): boolean => {
  const starts = [...templates.values()].flatMap((template) =>
    template.edges.flatMap((edge) =>
      edge.labels.flatMap((l) => (l.kind === 'start' ? [{ template, edge, to: l.procedure }] : [])),
    ),
  )
  if (starts.some(({ to }) => to === main.name)) return false
  return starts.some(
    ({ template, edge, to }, i) =>
      template !== main ||
      isOnCycle(edge, outgoing(template.edges)) ||
      starts.some((other, j) => j > i && other.to === to),
  )
}

/** One kind of search. */
interface Way {
  readonly options: Omit<SearchOptions, 'stopped' | 'maxTransitions'>
  /** Of the transitions of a round. */
  readonly share: number
}

const anyNumber: Way = {
  options: { anyNumber: true, maxCounted: MAX_COUNTED, order: 'breadth', maxMovers: Number.POSITIVE_INFINITY },
  share: 1,
}
const few = (maxMovers: number): Way => ({
  options: { anyNumber: false, maxCounted: Number.POSITIVE_INFINITY, order: 'switches', maxMovers },
  share: 1,
})
const exact: Way = {
  options: {
    ...{ anyNumber: false, maxCounted: Number.POSITIVE_INFINITY },
    ...{ order: 'depth', maxMovers: Number.POSITIVE_INFINITY },
  },
  share: 1,
}

const three = few(3)
const isFew = ({ options }: Way): boolean => Number.isFinite(options.maxMovers)

class Counting {
  private readonly machine: Machine
  private readonly facts: Facts
  private readonly isRace: RaceCheck | undefined
  private nodes = 0
  private edges = 0
  private threads = 0
  /** Whether all executions begin with the same values. */
  private startsAlike = false

  constructor(
    private readonly raw: Program,
    private readonly program: Program,
    private readonly property: Property,
    identities: Identities,
    private readonly env: Env,
  ) {
    this.machine = new Machine(program, interpreterOf(program).layout, identities)
    this.facts = new Facts(program, this.machine)
    this.isRace = property === 'no-data-race' ? racesAmong(program, this.machine) : undefined
  }

  decide(effort: Effort): Counted {
    const { fromMain, starts } = this.starts()
    const rounds = effort === 'short' ? SHORT : effort === 'proof' ? PROOF : ROUNDS
    let ways = effort === 'proof' ? [anyNumber] : [few(1), anyNumber, few(2), three, exact]
    const mostStarted = Math.max(...starts.map(({ state }) => numberStarted(state.started)))
    let reason = ''
    for (const transitions of rounds) {
      const left: Way[] = []
      for (const way of ways) {
        // What two do is looked at first, if there is so much of it.
        if (way === three && left.some(isFew)) {
          left.push(way)
          continue
        }
        // Where few do nothing wrong, all of them may: one way to the end has steps of each thread.
        const dives = way === exact && rounds !== SHORT && !left.some(isFew)
        const least = dives ? Math.max(MIN_DIVE, DIVE * mostStarted) : 0
        const found = this.search(way, Math.max(transitions * way.share, least), isFew(way) ? fromMain : starts)
        if (found.kind !== 'open') return found
        reason = found.reason
        if (!found.isOver) left.push(way)
        if (this.env.stopped()) return this.open(reason)
      }
      if (this.threads <= FEW_THREADS) return this.open('few threads')
      ways = left
    }
    return this.open(reason)
  }

  /**
   * Where main is no longer alone: many searches begin there, and to start ten thousand threads takes time. Instances that
   * move alone do so before the searches with all of them begin; searches with few movers begin before that.
   */
  private starts(): Readonly<Record<'fromMain' | 'starts', readonly Start[]>> {
    const search = this.searchFor(exact, 0)
    const initial = interpreterOf(this.program).initial()
    this.startsAlike = initial.length === 1
    const fromMain = initial.flatMap(({ globals }) =>
      search.prefixes({ state: this.machine.initial(globals), path: [] }, 'main'),
    )
    return { fromMain, starts: fromMain.flatMap((start) => search.prefixes(start, 'anybody')) }
  }

  private searchFor({ options }: Way, maxTransitions: number): Search {
    return new Search(this.facts, this.machine, {
      ...options,
      ...(this.isRace && { isRace: this.isRace }),
      maxTransitions,
      stopped: () => this.env.stopped()?.kind,
    })
  }

  private get stats(): CountedStats {
    return { nodes: this.nodes, edges: this.edges, threads: this.threads }
  }

  private open(reason: string): Extract<Counted, { kind: 'open' }> {
    return { kind: 'open', reason, stats: this.stats }
  }

  /** `isOver`: more time does not help. */
  private search(way: Way, transitions: number, starts: readonly Start[]): Counted & { readonly isOver?: boolean } {
    const search = this.searchFor(way, transitions)
    const outcome = search.run(starts)
    this.nodes += search.nodes.length
    this.edges += search.transitions
    this.threads = Math.max(this.threads, search.mostStarted)
    this.env.progress('counting', { states: this.nodes, transitions: this.edges })
    switch (outcome.kind) {
      case 'stopped':
        return this.open(outcome.reason)
      case 'complete':
        return isFew(way)
          ? { ...this.open('with few instances'), isOver: true }
          : { kind: 'true', undefinedEdges: [...this.machine.undefinedEdges], stats: this.stats }
      case 'violation': {
        const trace = this.startsAlike ? this.traceOf(outcome.path, way) : undefined
        if (!trace) return { ...this.open('an execution of counted instances that is none'), isOver: true }
        return { kind: 'false', trace, stats: this.stats }
      }
    }
  }

  /** Exact counts of which nobody was late are an execution; of all others it is not known before they are executed. */
  private traceOf(path: Extract<Outcome, { kind: 'violation' }>['path'], { options }: Way): Trace | undefined {
    const found = concretise(path)
    if (!found) return undefined
    const { steps, isDelayed } = found
    if (!isDelayed && !options.anyNumber && !this.isRace) return { steps }
    return replay(this.raw, { steps }, this.property, { keepsSteps: false }).reached ? { steps } : undefined
  }
}
