// heddle stubs: C text with a definition for each function that the program calls and nobody defines, to be edited.
import { InputError, stubsText } from '../frontend/c/index.js'
import { parseArguments } from '../run/call/options.js'
import { requestFrom } from '../run/call/request-from.js'
import { SHOW_OPTIONS } from '../run/call/show-options.js'
import { diagnosticLine, loadProgram } from '../run/program/load.js'
import { STATUS } from './status.js'

export const stubs = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, SHOW_OPTIONS)
  try {
    const { undefinedFunctions } = await loadProgram(requestFrom(parsed, Date.now()), { cut: true })
    process.stdout.write(stubsText(undefinedFunctions))
    return 0
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    for (const diagnostic of error.diagnostics) console.error(diagnosticLine(diagnostic))
    return STATUS.wrongInput
  }
}
