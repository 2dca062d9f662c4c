// heddle check: whether a certificate proves what is asked about this program. The program, the property and how to read
// it come from this command line; a certificate is input from a stranger, compared and checked (src/check), never executed.
import { type Answer, checkCertificate, Rejected, readCertificateFile, requireSameClaim } from '../check/index.js'
import { InputError, WEAK_ORDER } from '../frontend/c/index.js'
import { errorsOf, type Property } from '../property/index.js'
import { createSmt, type SmtKind } from '../smt/index.js'
import { type Report, unproved } from '../verdict/index.js'
import { Unsupported } from '../xcfa/index.js'
import { certificateText, hashesOf } from './check-input.js'
import { CHECK_OPTIONS } from './check-options.js'
import { answerText, STATUS_OF } from './check-text.js'
import { diagnosticLine, loadProgram } from './load.js'
import { parseArguments, UsageError } from './options.js'
import { taskOf } from './output-names.js'
import type { Request } from './request.js'
import { requestFrom, STATUS } from './verify.js'

export const check = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, CHECK_OPTIONS)
  const [certificate, ...files] = [parsed.files.at(-1), ...parsed.files.slice(0, -1)]
  if (certificate === undefined || files.length === 0)
    throw new UsageError('heddle check FILE... CERTIFICATE: a program and what heddle verify wrote with --certificate')
  const request = requestFrom({ ...parsed, files }, Date.now())
  try {
    const { answer, notes = [] } = await answerFor(request, () => certificateText(certificate))
    if (parsed.options.has('json')) console.log(JSON.stringify({ version: 1, ...answer, notes }, null, 2))
    else console.log(answerText(answer, request, notes))
    return STATUS_OF[answer.kind]
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem
    for (const diagnostic of problem.diagnostics) console.error(diagnosticLine(diagnostic))
    return STATUS.wrongInput
  }
}

/** Whether the proof of a report holds, as `heddle check` would say of its certificate. */
export const checkReport = async (request: Request, report: Report): Promise<Answer> => {
  const task = { ...taskOf(request), hashes: hashesOf(request.files) }
  return (await answerFor(request, () => JSON.stringify({ ...report, task }))).answer
}

const answerFor = async (
  request: Request,
  certificate: () => string,
): Promise<{ answer: Answer; notes?: readonly string[] }> => {
  try {
    const file = readCertificateFile(certificate())
    requireSameClaim(file, { ...request, hashes: hashesOf(request.files) })
    const property = request.property as Property
    const { program: raw, notes } = await loadProgram(request)
    const reason = unproved(property, { raw, weakOrders: notes.includes(WEAK_ORDER) })
    if (reason) return { answer: { kind: 'unknown', reason } }
    const smt = await createSmt(request.solver as SmtKind)
    const answer = checkCertificate({ ...request, raw, errors: errorsOf(raw, property), file, smt, now: Date.now })
    smt.dispose()
    return { answer, notes }
  } catch (problem) {
    if (problem instanceof Rejected) return { answer: { kind: 'rejected', place: problem.message } }
    if (problem instanceof Unsupported) return { answer: { kind: 'unknown', reason: problem.message } }
    throw problem
  }
}
