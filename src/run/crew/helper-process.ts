// A process that searches subtrees for a worker of the queue: orders are lines on standard input, messages lines on file
// descriptor 3. A search never returns to an event loop, so everything here blocks.
import { readSync } from 'node:fs'
import type { Helper, Message, Order } from '../../engine/crew.js'
import type { JobOrder, JobRequest } from '../queue/job-process.js'

/** Lines of standard input, one at a time; the process ends with its parent. */
class Lines {
  private rest = ''

  next<T>(): T {
    const chunk = Buffer.alloc(65_536)
    for (;;) {
      const end = this.rest.indexOf('\n')
      if (end >= 0) {
        const line = this.rest.slice(0, end)
        this.rest = this.rest.slice(end + 1)
        return JSON.parse(line) as T
      }
      const read = readSync(0, chunk)
      if (read === 0) process.exit(0)
      this.rest += chunk.toString('latin1', 0, read)
    }
  }
}

export class HelperProcess implements Helper {
  readonly role = 'helper'
  private readonly lines = new Lines()
  private readonly parent = process.ppid
  private readonly past: boolean[]
  private stopAt = 0
  readonly request: JobRequest['request']

  constructor(private readonly write: (message: Message) => void) {
    const { request, past } = this.lines.next<JobRequest>()
    this.request = request
    this.past = [...past]
  }

  next(): Order {
    const isProved = this.past.shift()
    if (isProved !== undefined) return { kind: 'over', isProved }
    const { subtrees, budgetMs } = this.lines.next<JobOrder>()
    this.stopAt = Date.now() + budgetMs
    return { kind: 'search', subtrees }
  }

  send(message: Message): void {
    this.write(message)
  }

  wish(): 'go on' | 'stop' {
    if (process.ppid !== this.parent) process.exit(3)
    return Date.now() >= this.stopAt ? 'stop' : 'go on'
  }
}
