// What a person at the terminal sees while engines run, and how they stop them.
import type { Request } from '../run/call/request.js'
import type { Decide } from '../run/decide.js'

/** One line, rewritten; only on a terminal. */
export const showProgress = (run: Decide, began: number, request: Request): (() => void) => {
  const limit = Math.round((request.deadline - began) / 1000)
  const timer = setInterval(() => {
    const parts = run.running().map(({ engine, progress }) => {
      const counts = Object.entries(progress?.counts ?? {}).map(([k, v]) => `${v.toLocaleString('en-US')} ${k}`)
      return [engine, progress?.phase, ...counts].filter(Boolean).join(' · ')
    })
    const line = `${parts.join(' │ ')} · ${Math.round((Date.now() - began) / 1000)} s of ${limit} s`
    process.stderr.write(`\r\u001b[2K${line.slice(0, (process.stderr.columns ?? 100) - 1)}`)
  }, 200)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\u001b[2K')
  }
}

/** Ctrl-C and its relatives end the run; it still answers. */
export const endOnSignals = (run: Decide): { forget(): void; seen(): boolean } => {
  let seen = false
  const handlers = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const handler = (): void => {
      seen = true
      run.end('interrupted')
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
