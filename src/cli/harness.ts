// heddle harness: C text of a client for a library without a main, to be edited and verified with the library.
import { resolve } from 'node:path'
import { harnessFor, InputError } from '../frontend/c/index.js'
import { parseArguments, UsageError } from '../run/call/options.js'
import { requestFrom } from '../run/call/request-from.js'
import { diagnosticLine, loadProgram } from '../run/program/load.js'
import { HARNESS_OPTIONS } from './harness-options.js'
import { STATUS } from './status.js'

/** Orders of calls are listed in the client: more than these are no client that anybody reads. */
const MAX_CALLS = 6

const CLIENT = 'harness.c'

export const harness = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, HARNESS_OPTIONS)
  const [header, ...files] = parsed.files
  if (header === undefined) throw new UsageError('no header given: heddle harness LIBRARY.h LIBRARY.c')
  const number = (name: string): number => {
    const text = parsed.options.get(name)?.[0] ?? HARNESS_OPTIONS.find((o) => o.name === name)!.default!
    if (!/^[1-9]\d?$/.test(text)) throw new UsageError(`--${name} ${text}: a number from 1 to 99 is needed`)
    return Number(text)
  }
  const [threads, calls] = [number('threads'), number('calls')]
  const linearizable = parsed.options.has('linearizable')
  if (linearizable && threads * calls > MAX_CALLS)
    throw new UsageError(`--linearizable: at most ${MAX_CALLS} calls of all threads together, not ${threads * calls}`)
  const named = parsed.options.get('functions')?.flatMap((list) => list.split(','))
  const request = requestFrom({ ...parsed, files: [CLIENT, ...files] }, Date.now(), {
    [CLIENT]: `#include "${header}"\nint main(void) { return 0; }\n`,
  })
  try {
    const { functions } = await loadProgram(request, { cut: true })
    const declared = functions.filter(({ position }) => resolve(position.file) === resolve(header))
    const options = { header, threads, calls, linearizable, ...(named && { functions: named }) }
    const made = harnessFor(declared, options, request.dataModel)
    if (made.kind === 'none') throw new UsageError(made.why)
    process.stdout.write(made.text)
    return 0
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    for (const diagnostic of error.diagnostics) console.error(diagnosticLine(diagnostic))
    return STATUS.wrongInput
  }
}
