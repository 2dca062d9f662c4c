// A report as the JSON that `--json` prints and the library returns (schema/report.schema.json): reasons in words, with
// their kind beside them.
import type { Attempt, Reason, Report } from '../verdict/index.js'
import { outcomeText, reasonText } from './reason.js'

export interface ReportJson extends Omit<Report, 'reason' | 'attempts'> {
  readonly reason?: string
  /** What programs may ask about the reason: its text is for people. */
  readonly reason_kind?: Reason['kind']
  readonly attempts?: readonly AttemptJson[]
}

interface AttemptJson extends Omit<Attempt, 'outcome'> {
  readonly outcome: string
}

export const reportJson = ({ reason, attempts, ...rest }: Report): ReportJson => ({
  ...rest,
  ...(reason && { reason: reasonText(reason), reason_kind: reason.kind }),
  ...(attempts && { attempts: attempts.map((each) => ({ ...each, outcome: outcomeText(each.outcome) })) }),
})
