// One task to one report: runs the plan's lanes side by side, each lane one engine after the other, until a verdict.
import type { Attempt, Report } from '../verdict/index.js'
import type { Facts } from '../xcfa/passes/index.js'
import { planFor } from './plan.js'
import { attemptOf, type Outcome, type Progress, type Request } from './request.js'
import { type Running, start } from './supervise.js'

export type Decision =
  | { readonly kind: 'report'; readonly report: Report; readonly cpuMs: number }
  | { readonly kind: 'input-error'; readonly diagnostics: readonly string[] }

export interface Decide {
  readonly decision: Promise<Decision>
  /** Ends every process now, with this reason. */
  end(reason: string): void
  /** What runs now, for a progress line. */
  running(): readonly { readonly engine: string; readonly progress: Progress | undefined }[]
}

export const decide = (request: Request): Decide => {
  const began = Date.now()
  const running = new Map<string, Running>()
  const attempts: Attempt[] = []
  let peakMb = 0
  let cpuMs = 0
  let ended: string | undefined

  let plan = planFor(request)
  let known = false
  // The program is read once before a second engine starts: what is wrong with it, every engine would tell.
  let go = (): void => {}
  const isRead = new Promise<void>((resolve) => {
    go = resolve
  })
  const learn = (facts: Facts): void => {
    if (!known) plan = planFor(request, facts)
    known = true
    go()
  }

  const runLane = async (lane: number): Promise<Outcome> => {
    let last: Outcome = { kind: 'ended', reason: 'nothing to run' }
    // Nothing runs before the caller has what it needs to end it: a signal may come at once.
    await (lane === 0 ? undefined : isRead)
    for (let at = 0; at < plan[lane]!.length; at++) {
      if (ended) return { kind: 'ended', reason: ended }
      if (Date.now() >= request.deadline) return { kind: 'ended', reason: 'timeout' }
      const { engine, options } = plan[lane]![at]!
      const process = start({ ...request, engine, engineOptions: options }, learn)
      running.set(engine, process)
      // An engine with all of the time left ends by itself, with what it learnt.
      const share = (): number => {
        const { share: part } = plan[lane]![at]!
        return part < 1 ? part * (request.deadline - began) : Number.POSITIVE_INFINITY
      }
      last = await within(process, share)
      running.delete(engine)
      peakMb = Math.max(peakMb, process.peakMb())
      cpuMs += process.cpuMs()
      attempts.push(attemptOf(engine, last))
      if (isFinal(last)) {
        end('another engine settled it')
        return last
      }
      go()
    }
    return last
  }

  const end = (reason: string): void => {
    ended ??= reason
    for (const process of running.values()) process.end(reason)
    go()
  }

  const decision = (async (): Promise<Decision> => {
    const lanes = plan.map((_, lane) => runLane(lane).finally(go))
    const winner = await firstFinal(lanes)
    await Promise.allSettled(lanes)
    const time_ms = Date.now() - began
    if (winner.kind === 'input-error') return winner
    const several = attempts.length > 1 ? { attempts } : {}
    const measured = { time_ms, memory_mb: Math.round(peakMb) }
    if (winner.kind === 'report')
      return { kind: 'report', cpuMs, report: { ...winner.report, ...measured, ...several } }
    const report: Report = {
      verdict: 'unknown',
      reason: winner.reason,
      property: request.property,
      file: request.files[0] ?? '',
      engine: request.engine,
      options: request.engineOptions,
      ...measured,
      attempts,
      assumptions: [],
      stats: { ...(winner.progress?.counts ?? {}) },
    }
    return { kind: 'report', cpuMs, report }
  })()

  return {
    decision,
    end,
    running: () => [...running].map(([engine, process]) => ({ engine, progress: process.progress() })),
  }
}

const SHARE_POLL_MS = 100

/** The outcome of a process that is ended when its share of the time is over; the share may change meanwhile. */
const within = async (process: Running, share: () => number): Promise<Outcome> => {
  const began = Date.now()
  const timer = setInterval(() => {
    if (Date.now() - began > share()) process.end('its share of the time is over')
  }, SHARE_POLL_MS)
  const outcome = await process.outcome
  clearInterval(timer)
  return outcome
}

/** Nothing that runs later can change this outcome. */
const isFinal = (outcome: Outcome): boolean =>
  outcome.kind === 'input-error' ||
  (outcome.kind === 'report' && (outcome.report.verdict !== 'unknown' || outcome.forAll === true))

/** The first lane that decides; otherwise the most telling of the undecided ones. */
const firstFinal = (lanes: readonly Promise<Outcome>[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const undecided: Outcome[] = []
    if (lanes.length === 0) resolve({ kind: 'ended', reason: 'no engine decides this property' })
    for (const lane of lanes)
      void lane.then((outcome) => {
        if (isFinal(outcome)) resolve(outcome)
        else if (undecided.push(outcome) === lanes.length) resolve(mostTelling(undecided))
      })
  })

const mostTelling = (outcomes: readonly Outcome[]): Outcome => {
  const rank = (o: Outcome): number => {
    if (o.kind === 'input-error') return 0
    const reason = o.kind === 'ended' ? o.reason : (o.report.reason ?? '')
    if (reason === 'timeout') return 1
    return o.kind === 'ended' ? 2 : 3
  }
  return [...outcomes].sort((a, b) => rank(a) - rank(b))[0]!
}
