/** Processor time of this process in seconds since the call: on a busy machine fairer than the clock on the wall. */
export const stopwatch = (): (() => number) => {
  const begin = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1e6
  }
}

/** An engine's `stopped` that says so after that many seconds of processor time. */
export const limitOf = (seconds: number): (() => string | undefined) => {
  const used = stopwatch()
  return () => (used() > seconds ? 'timeout' : undefined)
}
