// Runs an engine in a process of its own and ends it at its limits. A process, not a worker thread: a native solver
// call cannot be ended inside a process, an engine that runs out of memory takes its process along, and neither may
// cost another engine's answer or leave anything behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { mergeFacts, type PartialFact } from '../verdict/partial.js'
import { type Reason, TIMEOUT } from '../verdict/reason.js'
import type { Facts } from '../xcfa/passes/index.js'
import type { Message, Outcome, Progress, Request, Usage } from './call/request.js'

const ENTRY = fileURLToPath(new URL('./engine-process.cjs', import.meta.url))

/** What the engine's process may take beyond its deadline to say how far it got. */
const GRACE_MS = 400
const MEMORY_POLL_MS = 100

export interface Running {
  readonly outcome: Promise<Outcome>
  /** Ends the process now; the outcome resolves with this reason. */
  end(reason: Reason): void
  /** Until `resume`, it takes no processor time. */
  pause(guard: Guard): void
  resume(): void
  /** Where there are fewer processors than engines, others get more time than this one. */
  giveWay(): void
  /** As last seen, in megabytes. */
  memoryMb(): number
  progress(): Progress | undefined
  /** What is certain so far, should it not decide. */
  facts(): readonly PartialFact[]
  /** Most memory seen, in megabytes. */
  peakMb(): number
  cpuMs(): number
}

/**
 * A paused process notices nothing, not even that the command line was killed. A shell that reads from a pipe of ours
 * does: when the pipe ends without its being dismissed, it ends those that were paused.
 */
export class Guard {
  private shell: ChildProcess | undefined

  watch(pid: number): void {
    if (!this.shell) {
      const script = 'pids=; while read -r pid; do pids="$pids $pid"; done; kill -KILL $pids'
      this.shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] })
      this.shell.on('error', () => {})
      this.shell.stdin!.on('error', () => {})
    }
    this.shell.stdin!.write(`${pid}\n`)
  }

  dismiss(): void {
    this.shell?.kill('SIGKILL')
  }
}

/** A larger nursery: a short run ends before its first collection, and a long one copies less. */
const FLAGS = ['--stack-size=3900', '--min-semi-space-size=32', '--max-semi-space-size=32']

/** How much an engine gives way to those that are more likely to decide, where there are fewer processors than engines. */
const GIVES_WAY = 4

type OnFacts = (facts: Facts, warnings: readonly string[]) => void

export const start = (request: Request, onFacts?: OnFacts): Running => new EngineProcess(request, onFacts)

class EngineProcess implements Running {
  readonly outcome: Promise<Outcome>
  private readonly child: ChildProcess
  private last: Progress | undefined
  private known: readonly PartialFact[] = []
  private ended: Reason | undefined
  private result: Outcome | undefined
  private memory = 0
  private peak = 0
  private cpu = 0
  private errors = ''
  /** Where the system does not tell, the process itself does, with its progress. */
  private reported: Usage = { memoryMb: 0, cpuMs: 0 }

  constructor(
    request: Request,
    private readonly onFacts: OnFacts | undefined,
  ) {
    const heapMb = Math.max(256, Math.floor(request.memoryMb * 0.9))
    this.child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, ...FLAGS, ENTRY], {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, HEDDLE_PARENT: String(process.pid) },
    })
    this.outcome = this.outcomeWithin(request)
    this.readMessages()
    this.child.stderr!.setEncoding('utf8')
    this.child.stderr!.on('data', (chunk: string) => {
      if (this.errors.length < 4000) this.errors += chunk
    })
    this.child.stdin!.on('error', () => {})
    this.child.stdin!.end(JSON.stringify(request))
  }

  end(reason: Reason): void {
    this.ended ??= reason
    this.child.kill('SIGKILL')
  }

  pause(guard: Guard): void {
    if (MAY_STOP) {
      guard.watch(this.child.pid!)
      this.child.kill('SIGSTOP')
    } else prioritise(this.child, constants.priority.PRIORITY_LOW)
  }

  resume(): void {
    if (MAY_STOP) this.child.kill('SIGCONT')
    else prioritise(this.child, constants.priority.PRIORITY_NORMAL)
  }

  giveWay(): void {
    prioritise(this.child, Math.min(constants.priority.PRIORITY_LOW, getPriority() + GIVES_WAY))
  }

  progress(): Progress | undefined {
    return this.last
  }

  facts(): readonly PartialFact[] {
    return this.known
  }

  memoryMb(): number {
    return this.memory
  }

  peakMb(): number {
    return this.peak
  }

  cpuMs(): number {
    return this.cpu
  }

  /** What the process said before it ended, or why it ended without having said anything. */
  private outcomeWithin(request: Request): Promise<Outcome> {
    const poll = setInterval(() => this.look(request), MEMORY_POLL_MS)
    const timer = setTimeout(() => this.end(TIMEOUT), Math.max(0, request.deadline + GRACE_MS - Date.now()))
    return new Promise((resolve) => {
      this.child.on('error', (error) => {
        this.ended ??= { kind: 'failure', what: 'cannot start', text: error.message }
      })
      this.child.on('close', (_code, signal) => {
        clearInterval(poll)
        clearTimeout(timer)
        const reason = this.ended ?? crashReason(this.errors, signal)
        resolve(this.result ?? { kind: 'ended', reason, ...(this.last && { progress: this.last }) })
      })
    })
  }

  private look({ memoryMb }: Request): void {
    const usage = usageOf(this.child) ?? this.reported
    this.memory = usage.memoryMb
    this.peak = Math.max(this.peak, usage.memoryMb)
    this.cpu = Math.max(this.cpu, usage.cpuMs)
    if (usage.memoryMb > memoryMb) this.end({ kind: 'memory' })
  }

  /** A message is a line. Long executions come in many parts. */
  private readMessages(): void {
    let parts: string[] = []
    const pipe = this.child.stdio[3] as NodeJS.ReadableStream
    pipe.setEncoding('utf8')
    pipe.on('data', (chunk: string) => {
      parts.push(chunk)
      if (!chunk.includes('\n')) return
      const lines = parts.join('').split('\n')
      parts = [lines.pop()!]
      for (const line of lines) this.take(JSON.parse(line) as Message)
    })
  }

  private take(message: Message): void {
    switch (message.type) {
      case 'facts':
        this.onFacts?.(message.facts, message.warnings)
        break
      case 'progress':
        this.last = message.progress
        this.reported = message.usage
        break
      case 'known':
        this.known = mergeFacts([...this.known, message.fact])
        break
      case 'outcome':
        this.result = message.outcome
    }
  }
}

/** Out of memory is a limit like time; anything else that ends a process is a defect of ours, and named as such. */
const crashReason = (errors: string, signal: NodeJS.Signals | null): Reason => {
  if (/heap out of memory|Array buffer allocation failed|out of memory|bad_alloc/i.test(errors) || signal === 'SIGKILL')
    return { kind: 'memory' }
  const first = errors.split('\n').find((line) => /Error|error|assert/.test(line)) ?? signal ?? 'no message'
  return { kind: 'failure', what: 'engine failed', text: String(first).trim().slice(0, 200) }
}

/** Windows cannot stop a process: one that waits for its turn gets what the others leave. */
const MAY_STOP = process.platform !== 'win32'

const prioritise = ({ pid }: ChildProcess, priority: number): void => {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // It has ended.
  }
}

const TICKS_PER_SECOND = 100

/** What a process uses, where the system has /proc. */
const usageOf = (child: ChildProcess): Usage | undefined => {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const memoryMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { memoryMb, cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}
