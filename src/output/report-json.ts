// A report as the JSON that `--json` prints and the library returns (schema/report.schema.json): reasons and
// assumptions in words, with their kinds beside them.
import type { Assumption, Attempt, Reason, Report } from '../verdict/index.js'
import { assumptionText } from './ledger.js'
import { outcomeText, reasonText } from './reason.js'

/** `kind` is for programs, `what` for people. */
export interface AssumptionJson {
  readonly what: string
  readonly status: Assumption['status']
  readonly kind: Assumption['kind']
  /** Of the kind `memory-model`. */
  readonly model?: string
}

export const assumptionJson = (assumption: Assumption): AssumptionJson => ({
  ...{ what: assumptionText(assumption), status: assumption.status, kind: assumption.kind },
  ...(assumption.kind === 'memory-model' && { model: assumption.model }),
})

export interface ReportJson extends Omit<Report, 'reason' | 'attempts' | 'assumptions'> {
  readonly assumptions: readonly AssumptionJson[]
  readonly reason?: string
  /** What programs may ask about the reason: its text is for people. */
  readonly reason_kind?: Reason['kind']
  readonly attempts?: readonly AttemptJson[]
}

interface AttemptJson extends Omit<Attempt, 'outcome'> {
  readonly outcome: string
}

export const reportJson = ({ reason, attempts, assumptions, ...rest }: Report): ReportJson => ({
  ...rest,
  assumptions: assumptions.map(assumptionJson),
  ...(reason && { reason: reasonText(reason), reason_kind: reason.kind }),
  ...(attempts && { attempts: attempts.map((each) => ({ ...each, outcome: outcomeText(each.outcome) })) }),
})
