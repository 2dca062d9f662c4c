// What the runtime records, as values: the lists have the order of the enumerations in runtime/heddle.h.

export const KINDS = [
  'read',
  'write',
  'atomic-read',
  'atomic-write',
  'atomic-update',
  'create',
  'begin',
  'end',
  'join',
  'lock',
  'trylock',
  'unlock',
  'read-lock',
  'try-read-lock',
  'read-unlock',
  'cond-wait',
  'cond-wake',
  'signal',
  'broadcast',
  'barrier-arrive',
  'barrier-leave',
  'sem-wait',
  'sem-trywait',
  'sem-post',
  'once',
  'once-done',
  'block-begin',
  'block-end',
  'yield',
  'word-wait',
  'word-wake',
  'init',
  'destroy',
  'cancel',
  'wait-fd',
  'fence',
  'exit',
  'send-signal',
  'take-signal',
  'wait-signal',
  'choice',
  'enter',
  'leave',
  'allocate',
  'free',
  'failed',
] as const
export type Kind = (typeof KINDS)[number]

export const OUTCOMES = [
  'running',
  'finished',
  'assert',
  'race',
  'deadlock',
  'crash',
  'leak',
  'step-limit',
  'stopped',
  'unsupported',
  'invalid-access',
  'aborted',
  'hung',
  'killed',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export const POLICIES = ['stay', 'random', 'pct'] as const
export type Policy = (typeof POLICIES)[number]

/** As many as the runtime has room for, those that have ended included. */
export const MAX_THREADS = 16_384

/** What is looked for; `lateThreads` is part of a schedule like these: of many threads some do not begin (runtime/late.c). */
export const CHECKS = { races: 1, accesses: 2, leaks: 4, abort: 8, lateThreads: 16 } as const

/** A thread goes on for a number of steps. */
export interface Segment {
  readonly thread: number
  readonly steps: number
}

/** A choice that is no switch: one of `bound` alternatives, or any number where `bound` is 0. */
export interface Choice {
  readonly thread: number
  readonly bound: number
  readonly value: bigint
  /** How many steps had been taken. */
  readonly step: number
}

export interface RunEvent {
  readonly pc: number
  readonly address: number
  readonly value: bigint
  /** Threads that could go on, as bits: the first 32, the next 32. */
  readonly enabledLow: number
  readonly enabledHigh: number
  readonly size: number
  readonly thread: number
  readonly kind: Kind
  readonly inBlock: boolean
  readonly isStep: boolean
  readonly timedOut: boolean
  /** A try that failed, a signal that nobody waited for, a wake-up that nobody sent. */
  readonly nothingDone: boolean
}

/** Ten words a record: pc, address, value and enabled threads of two each, size, then thread, kind and flags. */
const EVENT_WORDS = 10
export const EVENT_BYTES = 4 * EVENT_WORDS
const FLAGS = { inBlock: 1, noStep: 2, timedOut: 4, nothingDone: 8, sameStatement: 16, own: 32 } as const
const HIGH_WORD = 2 ** 32

/** What a run did, as the runtime has written it. */
export class EventLog {
  readonly length: number

  constructor(private readonly words: Uint32Array) {
    this.length = Math.floor(words.length / EVENT_WORDS)
  }

  address(at: number): number {
    return this.wide(at, 2)
  }

  value(at: number): number {
    return this.wide(at, 4)
  }

  enabledLow(at: number): number {
    return this.words[at * EVENT_WORDS + 6]!
  }

  enabledHigh(at: number): number {
    return this.words[at * EVENT_WORDS + 7]!
  }

  size(at: number): number {
    return this.words[at * EVENT_WORDS + 8]!
  }

  thread(at: number): number {
    return this.last(at) & 0xffff
  }

  kind(at: number): Kind {
    return KINDS[(this.last(at) >>> 16) & 0xff]!
  }

  inBlock(at: number): boolean {
    return this.has(at, FLAGS.inBlock)
  }

  /** No other thread could come between it and the step before it. */
  isOneWithLast(at: number): boolean {
    return this.has(at, FLAGS.inBlock | FLAGS.sameStatement)
  }

  /** No order with a step of another thread makes a difference to it (runtime/own.c). */
  isOwn(at: number): boolean {
    return this.has(at, FLAGS.own)
  }

  /** How many steps before it were left out: in a search this stands where the place does otherwise. */
  leftOut(at: number): number {
    return this.words[at * EVENT_WORDS]!
  }

  isStep(at: number): boolean {
    return !this.has(at, FLAGS.noStep)
  }

  timedOut(at: number): boolean {
    return this.has(at, FLAGS.timedOut)
  }

  nothingDone(at: number): boolean {
    return this.has(at, FLAGS.nothingDone)
  }

  event(at: number): RunEvent {
    return {
      pc: this.wide(at, 0),
      address: this.address(at),
      value: BigInt(this.words[at * EVENT_WORDS + 4]!) | (BigInt(this.words[at * EVENT_WORDS + 5]!) << 32n),
      enabledLow: this.enabledLow(at),
      enabledHigh: this.enabledHigh(at),
      size: this.size(at),
      thread: this.thread(at),
      kind: this.kind(at),
      inBlock: this.inBlock(at),
      isStep: this.isStep(at),
      timedOut: this.timedOut(at),
      nothingDone: this.nothingDone(at),
    }
  }

  private wide(at: number, word: number): number {
    const from = at * EVENT_WORDS + word
    return this.words[from]! + this.words[from + 1]! * HIGH_WORD
  }

  private last(at: number): number {
    return this.words[at * EVENT_WORDS + 9]!
  }

  private has(at: number, flag: number): boolean {
    return ((this.last(at) >>> 24) & flag) !== 0
  }
}

export interface Waiting {
  readonly thread: number
  readonly kind: Kind
  readonly object: number
  readonly pc: number
  readonly holder: number | undefined
}

export interface RunRequest {
  readonly policy: Policy
  readonly seed: bigint
  readonly checks: number
  /** 0: nothing, 1: the steps, 2: everything that a trace shows. */
  readonly record: 0 | 1 | 2
  readonly maxSteps: number
  readonly runMs: number
  readonly segments: readonly Segment[]
  readonly values: readonly Pick<Choice, 'thread' | 'value'>[]
  /** PCT: number of priorities that change, plus one, and over how many steps. */
  readonly depth: number
  readonly length: number
  /** What fresh heap memory is filled with; 0 leaves it zero. */
  readonly fill: number
  /** Freed memory is given out again at once. */
  readonly reuse: boolean
  /** How many waits may wake by themselves in one run. */
  readonly spurious: number
  readonly mallocMayFail: boolean
  /** A run that creates more is cut. */
  readonly maxThreads: number
  /** Whether a run that is cut ends a batch: it is what is looked for. */
  readonly stopAtLimit?: boolean
}

export interface RunAnswer {
  readonly outcome: Outcome
  readonly thread: number
  readonly signal: number
  readonly pc: number
  readonly address: number
  readonly otherThread: number
  readonly otherPc: number
  readonly otherEvent: number
  readonly steps: number
  readonly sharedSteps: number
  readonly threads: number
  /** The same for executions that differ only in the order of independent steps. */
  readonly hash: string
  readonly text: string
  readonly file: string
  readonly line: number
  readonly segments: readonly Segment[]
  readonly values: readonly Choice[]
  readonly waiting: readonly Waiting[]
  /** The step at which the given schedule could not be followed. */
  readonly diverged: number | undefined
  readonly unjoined: number
  /** Where the runtime's own anchor lies: tells how far the program was moved when it was loaded. */
  readonly anchor: number
  readonly log: EventLog
  /** The same as records, made when they are asked for. */
  readonly events: readonly RunEvent[]
}

/** One line of a batch. */
export interface RunSummary {
  readonly outcome: Outcome
  readonly pc: number
  readonly hash: string
  readonly steps: number
  readonly sharedSteps: number
  readonly threads: number
  readonly seed: bigint
}

/** Something that runs the program: a server process, of which there is one for each core. */
export interface Runner {
  /** The steps of an execution that is known by its hash are left out of the answer. */
  run(request: RunRequest, isKnown?: (hash: string) => boolean): Promise<RunAnswer>
  /** Runs with this seed and the following ones, until one does not end as it should, whose answer comes back, or time is up. */
  batch(request: RunRequest, count: number, onRun: (summary: RunSummary) => void): Promise<RunAnswer | undefined>
  /** Pairs of conflicting accesses seen so far, as pairs of places. */
  coverage(): number
  close(): void
}
