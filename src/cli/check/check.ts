// heddle check: whether a certificate proves what is asked about this program. The program, the property and how to read
// it come from this command line; a certificate is input from a stranger, compared and checked (src/check), never executed.
import { InputError } from '../../frontend/c/index.js'
import { parseArguments, UsageError } from '../../run/call/options.js'
import { requestFrom } from '../../run/call/request-from.js'
import { diagnosticLine } from '../../run/program/load.js'
import { STATUS } from '../status.js'
import { certificateText } from './input.js'
import { CHECK_OPTIONS } from './options.js'
import { answerFor } from './proof.js'
import { answerText, STATUS_OF } from './text.js'

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
