// One proof, for heddle check and for --check of heddle verify: the certificate is read and compared, the program is loaded
// as the command line says, and src/check answers.
import { type Answer, checkCertificate, Rejected, readCertificateFile, requireSameClaim } from '../../check/index.js'
import { WEAK_ORDER } from '../../frontend/c/index.js'
import { assumptionText } from '../../output/ledger.js'
import { reportJson } from '../../output/report-json.js'
import { errorsOf, hasTrylock, type Property } from '../../property/index.js'
import type { Request } from '../../run/call/request.js'
import { taskOf } from '../../run/call/task-report.js'
import { loadProgram } from '../../run/program/load.js'
import { createSmt, type SmtKind } from '../../smt/index.js'
import { type Report, unproved } from '../../verdict/index.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { hashesOf } from '../hashes.js'

/** Whether the proof of a report holds, as `heddle check` would say of its certificate. */
export const checkReport = async (request: Request, report: Report): Promise<Answer> => {
  const task = { ...taskOf(request), hashes: hashesOf(request.files) }
  return (await answerFor(underItsModel(request, report), () => JSON.stringify(reportJson({ ...report, task })))).answer
}

/** The orders of the program's atomics may have chosen the memory model. */
const underItsModel = (request: Request, { assumptions }: Report): Request => {
  const chosen = assumptions.find((assumption) => assumption.kind === 'memory-model')
  return request.byOrders && chosen?.kind === 'memory-model' ? { ...request, memoryModel: chosen.model } : request
}

/** `certificate` gives its text, or throws `Rejected`. */
export const answerFor = async (
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
    return { answer, notes: [...notes, ...assumedOfTrylocks(request, raw)] }
  } catch (problem) {
    if (problem instanceof Rejected) return { answer: { kind: 'rejected', place: problem.message } }
    if (problem instanceof Unsupported) return { answer: { kind: 'unknown', reason: problem.message } }
    throw problem
  }
}

/** The interleavings that are checked order more than C11 does behind a trylock that fails. */
const assumedOfTrylocks = ({ property, memoryModel }: Request, raw: Program): readonly string[] =>
  property === 'no-data-race' && memoryModel === 'sc' && hasTrylock(raw)
    ? [assumptionText({ kind: 'failed-trylock-orders' })]
    : []
