// A run of the page: the engines of `auto`, two workers at a time, until one of them decides. A worker cannot be paused,
// so an engine that does not finish in its share of the time makes way for the next.
import { attemptOf, type Outcome, type Progress, type Request } from '../../src/run/call/request.js'
import { decides, type Stage, stagesFor } from '../../src/run/stages.js'
import { type Reason, TIMEOUT } from '../../src/verdict/reason.js'
import type { Attempt, Report } from '../../src/verdict/report.js'
import type { Facts } from '../../src/xcfa/passes/index.js'
import type { FromWorker, Start } from './protocol.js'

export type Answer =
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'input-error'; readonly diagnostics: readonly string[] }

export interface Run {
  readonly answer: Promise<Answer>
  cancel(): void
  running(): readonly { readonly engine: string; readonly progress: Progress | undefined }[]
}

const MAX_PARALLEL_ENGINES = 2

/** One worker more than is needed now, which has its code and the parser already: the next run begins at once. */
export class Workers {
  private spare: Worker | undefined

  constructor(private readonly base: string) {}

  prepare(): void {
    this.spare ??= this.create()
  }

  take(): Worker {
    const worker = this.spare ?? this.create()
    this.spare = undefined
    return worker
  }

  private create(): Worker {
    return new Worker(`${this.base}worker.js`)
  }
}

interface Contender {
  readonly stage: Stage
  readonly worker: Worker
  readonly timer: number
  progress?: Progress
}

const planOf = (request: Request, facts: Facts | undefined): readonly Stage[] =>
  request.engine === 'auto'
    ? stagesFor(request.property, facts).filter(({ engine }) => decides(engine, request.property))
    : [{ engine: request.engine, options: {}, weight: 1 }]

export const start = (request: Request, workers: Workers): Run => {
  const began = Date.now()
  const limit = request.deadline - began
  const active = new Set<Contender>()
  const attempts: Attempt[] = []
  let waiting = planOf(request, undefined)
  let facts: Facts | undefined
  let settle = (_: Answer): void => {}
  let isOver = false
  const answer = new Promise<Answer>((resolve) => {
    settle = resolve
  })

  const finish = (result: Answer): void => {
    if (isOver) return
    isOver = true
    for (const contender of active) stop(contender)
    settle(result)
  }
  const stop = (contender: Contender): void => {
    clearTimeout(contender.timer)
    contender.worker.terminate()
    active.delete(contender)
  }
  const unknown = (reason: Reason): Answer => ({
    kind: 'report',
    report: {
      ...{ verdict: 'unknown', reason, property: request.property, file: request.files[0]!, engine: request.engine },
      ...{ options: {}, time_ms: Date.now() - began, memory_mb: 0, stats: {}, assumptions: [], attempts },
    },
  })

  const fill = (): void => {
    while (!isOver && active.size < (facts ? MAX_PARALLEL_ENGINES : 1)) {
      const [next, ...others] = waiting
      if (!next || Date.now() >= request.deadline) break
      waiting = others
      launch(next)
    }
    if (!isOver && active.size === 0) finish(unknown(Date.now() >= request.deadline ? TIMEOUT : lastReason()))
  }
  const lastReason = (): Reason => {
    const last = attempts.at(-1)?.outcome
    return typeof last === 'object' ? last : { kind: 'no-engine' }
  }

  const launch = (stage: Stage): void => {
    const worker = workers.take()
    const share = request.engine === 'auto' ? limit / 3 : limit
    const timer = setTimeout(() => ended(contender, { kind: 'ended', reason: TIMEOUT }), share) as unknown as number
    const contender: Contender = { stage, worker, timer }
    active.add(contender)
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      switch (data.type) {
        case 'facts':
          learn(data.facts)
          break
        case 'progress':
          contender.progress = data.progress
          break
        case 'outcome':
          ended(contender, data.outcome)
      }
    }
    worker.onerror = (event) =>
      ended(contender, { kind: 'ended', reason: { kind: 'failure', what: 'engine failed', text: event.message } })
    const message: Start = { request: { ...request, engine: stage.engine, engineOptions: stage.options } }
    worker.postMessage(message)
  }

  const learn = (found: Facts): void => {
    if (facts) return
    facts = found
    const begun = new Set([...active].map(({ stage }) => stage.engine))
    if (request.engine === 'auto') waiting = planOf(request, facts).filter(({ engine }) => !begun.has(engine))
    fill()
  }

  const ended = (contender: Contender, outcome: Outcome): void => {
    if (isOver || !active.has(contender)) return
    stop(contender)
    facts ??= { loops: true, startsInLoop: false } as Facts
    switch (outcome.kind) {
      case 'input-error':
        finish({ kind: 'input-error', diagnostics: outcome.diagnostics })
        return
      case 'report':
        attempts.push(attemptOf(contender.stage.engine, outcome))
        if (outcome.report.verdict !== 'unknown' || outcome.forAll || request.engine !== 'auto') {
          const time_ms = Date.now() - began
          finish({ kind: 'report', report: { ...outcome.report, time_ms, ...(attempts.length > 1 && { attempts }) } })
          return
        }
        break
      case 'ended':
        attempts.push({ ...attemptOf(contender.stage.engine, outcome), stats: {} })
    }
    fill()
  }

  fill()
  return {
    answer,
    cancel: () => finish(unknown({ kind: 'cancelled', by: 'cancelled' })),
    running: () => [...active].map(({ stage, progress }) => ({ engine: stage.engine, progress })),
  }
}
