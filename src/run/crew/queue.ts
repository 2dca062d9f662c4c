// The leader of a search over the queue, as the engine sees it: a thread of the process talks to Redis (queue/lead.ts),
// because a search never returns to an event loop.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Branches, Leader, Message } from '../../engine/crew.js'
import type { Request } from '../call/request.js'
import type { SearchOverQueue } from '../queue/lead.js'
import { leadSearch } from '../queue/lead.js'
import { ENTRY, LEADER_SLOT, OVER_SLOT, receive, ring, type ThreadData } from './thread-messages.js'

const MAX_WAIT_MS = 100
/** How long the thread has to tidy up. */
const TIDY_MS = 2000

const OVER = { no: 0, kept: 1, finished: 2, tidied: 3 } as const

export class QueueLeader implements Leader {
  readonly role = 'leader'
  readonly searches = false
  private readonly slots = new Int32Array(new SharedArrayBuffer(8))
  private port: MessagePort | undefined
  private isDone = false
  private readonly past: boolean[] = []

  constructor(
    private readonly url: string,
    /** With the texts of all files: workers are on other machines. */
    private readonly request: () => Request,
  ) {}

  wanting(): number {
    return 0
  }

  /** Only the whole: what becomes of it is between the workers. */
  give(_subtrees: readonly Branches[]): void {
    const { port1, port2 } = new MessageChannel()
    Atomics.store(this.slots, OVER_SLOT, OVER.no)
    this.isDone = false
    const search: SearchOverQueue = { url: this.url, request: this.request(), past: [...this.past] }
    const data: ThreadData = { kind: 'queue', search, shared: this.slots.buffer as SharedArrayBuffer, port: port2 }
    new Worker(ENTRY, { workerData: data, transferList: [port2] }).unref()
    port1.unref()
    this.port = port1
  }

  receive(mayWait: boolean): readonly Message[] {
    const seen = Atomics.load(this.slots, LEADER_SLOT)
    const messages = this.arrived()
    if (messages.length > 0 || !mayWait) return messages
    Atomics.wait(this.slots, LEADER_SLOT, seen, MAX_WAIT_MS)
    return this.arrived()
  }

  isBusy(): boolean {
    return this.port !== undefined && !this.isDone
  }

  /** A search that was stopped is kept for a while: the same call goes on with it. */
  over(isProved: boolean, isStopped: boolean): void {
    this.past.push(isProved)
    if (!this.port) return
    Atomics.store(this.slots, OVER_SLOT, isStopped && !isProved ? OVER.kept : OVER.finished)
    Atomics.wait(this.slots, OVER_SLOT, isStopped && !isProved ? OVER.kept : OVER.finished, TIDY_MS)
  }

  private arrived(): readonly Message[] {
    const messages: Message[] = []
    for (let m = this.port && receive<Message>(this.port); m; m = receive<Message>(this.port!)) {
      if (m.kind === 'sum' && m.isDone) this.isDone = true
      messages.push(m)
    }
    return messages
  }
}

/** The thread's side. */
export const leadInThread = async ({ search, shared, port }: ThreadData & { kind: 'queue' }): Promise<void> => {
  const slots = new Int32Array(shared)
  const tell = (message: Message): void => {
    port.postMessage(message)
    ring(slots, LEADER_SLOT)
  }
  const isOver = (): 'no' | 'kept' | 'finished' => {
    const state = Atomics.load(slots, OVER_SLOT)
    return state === OVER.no ? 'no' : state === OVER.kept ? 'kept' : 'finished'
  }
  try {
    await leadSearch(search, tell, isOver)
  } catch (error) {
    tell({
      kind: 'failed',
      reason: { kind: 'failure', what: 'engine failed', text: `the queue: ${(error as Error).message}` },
    })
  }
  Atomics.store(slots, OVER_SLOT, OVER.tidied)
  Atomics.notify(slots, OVER_SLOT)
}
