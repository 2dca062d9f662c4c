// A campaign: several processes run the program under schedules of three kinds, in turn, until something is found, the
// budget is used up, or the systematic search has seen every execution.
//
// - random: at each shared access the turn goes on with a probability that differs from run to run;
// - PCT (Burckhardt and others, ASPLOS 2010): random priorities, which change at d - 1 random steps; a bug of depth d in a
//   program of n threads and k steps is found by one run with a probability of at least 1/(n k^(d-1));
// - systematic (explore.ts): every order of dependent steps, those with few preemptions first.
import {
  CHECKS,
  MAX_THREADS,
  type Outcome,
  type Policy,
  type RunAnswer,
  type Runner,
  type RunRequest,
} from './events.js'
import { type Beginning, Exploration } from './explore.js'

export const FINDINGS = ['assert', 'crash', 'no-deadlock', 'no-data-race', 'leak', 'step-limit'] as const
/** What can be found, worst first. */
export type Finding = (typeof FINDINGS)[number]
export type Strategy = 'auto' | 'random' | 'pct' | 'systematic'

export interface CampaignOptions {
  readonly findings: ReadonlySet<Finding>
  readonly strategy: Strategy
  readonly seed: bigint
  readonly maxRuns: number
  readonly maxSteps: number
  readonly runMs: number
  readonly depth: number
  readonly spurious: number
  readonly mallocMayFail: boolean
  /** Inputs that the systematic search tries. */
  readonly openValues: readonly bigint[]
  readonly isOver: () => boolean
  /** Until it is over: no run may take longer. */
  readonly remainingMs: () => number
  /** A race is kept back until then, in case it has a consequence to show. */
  readonly patience: () => boolean
  /** abort() here is an assumption that does not hold. */
  readonly isAssumption: (pc: number) => boolean
}

export interface Found {
  readonly finding: Finding
  readonly request: RunRequest
  readonly answer: RunAnswer
}

/** Counts so far, for a progress line and for the report. */
export interface Counts {
  schedules: number
  steps: number
  threads: number
  /** Most shared steps in one run. */
  length: number
  cut: number
  stopped: number
  hung: number
  aborted: number
  unjoined: number
  byStrategy: Record<'random' | 'pct' | 'systematic', number>
  trouble: string | undefined
  /** How often each execution was seen. */
  executions: Map<string, number>
}

const freshCounts = (): Counts => ({
  ...{ schedules: 0, steps: 0, threads: 0, length: 0, cut: 0, stopped: 0, hung: 0, aborted: 0, unjoined: 0 },
  byStrategy: { random: 0, pct: 0, systematic: 0 },
  trouble: undefined,
  executions: new Map(),
})

/** Good and Turing: how likely the next schedule is to show an execution that was not seen before. */
export const chanceOfNew = ({ executions, schedules }: Counts): number => {
  let single = 0
  for (const count of executions.values()) if (count === 1) single++
  return schedules === 0 ? 1 : single / schedules
}

const BATCH = 40
/** Runs with thousands of threads take long. */
const FEW_RUNS = 4
/** What a run may take at the end of the search. */
const MIN_RUN_MS = 200

/** Steps and threads of a run, in turn. */
const FEW_THREADS = 16
/** How many of many threads begin, in turn. */
const FEWER: readonly number[] = [FEW_THREADS, 4, 3, 8]
const BOUNDS: readonly (readonly [number, number])[] = [
  [20_000, FEW_THREADS],
  [20_000, FEW_THREADS],
  [100_000, 64],
  [20_000, FEW_THREADS],
  [Number.POSITIVE_INFINITY, MAX_THREADS],
]

export const findingOf = (
  answer: Pick<RunAnswer, 'outcome' | 'pc' | 'signal'>,
  options: Pick<CampaignOptions, 'isAssumption'>,
): Finding | undefined => {
  switch (answer.outcome) {
    case 'assert':
      return 'assert'
    case 'race':
      return 'no-data-race'
    case 'deadlock':
      return 'no-deadlock'
    case 'crash':
    case 'invalid-access':
      return 'crash'
    case 'aborted':
      return options.isAssumption(answer.pc) ? undefined : 'crash'
    case 'killed':
      return answer.signal > 0 ? 'crash' : undefined
    case 'leak':
      return 'leak'
    case 'step-limit':
      return 'step-limit'
    case 'running':
    case 'finished':
    case 'stopped':
    case 'unsupported':
    case 'hung':
      return undefined
  }
}

export const checksFor = (findings: ReadonlySet<Finding>): number =>
  (findings.has('no-data-race') ? CHECKS.races : 0) |
  (findings.has('crash') ? CHECKS.accesses | CHECKS.abort : 0) |
  (findings.has('leak') ? CHECKS.leaks : 0)

export class Campaign {
  readonly counts = freshCounts()
  readonly exploration: Exploration
  private found: Found | undefined
  private round = 0
  /** Some run came to its limit of threads. */
  private hasManyThreads = false
  private seed: bigint

  constructor(
    private readonly runners: readonly Runner[],
    private readonly options: CampaignOptions,
  ) {
    this.exploration = new Exploration(options.openValues)
    this.seed = options.seed * 1_000_003n
  }

  /** The worst that was found, or nothing. */
  async run(): Promise<Found | undefined> {
    await Promise.all(this.runners.map((runner) => this.work(runner)))
    return this.found
  }

  get isOver(): boolean {
    const { isOver, maxRuns, patience } = this.options
    if (isOver() || this.counts.schedules >= maxRuns || this.counts.trouble !== undefined) return true
    return this.found !== undefined && (this.found.finding !== 'no-data-race' || !patience())
  }

  private async work(runner: Runner): Promise<void> {
    while (!this.isOver) {
      const kind = this.nextKind()
      if (kind === 'systematic') await this.systematic(runner)
      else await this.batch(runner, kind)
      if (this.isExhausted) return
    }
  }

  /** Every order has been tried, and a few runs with other contents of fresh memory. */
  private get isExhausted(): boolean {
    const { exploration, counts, options } = this
    if (!exploration.isComplete || exploration.hasOpenInputs) return false
    switch (options.strategy) {
      case 'systematic':
        return true
      case 'auto':
        return counts.byStrategy.random + counts.byStrategy.pct >= 4 * BATCH
      default:
        return false
    }
  }

  private nextKind(): 'random' | 'pct' | 'systematic' {
    const { strategy } = this.options
    const round = this.round++
    return strategy === 'auto' ? (['systematic', 'random', 'pct'] as const)[round % 3]! : strategy
  }

  /** What is checked: after a race was found, what comes of races. */
  private get checks(): number {
    const all = checksFor(this.options.findings)
    return this.found ? all & ~CHECKS.races : all
  }

  private request(policy: Policy, record: 0 | 1): RunRequest {
    const { depth, spurious, mallocMayFail } = this.options
    const bounds = this.bounds()
    // Of many threads most runs have a few; with the middle bound, and with every second large one, all of them may begin.
    const isLarge = bounds.maxThreads === MAX_THREADS
    const isLate = isLarge ? !this.takesAllThreads : this.hasManyThreads && bounds.maxThreads <= FEW_THREADS
    const checks = this.checks | (isLate && !bounds.stopAtLimit ? CHECKS.lateThreads : 0)
    return {
      ...{ policy, record, checks, runMs: this.runMs, spurious, mallocMayFail, ...bounds },
      seed: 0n,
      segments: [],
      values: [],
      // Each depth in turn; without a change of priorities only the order of threads differs.
      depth: 1 + (this.turn % depth),
      length: Math.max(8, this.counts.length),
      fill: 0,
      reuse: false,
    }
  }

  /** Each strategy has had so many turns. */
  private get turn(): number {
    return Math.floor(this.round / 3)
  }

  /** Whether it is the turn of runs in which all threads begin, however many there are. */
  private get takesAllThreads(): boolean {
    return this.turn % (2 * BOUNDS.length) === 2 * BOUNDS.length - 1
  }

  private get runMs(): number {
    return Math.min(this.options.runMs, Math.max(MIN_RUN_MS, this.options.remainingMs()))
  }

  /** Most runs are cut early: of a program that goes on for ever, or creates threads for ever, many short ones show more. */
  private bounds(): Pick<RunRequest, 'maxSteps' | 'maxThreads' | 'stopAtLimit'> {
    const { maxSteps, findings } = this.options
    if (findings.has('step-limit')) return { maxSteps, maxThreads: MAX_THREADS, stopAtLimit: true }
    const { turn } = this
    const [steps, maxThreads] = BOUNDS[turn % BOUNDS.length]!
    const few = this.hasManyThreads && maxThreads === FEW_THREADS ? FEWER[turn % FEWER.length]! : maxThreads
    return { maxSteps: Math.min(maxSteps, steps), maxThreads: few }
  }

  private async batch(runner: Runner, kind: 'random' | 'pct'): Promise<void> {
    const batch = this.hasManyThreads && this.takesAllThreads ? FEW_RUNS : BATCH
    const count = Math.min(batch, this.options.maxRuns - this.counts.schedules)
    const seed = this.seed
    this.seed += BigInt(BATCH)
    const variety = Number(seed / BigInt(BATCH)) % 4
    const request = { ...this.request(kind, 0), seed, reuse: variety === 1, fill: variety === 2 ? 0xa5 : 0 }
    // A batch that took long comes back early: the rest of it follows, so that a seed always means the same schedules.
    for (let done = 0, before = -1; done > before && done < count && !this.isOver; ) {
      before = done
      const answer = await runner.batch({ ...request, seed: seed + BigInt(done) }, count - done, (summary) => {
        done++
        this.count(kind, summary)
      })
      if (answer) return this.judge(request, answer)
    }
  }

  private async systematic(runner: Runner): Promise<void> {
    for (let i = 0; i < BATCH && !this.isOver; i++) {
      const beginning = this.exploration.take()
      if (!beginning) {
        if (this.exploration.isComplete || this.options.strategy === 'auto') return
        await new Promise((resolve) => setTimeout(resolve, 1))
        continue
      }
      await this.tryBeginning(runner, beginning)
    }
  }

  private async tryBeginning(runner: Runner, beginning: Beginning): Promise<void> {
    const { segments, values } = beginning
    const request = { ...this.request('stay', 1), segments, values }
    const answer = await runner.run(request, this.exploration.knows)
    this.count('systematic', answer)
    this.exploration.learn(beginning, answer)
    this.judge(request, answer)
  }

  private count(
    kind: keyof Counts['byStrategy'],
    run: { outcome: Outcome; hash: string; steps: number; sharedSteps: number; threads: number },
  ): void {
    const { counts } = this
    counts.schedules++
    counts.byStrategy[kind]++
    counts.steps += run.steps
    counts.threads = Math.max(counts.threads, run.threads)
    counts.length = Math.max(counts.length, run.sharedSteps)
    counts.executions.set(run.hash, (counts.executions.get(run.hash) ?? 0) + 1)
    if (run.outcome === 'step-limit') counts.cut++
    if (run.outcome === 'step-limit' && run.threads >= FEW_THREADS) this.hasManyThreads = true
    if (run.outcome === 'stopped') counts.stopped++
    if (run.outcome === 'hung') counts.hung++
  }

  private judge(request: RunRequest, answer: RunAnswer): void {
    const { counts, options } = this
    counts.unjoined = Math.max(counts.unjoined, answer.outcome === 'finished' ? answer.unjoined : 0)
    // A run that was cut because the search is over says nothing: it was given less time than a run may take.
    const isCutByTime = answer.steps === 0 && (answer.outcome === 'step-limit' || answer.outcome === 'hung')
    if (isCutByTime && request.runMs < options.runMs) return
    const finding = findingOf(answer, options)
    if (answer.outcome === 'aborted' && !finding) counts.stopped++
    if (answer.outcome === 'unsupported' || (answer.outcome === 'killed' && !finding)) counts.trouble = answer.text
    if (answer.outcome === 'hung' && counts.hung > 3 && counts.hung === counts.schedules) counts.trouble = answer.text
    if (!finding || !options.findings.has(finding)) return
    if (this.found && FINDINGS.indexOf(finding) >= FINDINGS.indexOf(this.found.finding)) return
    this.found = { finding, request: { ...request, seed: 0n }, answer }
  }
}
