import { type Reason, TIMEOUT } from '../src/verdict/reason.js'
/** Processor time of this process in seconds since the call: on a busy machine fairer than the clock on the wall. */
export const stopwatch = (): (() => number) => {
  const begin = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1e6
  }
}

/** To ask for processor time costs more than to look at a node: so often at most. */
const ASK_MS = 5

/** An engine's `stopped` that says so after that many seconds of processor time. */
export const limitOf = (seconds: number): (() => Reason | undefined) => {
  const used = stopwatch()
  let next = 0
  let isOver = false
  return () => {
    if (!isOver && performance.now() >= next) {
      isOver = used() > seconds
      next = performance.now() + ASK_MS
    }
    return isOver ? TIMEOUT : undefined
  }
}
