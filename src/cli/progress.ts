// What a person at the terminal sees while engines run, and how they stop them. The line begins with the time and tells
// the engines in words; it rewrites itself.
import { progressText } from '../output/progress.js'
import type { Decide } from '../run/decide.js'

const EVERY_MS = 200
const CLEAR = '\r\u001b[2K'

/** Starts the line; call the answer to take it away. */
export const showProgress = (run: Decide, began: number, deadline: number): (() => void) => {
  const timer = setInterval(() => {
    const line = progressLine(run.running(), Date.now() - began, deadline - began)
    process.stderr.write(`${CLEAR}${line.slice(0, (process.stderr.columns ?? 80) - 1)}`)
  }, EVERY_MS)
  return () => {
    clearInterval(timer)
    process.stderr.write(CLEAR)
  }
}

export const progressLine = (running: ReturnType<Decide['running']>, elapsedMs: number, limitMs: number): string => {
  const engines = running.map(({ engine, progress }) =>
    progress ? `${engine}: ${progressText(progress.phase, progress.counts)}` : engine,
  )
  return `${Math.floor(elapsedMs / 1000)} s of ${Math.round(limitMs / 1000)} s · ${engines.join(' · ')}`
}

/** Ctrl-C and its relatives end the run; it still answers. */
export const endOnSignals = (run: Decide): { forget(): void; seen(): boolean } => {
  let seen = false
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = (): void => {
      seen = true
      run.end({ kind: 'cancelled', by: 'interrupted' })
    }
    process.on(signal, handler)
    return () => process.off(signal, handler)
  })
  return {
    forget: () => {
      for (const off of handlers) off()
    },
    seen: () => seen,
  }
}
