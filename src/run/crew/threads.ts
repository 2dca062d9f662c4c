// The leader of a search on all cores: helpers are threads of the engine's process, so that whatever ends the process
// ends them, and its limits of time and memory are theirs. They are started when the search has taken a while: each of
// them reads the program again.
import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Branches, Leader, Message, Order } from '../../engine/crew.js'
import type { Request } from '../call/request.js'
import {
  ENTRY,
  FIRST_HELPER_SLOT,
  type HelperData,
  LEADER_SLOT,
  receive,
  ring,
  WANTED_SLOT,
} from './thread-messages.js'

/** A shorter search is over before another thread has read the program. */
const ALONE_MS = 1000
const MAX_WAIT_MS = 100

interface Helper {
  readonly port: MessagePort
  readonly slot: number
  isBusy: boolean
}

/** How many threads are to search; 1 where the order of the search matters, or other engines run beside it. */
export const threadsFor = ({ engine, engineOptions, crossCheck }: Request): number => {
  if (engine !== 'graphs' || crossCheck === true) return 1
  if (Number(engineOptions['max-executions'] ?? 0) > 0 || engineOptions['duplicates'] === 'measure') return 1
  return Number(engineOptions['workers'] ?? 0) || availableParallelism()
}

export class Threads implements Leader {
  readonly role = 'leader'
  readonly searches = true
  private readonly shared: SharedArrayBuffer
  private readonly slots: Int32Array
  private readonly helpers: Helper[] = []
  private readonly startAt: number
  private readonly past: boolean[] = []

  constructor(
    private readonly request: Request,
    private readonly count: number,
  ) {
    this.shared = new SharedArrayBuffer(4 * (FIRST_HELPER_SLOT + count))
    this.slots = new Int32Array(this.shared)
    const isAsked = Number(request.engineOptions['workers'] ?? 0) > 0
    this.startAt = Date.now() + (isAsked ? 0 : ALONE_MS)
  }

  wanting(): number {
    if (this.helpers.length === 0 && Date.now() >= this.startAt) this.start()
    return this.helpers.filter(({ isBusy }) => !isBusy).length
  }

  give(subtrees: readonly Branches[]): void {
    const idle = this.helpers.find(({ isBusy }) => !isBusy)
    if (!idle) throw new Error('a subtree for nobody')
    idle.isBusy = true
    this.tell(idle, { kind: 'search', subtrees })
  }

  receive(mayWait: boolean): readonly Message[] {
    const seen = Atomics.load(this.slots, LEADER_SLOT)
    const messages = this.arrived()
    if (messages.length > 0 || !mayWait || !this.isBusy()) return messages
    Atomics.store(this.slots, WANTED_SLOT, 1)
    Atomics.wait(this.slots, LEADER_SLOT, seen, MAX_WAIT_MS)
    return this.arrived()
  }

  isBusy(): boolean {
    return this.helpers.some(({ isBusy }) => isBusy)
  }

  over(isProved: boolean): void {
    this.past.push(isProved)
    for (const helper of this.helpers) {
      helper.isBusy = false
      this.tell(helper, { kind: 'over', isProved })
    }
  }

  private arrived(): readonly Message[] {
    return this.helpers.flatMap((helper) => {
      const messages: Message[] = []
      for (let m = receive<Message>(helper.port); m; m = receive<Message>(helper.port)) {
        if (m.kind === 'totals' && m.isDone) helper.isBusy = false
        messages.push(m)
      }
      return messages
    })
  }

  private tell({ port, slot }: Helper, order: Order): void {
    port.postMessage(order)
    ring(this.slots, slot)
  }

  private start(): void {
    for (let i = 1; i < this.count; i++) {
      const { port1, port2 } = new MessageChannel()
      const slot = FIRST_HELPER_SLOT + i - 1
      const data: HelperData = {
        kind: 'helper',
        request: this.request,
        shared: this.shared,
        port: port2,
        slot,
        past: [...this.past],
      }
      const worker = new Worker(ENTRY, { workerData: data, transferList: [port2] })
      worker.unref()
      port1.unref()
      this.helpers.push({ port: port1, slot, isBusy: false })
    }
  }
}
