// One check of a project: a property of a program, as `heddle ci` and `heddle watch` decide and print it.
import { reasonText } from '../../output/reason.js'
import type { Parsed } from '../../run/call/options.js'
import { requestFrom } from '../../run/call/request-from.js'
import { taskOf } from '../../run/call/task-report.js'
import { decide } from '../../run/decide.js'
import type { Reason, Report } from '../../verdict/index.js'

export interface Outcome {
  readonly program: string
  readonly property: string
  readonly report?: Report
  /** Why there is no report: wrong input, or the budget was used up. */
  readonly problem?: string
}

export interface Check {
  readonly outcome: Promise<Outcome>
  /** Ends it now, with this reason. */
  end(reason: Reason): void
}

/** Options of the commands themselves, which are none of a check. */
const OF_COMMANDS = new Set(['base', 'budget', 'baseline', 'update-baseline', 'sarif', 'json', 'port'])

export const beginCheck = (parsed: Parsed, program: string, property: string, deadline = Infinity): Check => {
  const options = new Map([...parsed.options].filter(([name]) => !OF_COMMANDS.has(name)))
  options.set('property', [property])
  options.set('timeout', [options.get('timeout')?.[0] ?? '20s'])
  const request = requestFrom({ files: [program], options }, Date.now())
  const run = decide({ ...request, deadline: Math.min(request.deadline, deadline) })
  const outcome = run.decision.then((result): Outcome => {
    if (result.kind === 'input-error') return { program, property, problem: result.diagnostics[0] ?? 'wrong input' }
    return { program, property, report: { ...result.report, task: taskOf(request) } }
  })
  return { outcome, end: (reason) => run.end(reason) }
}

/** `FILE:LINE: error: TEXT` for a finding, as compilers print them: problem matchers read it. */
export const lineOf = ({ program, property, report, problem }: Outcome): string => {
  if (!report) return `${program}: warning: ${property}: ${problem}`
  switch (report.verdict) {
    case 'false':
      return `${report.trace?.file ?? program}:${report.trace?.line ?? 1}: error: ${report.trace?.headline ?? 'violated'} [${property}]`
    case 'unknown':
      return `${program}: warning: ${property}: not decided: ${report.reason && reasonText(report.reason)}`
    case 'true':
      return `${program}: ${property} holds`
  }
}
