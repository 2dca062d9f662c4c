// The one thing worth trying after a run that ended without an answer.
import type { Attempt, Obstacle, Report } from '../verdict/index.js'
import { isOutOfTime, type Reason } from '../verdict/reason.js'
import type { Request } from './call/request.js'
import { proposeTest } from './propose-test.js'

/** A report that says already what to try is left as it is. */
export const withAdvice = (given: Report, request: Request): Report => {
  const obstacle = obstacleOf(given)
  const report = obstacle ? { ...given, obstacle } : given
  if (report.verdict !== 'unknown' || report.hint !== undefined) return report
  const hint = adviceFor(report, request)
  return hint === undefined ? proposeTest(report, request) : { ...report, hint }
}

const adviceFor = ({ reason, attempts = [], engine, stats }: Report, request: Request): string | undefined => {
  if (!reason || !isAtLimit(reason)) return undefined
  const tried: readonly Attempt[] = attempts.length > 0 ? attempts : [{ engine, outcome: reason, stats }]
  if (isOutOfTime(reason) && tried.every(isBeforeEngines))
    return 'a longer --timeout, because no engine had started when the time was up'
  if (request.engine !== 'auto') return '--engine auto, which runs several engines'
  if (reason.kind === 'memory')
    return `--memory ${Math.ceil((2 * request.memoryMb) / 1024)}G, because an engine needed more memory than it was allowed`
  return undefined
}

const isBeforeEngines = (attempt: Attempt): boolean => phaseOf(attempt) !== undefined

/** What took the time, where no engine had begun. */
const phaseOf = ({ outcome }: Attempt): string | undefined =>
  typeof outcome === 'object' && outcome.kind === 'timeout' ? outcome.phase : undefined

const isAtLimit = (reason: Reason): boolean => isOutOfTime(reason) || reason.kind === 'memory'

/** What the engines were at when time or memory ended: the explorer's states tell most. */
const obstacleOf = ({ verdict, reason, attempts = [], engine, stats }: Report): Obstacle | undefined => {
  if (verdict !== 'unknown' || !reason || !isAtLimit(reason)) return undefined
  const all: readonly Attempt[] = attempts.length > 0 ? attempts : [{ engine, outcome: reason, stats }]
  const phase = phaseOf(all[0]!)
  if (phase !== undefined && all.every(isBeforeEngines)) return { kind: 'reading', phase }
  const count = (name: string, of: string): number | undefined => {
    const value = all.find((attempt) => attempt.engine === of)?.stats[name]
    return typeof value === 'number' && value > 0 ? value : undefined
  }
  const states = count('states', 'explicit') ?? count('nodes', 'explicit')
  const open = count('open', 'explicit')
  if (states !== undefined && states >= MANY_STATES) return { kind: 'states', states, ...(open && { open }) }
  const [bound, events] = [count('bound', 'bmc'), count('events', 'bmc')]
  return bound !== undefined && events !== undefined ? { kind: 'unrolling', bound, events } : undefined
}

/** Fewer are a matter of moments. */
const MANY_STATES = 50_000
