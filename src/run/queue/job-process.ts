// A process that searches subtrees of one program, one job after the other: the program is read once. The request and
// the orders are lines on its standard input, messages come on file descriptor 3 (crew/helper-process.ts).
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Branches, Message } from '../../engine/crew.js'
import type { Request } from '../call/request.js'
import { grouped, type SubtreeResult } from './jobs.js'

const ENTRY = fileURLToPath(new URL('./engine-process.cjs', import.meta.url))
const FLAGS = ['--stack-size=3900', '--min-semi-space-size=16', '--max-semi-space-size=16']

/** What a search process begins with. */
export interface JobRequest {
  readonly request: Request
  readonly past: readonly boolean[]
}

/** One order: subtrees, and how long they may take before what is left is handed over. */
export interface JobOrder {
  readonly subtrees: readonly Branches[]
  readonly budgetMs: number
}

export class JobProcess {
  private readonly child: ChildProcess
  private buffer = ''
  private messages: Message[] = []
  private settle: ((result: SubtreeResult | Error) => void) | undefined
  private failure: Error | undefined
  private errors = ''

  constructor(
    readonly token: string,
    start: JobRequest,
  ) {
    const heapMb = Math.max(256, Math.floor(start.request.memoryMb * 0.9))
    this.child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, ...FLAGS, ENTRY, '--jobs'], {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    })
    const pipe = this.child.stdio[3] as NodeJS.ReadableStream
    pipe.setEncoding('utf8')
    pipe.on('data', (chunk: string) => this.read(chunk))
    this.child.stderr!.setEncoding('utf8')
    this.child.stderr!.on('data', (chunk: string) => {
      if (this.errors.length < 2000) this.errors += chunk
    })
    this.child.stdin!.on('error', () => {})
    this.child.on('error', (error) => this.end(error))
    this.child.on('close', () =>
      this.end(new Error(`a process that searches has ended: ${this.errors.trim().slice(0, 300)}`)),
    )
    this.write(start)
  }

  async search(order: JobOrder): Promise<SubtreeResult> {
    if (this.failure) throw this.failure
    const result = await new Promise<SubtreeResult | Error>((resolve) => {
      this.settle = resolve
      this.messages = []
      this.write(order)
    })
    if (result instanceof Error) throw result
    return result
  }

  get isUsable(): boolean {
    return this.failure === undefined
  }

  close(): void {
    this.child.kill('SIGKILL')
  }

  /** In ASCII: the reader need not care where a character of several bytes ends. */
  private write(value: object): void {
    const escaped = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
    this.child.stdin!.write(`${JSON.stringify(value).replace(/[\u0080-\uffff]/g, escaped)}\n`)
  }

  private read(chunk: string): void {
    this.buffer += chunk
    const lines = this.buffer.split('\n')
    this.buffer = lines.pop()!
    for (const line of lines) {
      const message = JSON.parse(line) as Message
      this.messages.push(message)
      if (message.kind === 'totals' && message.isDone) this.settle?.(resultOf(this.messages))
    }
  }

  private end(error: Error): void {
    this.failure ??= error
    this.settle?.(error)
  }
}

const resultOf = (messages: readonly Message[]): SubtreeResult => {
  const violation = messages.find((m) => m.kind === 'violation')
  const failed = messages.find((m) => m.kind === 'failed')
  const totals = messages.find((m) => m.kind === 'totals')!
  const left = messages.flatMap((m) => (m.kind === 'subtrees' ? m.subtrees : []))
  return {
    totals: totals.totals,
    left: grouped(left),
    ...(violation && { violation: violation.branches }),
    ...(failed && { failed: failed.reason }),
  }
}
