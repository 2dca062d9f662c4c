// One task to one report: engines take turns, two at a time, until one of them decides. A turn is short at first, and twice
// as long the next time: what one engine does at once need not wait for another that does not come to an end.
import type { Attempt, Reason, Report } from '../verdict/index.js'
import { mergeFacts, type PartialFact } from '../verdict/partial.js'
import { TIMEOUT } from '../verdict/reason.js'
import type { Facts } from '../xcfa/passes/index.js'
import { attemptOf, type Outcome, type Progress, type Request } from './call/request.js'
import { planFor, type Stage } from './plan.js'
import { Guard, type Running, start } from './supervise.js'

type Decision =
  | { readonly kind: 'report'; readonly report: Report; readonly cpuMs: number }
  | { readonly kind: 'input-error'; readonly diagnostics: readonly string[] }

export interface Decide {
  readonly decision: Promise<Decision>
  /** Ends every process now, with this reason. */
  end(reason: Reason): void
  /** What runs now, for a progress line. */
  running(): readonly { readonly engine: string; readonly progress: Progress | undefined }[]
}

/** `warn` is told, once the program is read, what a user should know before the verdict. */
export const decide = (request: Request, warn: (lines: readonly string[]) => void = () => {}): Decide => {
  const began = Date.now()
  const turns = new Turns(request, warn)
  return {
    // Nothing runs before the caller has what it needs to end it: a signal may come at once.
    decision: Promise.resolve()
      .then(() => turns.outcome())
      .then((outcome) => decisionOf(request, outcome, turns, Date.now() - began)),
    end: (reason) => turns.end(reason),
    running: () => turns.running(),
  }
}

const decisionOf = (request: Request, outcome: Outcome, turns: Turns, time_ms: number): Decision => {
  if (outcome.kind === 'input-error') return outcome
  const { attempts, cpuMs } = turns
  const several = attempts.length > 1 ? { attempts } : {}
  const measured = { time_ms, memory_mb: Math.round(turns.peakMb) }
  const partial = turns.facts.length > 0 ? { partial: turns.facts } : {}
  if (outcome.kind === 'report') {
    const known = outcome.report.verdict === 'unknown' ? partial : {}
    return { kind: 'report', cpuMs, report: { ...outcome.report, ...measured, ...several, ...known } }
  }
  const report: Report = {
    verdict: 'unknown',
    reason: outcome.reason,
    property: request.property,
    file: request.files[0] ?? '',
    engine: request.engine,
    options: request.engineOptions,
    ...measured,
    ...partial,
    attempts,
    assumptions: [],
    stats: { ...(outcome.progress?.counts ?? {}) },
  }
  return { kind: 'report', cpuMs, report }
}

/** How many engines run at a time. */
const MAX_PARALLEL_ENGINES = 2
/** The first turn of an engine of weight 1, in processor time; it ends after three times as long in any case. */
const TURN_MS = 500
const TURN_POLL_MS = 100
/** A first turn is at least so many times as long as it took to read the program. */
const READING_SHARE = 2

/**
 * Exploring states proves most programs of the kind that people write, and loses most by waiting. It keeps its place
 * until it has had this share of the time limit as processor time, and longer while fewer and fewer states are open; the
 * others share the second one.
 */
const HEAD_START = 0.4

/** Whether an engine goes on when its turn is over. `open`: states not yet expanded, now and a turn before. */
export const keepsPlace = (
  engine: string,
  share: number,
  open: { readonly now: number | undefined; readonly before: number | undefined },
): boolean => {
  if (engine !== 'explicit') return false
  if (share < HEAD_START) return true
  return open.now !== undefined && open.before !== undefined && open.now < open.before
}

interface Contender {
  readonly stage: Stage
  /** States that were open when its last turn ended. */
  open?: number | undefined
  process?: Running
  timer?: NodeJS.Timeout
  /** Turns that it had. */
  turns: number
}

class Turns {
  private readonly began = Date.now()
  readonly attempts: Attempt[] = []
  peakMb = 0
  cpuMs = 0
  /** What all engines together are certain of, whether or not one of them decides. */
  facts: readonly PartialFact[] = []
  /** Those that run, and those that wait, in order: paused, or not begun. */
  private readonly active = new Set<Contender>()
  private waiting: readonly Contender[]
  private readonly undecided: Outcome[] = []
  private readonly guard = new Guard()
  private final: Outcome | undefined
  private ended: Reason | undefined
  /** The first turn of an engine of weight 1. */
  private turnMs = TURN_MS
  /** The program is read once before a second engine starts: what is wrong with it, every engine would tell. */
  private isRead = false
  /** Exploring states can find a violation then, and prove nothing. */
  private usesWeakOrders = false
  private over = (_: Outcome): void => {}

  constructor(
    private readonly request: Request,
    private readonly warn: (lines: readonly string[]) => void,
  ) {
    this.waiting = planFor(request).map((stage) => ({ stage, turns: 0 }))
  }

  outcome(): Promise<Outcome> {
    return new Promise((resolve) => {
      this.over = resolve
      this.fill()
    })
  }

  /** Ends every process; none is begun after it. */
  end(reason: Reason): void {
    this.ended ??= reason
    for (const { process } of [...this.active, ...this.waiting]) process?.end(this.ended)
  }

  running(): ReturnType<Decide['running']> {
    return [...this.active].map(({ stage, process }) => ({ engine: stage.engine, progress: process?.progress() }))
  }

  /** Gives free places to those who wait. */
  private fill(): void {
    if (this.ended !== undefined || Date.now() >= this.request.deadline)
      this.waiting = this.waiting.filter(({ process }) => process)
    while (this.active.size < (this.isRead ? MAX_PARALLEL_ENGINES : 1)) {
      const [next, ...others] = this.waiting
      if (!next) break
      this.waiting = others
      this.run(next)
    }
    if (this.active.size > 0) return
    this.guard.dismiss()
    this.over(this.final ?? mostTelling(this.undecided) ?? { kind: 'ended', reason: this.whyNothing() })
  }

  private whyNothing(): Reason {
    if (this.ended !== undefined) return this.ended
    return Date.now() >= this.request.deadline ? TIMEOUT : { kind: 'no-engine' }
  }

  private run(contender: Contender): void {
    const { stage, process } = contender
    this.active.add(contender)
    if (process) process.resume()
    else {
      const { engine, options } = stage
      const crossCheck = this.request.engine === 'auto'
      const request: Request = { ...this.request, engine, engineOptions: options, crossCheck }
      const started = start(request, (facts, warnings) => this.learn(facts, warnings))
      contender.process = started
      // On a machine that is busy, exploring states would wait for engines that seldom decide what it does not.
      if (this.isRead && !this.usesWeakOrders) started.giveWay()
      void started.outcome.then((outcome) => this.done(contender, started, outcome))
    }
    this.time(contender)
  }

  private time(contender: Contender): void {
    const process = contender.process!
    const turn = this.turnMs * contender.stage.weight * 2 ** contender.turns
    const [began, used] = [Date.now(), process.cpuMs()]
    clearInterval(contender.timer)
    contender.timer = setInterval(() => {
      if (process.cpuMs() - used < turn && Date.now() - began < 3 * turn) return
      clearInterval(contender.timer)
      this.turnOver(contender)
    }, TURN_POLL_MS)
  }

  private keepsPlace(contender: Contender): boolean {
    const { began, request } = this
    // What looks at few switches first does not end where it is slow, and nothing is proved of weak orders this way.
    if (contender.stage.options['order'] === 'switches' || this.usesWeakOrders) return false
    const now = contender.process!.progress()?.counts['open']
    const share = contender.process!.cpuMs() / Math.max(1, request.deadline - began)
    const keeps = keepsPlace(contender.stage.engine, share, { now, before: contender.open })
    contender.open = now
    return keeps
  }

  private turnOver(contender: Contender): void {
    const process = contender.process!
    const paused = this.waiting.reduce((sum, other) => sum + (other.process?.memoryMb() ?? 0), process.memoryMb())
    // Don't pause an engine if that would push the paused ones over the memory limit.
    const isLarge = paused > this.request.memoryMb
    if (!this.isRead || this.waiting.length === 0 || isLarge || this.keepsPlace(contender)) this.time(contender)
    else {
      process.pause(this.guard)
      contender.turns++
      this.active.delete(contender)
      this.waiting = [...this.waiting, contender]
      this.fill()
    }
  }

  private learn(facts: Facts, warnings: readonly string[]): void {
    if (this.isRead) return
    this.isRead = true
    this.usesWeakOrders = facts.weakOrders === true
    this.warn(warnings)
    const [first] = this.active
    // Every engine reads the program again: where that takes long, turns must be longer, or they are spent on it.
    this.turnMs = Math.max(TURN_MS, READING_SHARE * (first?.process?.cpuMs() ?? 0))
    if (first) this.time(first)
    const stages = planFor(this.request, facts).filter((stage) => !first || !isSameStage(stage, first.stage))
    this.waiting = stages.map((stage) => ({ stage, turns: 0 }))
    this.fill()
  }

  private done(contender: Contender, process: Running, outcome: Outcome): void {
    clearInterval(contender.timer)
    this.active.delete(contender)
    this.waiting = this.waiting.filter((other) => other !== contender)
    this.isRead = true
    this.peakMb = Math.max(this.peakMb, process.peakMb())
    this.cpuMs += process.cpuMs()
    this.facts = mergeFacts([...this.facts, ...process.facts()])
    this.attempts.push(attemptOf(contender.stage.engine, outcome, contender.stage.options))
    if (!isFinal(outcome)) this.undecided.push(outcome)
    else if (!this.final) {
      this.final = outcome
      const isSettled = outcome.kind === 'report' && outcome.report.verdict !== 'unknown'
      this.end({ kind: 'superseded', isSettled })
    }
    this.fill()
  }
}

const isSameStage = (a: Stage, b: Stage): boolean =>
  a.engine === b.engine && JSON.stringify(a.options) === JSON.stringify(b.options)

/** Nothing that runs later can change this outcome. */
const isFinal = (outcome: Outcome): boolean =>
  outcome.kind === 'input-error' ||
  (outcome.kind === 'report' && (outcome.report.verdict !== 'unknown' || outcome.forAll === true))

/** Of those that decide nothing. */
const mostTelling = (outcomes: readonly Outcome[]): Outcome | undefined => {
  const rank = (o: Outcome): number => {
    if (o.kind === 'input-error') return 0
    const reason = o.kind === 'ended' ? o.reason : o.report.reason
    if (reason?.kind === 'timeout') return 1
    return o.kind === 'ended' ? 2 : 3
  }
  return [...outcomes].sort((a, b) => rank(a) - rank(b))[0]
}
