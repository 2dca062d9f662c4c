// One pool for all documents: at most so many runs at a time, the others wait in line. A new run of the same file and
// property replaces the one before it, whether that one waits or runs.
const MAX_PARALLEL_RUNS = 1

interface Job {
  readonly key: string
  readonly controller: AbortController
  readonly work: (signal: AbortSignal) => Promise<void>
  readonly done: () => void
}

export class Runs {
  private readonly waiting: Job[] = []
  private readonly running = new Set<Job>()

  /** Resolves when the work has ended or was dropped; `signal` of the caller ends it early. */
  start(key: string, work: (signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
    this.cancel(key)
    return new Promise((done) => {
      const controller = new AbortController()
      signal?.addEventListener('abort', () => controller.abort())
      this.waiting.push({ key, controller, work, done })
      this.fill()
    })
  }

  /** Ends what runs for this key and drops what waits; every key that begins with it counts. */
  cancel(key: string): void {
    for (const job of [...this.waiting, ...this.running]) if (job.key.startsWith(key)) job.controller.abort()
  }

  private fill(): void {
    while (this.running.size < MAX_PARALLEL_RUNS) {
      const job = this.waiting.shift()
      if (!job) return
      if (job.controller.signal.aborted) {
        job.done()
        continue
      }
      this.running.add(job)
      void job.work(job.controller.signal).finally(() => {
        this.running.delete(job)
        job.done()
        this.fill()
      })
    }
  }
}
