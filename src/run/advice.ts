// The one thing worth trying after a run that ended without an answer.
import type { Report } from '../verdict/index.js'
import type { Request } from './call/request.js'
import { proposeTest } from './propose-test.js'

/** A report that says already what to try is left as it is. */
export const withAdvice = (report: Report, request: Request): Report => {
  if (report.verdict !== 'unknown' || report.hint !== undefined) return report
  const hint = adviceFor(report, request)
  return hint === undefined ? proposeTest(report, request) : { ...report, hint }
}

const adviceFor = ({ reason, attempts = [] }: Report, request: Request): string | undefined => {
  const isOutOfTime = reason?.startsWith('timeout') === true
  if (!isOutOfTime && reason !== 'memory') return undefined
  if (request.engine !== 'auto') return '--engine auto: all engines take turns'
  if (isOutOfTime && attempts.length > 0 && attempts.every(({ outcome }) => isBeforeEngines(outcome)))
    return 'a longer --timeout: no engine had begun when the time was over'
  if (reason === 'memory')
    return `--memory ${Math.ceil((2 * request.memoryMb) / 1024)}G: an engine needed more than it was given`
  return undefined
}

const isBeforeEngines = (outcome: string): boolean => outcome.startsWith('timeout in the ')
