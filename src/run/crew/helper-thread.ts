// A helper's side of a search on all cores: it waits for subtrees, and hands some over when somebody has nothing to do.
import type { Helper, Message, Order } from '../../engine/crew.js'
import { type HelperData, LEADER_SLOT, receive, ring, WANTED_SLOT } from './thread-messages.js'

/** How often the leader hears what was counted. */
const REPORT_MS = 200

export class HelperThread implements Helper {
  readonly role = 'helper'
  private readonly slots: Int32Array
  private readonly past: boolean[]
  private reported = 0

  constructor(private readonly data: HelperData) {
    this.slots = new Int32Array(data.shared)
    this.past = [...data.past]
  }

  next(): Order {
    const isProved = this.past.shift()
    if (isProved !== undefined) return { kind: 'over', isProved }
    const { port, slot } = this.data
    for (;;) {
      const seen = Atomics.load(this.slots, slot)
      const order = receive<Order>(port)
      if (order) return order
      Atomics.wait(this.slots, slot, seen)
    }
  }

  send(message: Message): void {
    this.data.port.postMessage(message)
    ring(this.slots, LEADER_SLOT)
  }

  wish(): 'go on' | 'report' | 'share' {
    if (Atomics.compareExchange(this.slots, WANTED_SLOT, 1, 0) === 1) return 'share'
    const now = Date.now()
    if (now - this.reported < REPORT_MS) return 'go on'
    this.reported = now
    return 'report'
  }
}
