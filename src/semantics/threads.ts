// The threads of a state by number. Few of them are an array; of many, those that do not change are shared with the state
// before, so that a step of one of ten thousand does not copy the others.
import type { ThreadState } from './state.js'

/** What is asked of the threads of a state; arrays have it. */
export interface Threads extends Iterable<ThreadState> {
  readonly length: number
  at(number: number): ThreadState | undefined
  map<T>(f: (thread: ThreadState, number: number) => T): T[]
  findIndex(test: (thread: ThreadState) => unknown): number
  some(test: (thread: ThreadState) => unknown): boolean
  every(test: (thread: ThreadState) => unknown): boolean
  forEach(f: (thread: ThreadState, number: number) => void): void
  entries(): IterableIterator<[number, ThreadState]>
}

/** More threads than this are kept in parts of this size. */
const PART = 64

/** With another state of one thread, and with new threads at the end. */
export const withThread = (
  threads: Threads,
  number: number,
  thread: ThreadState,
  started: readonly ThreadState[],
): Threads => {
  const many = threads instanceof ManyThreads ? threads : undefined
  if (many) return started.reduce((all, next) => all.with(all.length, next), many.with(number, thread))
  const copy = [...threads, ...started]
  copy[number] = thread
  return copy.length <= PART ? copy : ManyThreads.of(copy)
}

/** The thread inside an atomic block, or -1. */
export const insideAtomic = (threads: Threads): number =>
  threads instanceof ManyThreads ? threads.inside() : threads.findIndex(isInside)

const isInside = ({ location }: ThreadState): boolean => location.atomic && location.kind !== 'final'

interface Part {
  readonly threads: readonly ThreadState[]
  readonly isInside: boolean
}

const partOf = (threads: readonly ThreadState[]): Part => ({ threads, isInside: threads.some(isInside) })

class ManyThreads implements Threads {
  private constructor(
    private readonly parts: readonly Part[],
    readonly length: number,
  ) {}

  static of(threads: readonly ThreadState[]): ManyThreads {
    const parts: Part[] = []
    for (let at = 0; at < threads.length; at += PART) parts.push(partOf(threads.slice(at, at + PART)))
    return new ManyThreads(parts, threads.length)
  }

  /** At the end: one more. */
  with(number: number, thread: ThreadState): ManyThreads {
    const part = Math.floor(number / PART)
    const parts = this.parts.slice()
    const changed = (parts[part]?.threads ?? []).slice()
    changed[number % PART] = thread
    parts[part] = partOf(changed)
    return new ManyThreads(parts, Math.max(this.length, number + 1))
  }

  inside(): number {
    const part = this.parts.findIndex(({ isInside: found }) => found)
    return part < 0 ? -1 : part * PART + this.parts[part]!.threads.findIndex(isInside)
  }

  at(number: number): ThreadState | undefined {
    return this.parts[Math.floor(number / PART)]?.threads[number % PART]
  }

  *[Symbol.iterator](): IterableIterator<ThreadState> {
    for (const { threads } of this.parts) yield* threads
  }

  *entries(): IterableIterator<[number, ThreadState]> {
    let number = 0
    for (const thread of this) yield [number++, thread]
  }

  map<T>(f: (thread: ThreadState, number: number) => T): T[] {
    return this.parts.flatMap(({ threads }, part) => threads.map((thread, i) => f(thread, part * PART + i)))
  }

  findIndex(test: (thread: ThreadState) => unknown): number {
    const part = this.parts.findIndex(({ threads }) => threads.some(test))
    return part < 0 ? -1 : part * PART + this.parts[part]!.threads.findIndex(test)
  }

  some(test: (thread: ThreadState) => unknown): boolean {
    return this.parts.some(({ threads }) => threads.some(test))
  }

  every(test: (thread: ThreadState) => unknown): boolean {
    return this.parts.every(({ threads }) => threads.every(test))
  }

  forEach(f: (thread: ThreadState, number: number) => void): void {
    for (const [number, thread] of this.entries()) f(thread, number)
  }
}
