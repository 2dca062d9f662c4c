// A server process: the program under test, loaded once, forked for every run (runtime/server.c). It ends when its pipe
// does, when we do, or when it is closed; its runs end with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import {
  COVERAGE_BYTES,
  dictionaryBytes,
  FILE_BYTES,
  MAX_DICTIONARY,
  OFFSETS,
  readAnswer,
  requestHeader,
  segmentBytes,
  valueBytes,
} from '../control.js'
import { OUTCOMES, type RunAnswer, type Runner, type RunRequest, type RunSummary } from '../events.js'

export interface ServerOptions {
  readonly program: string
  readonly args: readonly string[]
  /** Path at which the control file is made; it has no name as soon as it is open. */
  readonly controlFile: string
  /** HEDDLE_FUNCTIONS of runtime/verifier.c. */
  readonly functions: string
  /** Numbers that the program's text contains: worth trying as inputs. */
  readonly dictionary: readonly bigint[]
  readonly cpu?: number
  readonly cwd?: string
  /** A file that is the program's standard input. */
  readonly stdin?: string
}

export class ServerEnded extends Error {}

export class Server implements Runner {
  private readonly child: ChildProcess
  private readonly file: number
  private readonly commands: Writable
  private readonly dictionary: number
  private buffer = ''
  private onLine: (line: string) => void = () => {}
  private onEnd: (error: Error) => void = () => {}
  private ended: Error | undefined

  constructor(options: ServerOptions) {
    this.file = openSync(options.controlFile, 'w+')
    // Without a name nothing is left behind, however we end: the program is given the open file.
    unlinkSync(options.controlFile)
    ftruncateSync(this.file, FILE_BYTES)
    const words = options.dictionary.slice(0, MAX_DICTIONARY)
    this.dictionary = words.length
    if (words.length > 0) writeSync(this.file, dictionaryBytes(words), 0, words.length * 8, OFFSETS.dictionary)
    const stdin = options.stdin === undefined ? 'ignore' : openSync(options.stdin, 'r')
    this.child = spawn(options.program, options.args, {
      stdio: [stdin, 'ignore', 'ignore', 'pipe', 'pipe', this.file],
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: {
        ...process.env,
        HEDDLE_CONTROL: '/proc/self/fd/5',
        HEDDLE_FUNCTIONS: options.functions,
        ...(options.cpu !== undefined && { HEDDLE_CPU: String(options.cpu) }),
      },
    })
    if (typeof stdin === 'number') closeSync(stdin)
    this.commands = this.child.stdio[3] as Writable
    this.commands.on('error', () => {})
    const answers = this.child.stdio[4] as Readable
    answers.setEncoding('utf8')
    answers.on('data', (chunk: string) => this.receive(chunk))
    this.child.on('error', (error) => this.end(new ServerEnded(error.message)))
    this.child.on('close', (code, signal) =>
      this.end(new ServerEnded(`the program could not be started (${signal ?? `status ${code}`})`)),
    )
  }

  async run(request: RunRequest, isKnown?: (hash: string) => boolean): Promise<RunAnswer> {
    this.write(request)
    await this.ask(1, () => {})
    return this.answer(isKnown)
  }

  async batch(
    request: RunRequest,
    count: number,
    onRun: (summary: RunSummary) => void,
  ): Promise<RunAnswer | undefined> {
    let last: RunSummary | undefined
    this.write(request)
    await this.ask(count, (line) => {
      last = summaryOf(line)
      onRun(last)
    })
    return last === undefined || isPlain(last.outcome, request) ? undefined : this.answer()
  }

  coverage(): number {
    return this.bytes(OFFSETS.coverage, COVERAGE_BYTES).reduce((sum, byte) => sum + byte, 0)
  }

  close(): void {
    this.ended ??= new ServerEnded('closed')
    this.child.kill('SIGKILL')
    try {
      closeSync(this.file)
    } catch {
      // It was closed before.
    }
  }

  private write(request: RunRequest): void {
    const put = (bytes: Uint8Array, offset: number): void => {
      if (bytes.length > 0) writeSync(this.file, bytes, 0, bytes.length, offset)
    }
    put(requestHeader(request, this.dictionary), 0)
    put(segmentBytes(request.segments), OFFSETS.givenSegments)
    put(valueBytes(request.values), OFFSETS.givenValues)
  }

  private ask(count: number, onRun: (line: string) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended)
      this.onEnd = reject
      this.onLine = (line) => {
        if (line !== '.') return onRun(line)
        resolve()
      }
      this.commands.write(`${count}\n`)
    })
  }

  private answer(isKnown?: (hash: string) => boolean): RunAnswer {
    return readAnswer((offset, length) => this.bytes(offset, length), isKnown)
  }

  private bytes(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length)
    if (length > 0) readSync(this.file, bytes, 0, length, offset)
    return bytes
  }

  private receive(chunk: string): void {
    this.buffer += chunk
    const lines = this.buffer.split('\n')
    this.buffer = lines.pop()!
    for (const line of lines) this.onLine(line)
  }

  private end(error: Error): void {
    this.ended ??= error
    this.onEnd(this.ended)
  }
}

const isPlain = (outcome: RunSummary['outcome'], { stopAtLimit }: RunRequest): boolean =>
  outcome === 'finished' || outcome === 'stopped' || (outcome === 'step-limit' && !stopAtLimit)

const summaryOf = (line: string): RunSummary => {
  const [outcome, , pc, hash, steps, sharedSteps, threads, seed] = line.split(' ')
  return {
    outcome: OUTCOMES[Number(outcome)] ?? 'killed',
    pc: Number.parseInt(pc!, 16),
    hash: hash!,
    steps: Number(steps),
    sharedSteps: Number(sharedSteps),
    threads: Number(threads),
    seed: BigInt(seed!),
  }
}
