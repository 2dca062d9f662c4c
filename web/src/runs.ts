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

export const start = (request: Request, workers: Workers): Run => new EnginesOfPage(request, workers)

class EnginesOfPage implements Run {
  readonly answer: Promise<Answer>
  private readonly began = Date.now()
  private readonly active = new Set<Contender>()
  private readonly attempts: Attempt[] = []
  private waiting: readonly Stage[]
  private facts: Facts | undefined
  private settle = (_: Answer): void => {}
  private isOver = false

  constructor(
    private readonly request: Request,
    private readonly workers: Workers,
  ) {
    this.answer = new Promise((resolve) => {
      this.settle = resolve
    })
    this.waiting = planOf(request, undefined)
    this.fill()
  }

  cancel(): void {
    this.finish(this.unknown({ kind: 'cancelled', by: 'cancelled' }))
  }

  running(): ReturnType<Run['running']> {
    return [...this.active].map(({ stage, progress }) => ({ engine: stage.engine, progress }))
  }

  /** Gives free places to those who wait. The program is read once before a second engine starts. */
  private fill(): void {
    const { request, active } = this
    while (!this.isOver && active.size < (this.facts ? MAX_PARALLEL_ENGINES : 1)) {
      const [next, ...others] = this.waiting
      if (!next || Date.now() >= request.deadline) break
      this.waiting = others
      this.launch(next)
    }
    if (!this.isOver && active.size === 0)
      this.finish(this.unknown(Date.now() >= request.deadline ? TIMEOUT : this.lastReason()))
  }

  private launch(stage: Stage): void {
    const { request } = this
    const worker = this.workers.take()
    const limit = request.deadline - this.began
    const share = request.engine === 'auto' ? limit / 3 : limit
    const timeOut = (): void => this.ended(contender, { kind: 'ended', reason: TIMEOUT })
    const contender: Contender = { stage, worker, timer: setTimeout(timeOut, share) as unknown as number }
    this.active.add(contender)
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.take(contender, data)
    worker.onerror = ({ message }) =>
      this.ended(contender, { kind: 'ended', reason: { kind: 'failure', what: 'engine failed', text: message } })
    const message: Start = { request: { ...request, engine: stage.engine, engineOptions: stage.options } }
    worker.postMessage(message)
  }

  private take(contender: Contender, message: FromWorker): void {
    switch (message.type) {
      case 'facts':
        this.learn(message.facts)
        break
      case 'progress':
        contender.progress = message.progress
        break
      case 'outcome':
        this.ended(contender, message.outcome)
    }
  }

  private learn(found: Facts): void {
    if (this.facts) return
    this.facts = found
    const begun = new Set([...this.active].map(({ stage }) => stage.engine))
    if (this.request.engine === 'auto')
      this.waiting = planOf(this.request, found).filter(({ engine }) => !begun.has(engine))
    this.fill()
  }

  private ended(contender: Contender, outcome: Outcome): void {
    if (this.isOver || !this.active.has(contender)) return
    this.stop(contender)
    this.facts ??= { loops: true, startsInLoop: false } as Facts
    const attempt = attemptOf(contender.stage.engine, outcome)
    switch (outcome.kind) {
      case 'input-error':
        this.finish({ kind: 'input-error', diagnostics: outcome.diagnostics })
        return
      case 'report':
        this.attempts.push(attempt)
        if (outcome.report.verdict !== 'unknown' || outcome.forAll || this.request.engine !== 'auto')
          this.finish(this.decided(outcome.report))
        break
      case 'ended':
        this.attempts.push({ ...attempt, stats: {} })
    }
    this.fill()
  }

  private finish(result: Answer): void {
    if (this.isOver) return
    this.isOver = true
    for (const contender of this.active) this.stop(contender)
    this.settle(result)
  }

  private stop(contender: Contender): void {
    clearTimeout(contender.timer)
    contender.worker.terminate()
    this.active.delete(contender)
  }

  private decided(report: Report): Answer {
    const { attempts } = this
    const time_ms = Date.now() - this.began
    return { kind: 'report', report: { ...report, time_ms, ...(attempts.length > 1 && { attempts }) } }
  }

  private unknown(reason: Reason): Answer {
    const { property, files, engine } = this.request
    const report: Report = {
      ...{ verdict: 'unknown', reason, property, file: files[0]!, engine, options: {} },
      ...{ time_ms: Date.now() - this.began, memory_mb: 0, stats: {}, assumptions: [], attempts: this.attempts },
    }
    return { kind: 'report', report }
  }

  private lastReason(): Reason {
    const last = this.attempts.at(-1)?.outcome
    return typeof last === 'object' ? last : { kind: 'no-engine' }
  }
}
