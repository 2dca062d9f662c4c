// Counting instances: programs that start many threads of few kinds (docs/any-number.md). Three searches, each for what it
// is good at: with any number of instances, which proves what holds for all numbers; with a few that move, which finds what
// two or three of ten thousand do wrong; and with exact counts, depth first, for what depends on how many there are.
//   What it allows beyond the program (joins, counts that are any number) makes it no worse a proof; a violation counts
// only after it was executed on the program as it was lowered.
import type { Property } from '../../../property/index.js'
import { BeyondBounds, interpreterOf, replay, type Trace } from '../../../semantics/index.js'
import { type Edge, type Program, Unsupported } from '../../../xcfa/index.js'
import type { Env } from '../../engine.js'
import { NotCountable } from './cells.js'
import { concretise } from './concretise.js'
import { type Asymmetry, type Identities, symmetryOf } from './identities.js'
import { Machine } from './machine.js'
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
/** Transitions for each thread that was started, before exact counts are given up for the first time. */
const DIVE = 24
/** Where no more threads than this were started, exploring them one by one is no worse than a second round. */
const FEW_THREADS = 30

export const counted = (raw: Program, program: Program, property: Property, env: Env): Counted => {
  const symmetry = hasInstances(program) ? symmetryOf(program) : undefined
  if (!symmetry) return { kind: 'open', reason: 'no template has several instances', stats: NOTHING }
  if ('asymmetry' in symmetry) return { kind: 'open', reason: textOf(symmetry.asymmetry), stats: NOTHING }
  try {
    return new Counting(raw, program, property, symmetry.identities, env).decide()
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
      template !== main || isOnCycle(template.edges, edge) || starts.some((other, j) => j > i && other.to === to),
  )
}

const isOnCycle = (edges: readonly Edge[], edge: Edge): boolean => {
  const reached = new Set([edge.target])
  for (const location of reached) for (const { source, target } of edges) if (source === location) reached.add(target)
  return reached.has(edge.source)
}

/** One kind of search. */
interface Way {
  readonly options: Omit<SearchOptions, 'stopped' | 'maxTransitions'>
  /** Of the transitions of a round. */
  readonly share: number
}

const anyNumber: Way = {
  options: { anyNumber: true, maxCounted: MAX_COUNTED, depthFirst: false, maxMovers: Number.POSITIVE_INFINITY },
  share: 1,
}
const few = (maxMovers: number): Way => ({
  options: { anyNumber: false, maxCounted: Number.POSITIVE_INFINITY, depthFirst: false, maxMovers },
  share: 0.5,
})
const exact: Way = {
  options: {
    ...{ anyNumber: false, maxCounted: Number.POSITIVE_INFINITY },
    ...{ depthFirst: true, maxMovers: Number.POSITIVE_INFINITY },
  },
  share: 4,
}

class Counting {
  private readonly machine: Machine
  private nodes = 0
  private edges = 0
  private threads = 0

  constructor(
    private readonly raw: Program,
    private readonly program: Program,
    private readonly property: Property,
    identities: Identities,
    private readonly env: Env,
  ) {
    this.machine = new Machine(program, interpreterOf(program).layout, identities)
  }

  decide(): Counted {
    const starts = this.starts()
    let ways = [anyNumber, few(1), few(2), few(3), exact]
    // One way to the end has steps of each thread, and what was missed is near its end.
    const dive = DIVE * Math.max(...starts.map(({ state }) => numberStarted(state.started)))
    let reason = ''
    for (const transitions of ROUNDS) {
      const left: Way[] = []
      for (const way of ways) {
        const found = this.search(way, Math.max(transitions * way.share, way === exact ? dive : 0), starts)
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

  /** Where main is no longer alone: many searches begin there, and to start ten thousand threads takes time. */
  private starts(): readonly Start[] {
    const search = this.searchFor(exact, 0)
    return interpreterOf(this.program)
      .initial()
      .map(({ globals }) => search.prefix({ state: this.machine.initial(globals), path: [] }))
  }

  private searchFor({ options }: Way, maxTransitions: number): Search {
    return new Search(this.program, this.machine, {
      ...options,
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
        return Number.isFinite(way.options.maxMovers)
          ? { ...this.open('with few instances'), isOver: true }
          : { kind: 'true', undefinedEdges: [...this.machine.undefinedEdges], stats: this.stats }
      case 'violation': {
        const trace = starts.length === 1 ? this.traceOf(outcome.path, way) : undefined
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
    if (!isDelayed && !options.anyNumber) return { steps }
    return replay(this.raw, { steps }, this.property, { keepsSteps: false }).reached ? { steps } : undefined
  }
}
