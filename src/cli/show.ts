// heddle show: what the front end understood, as text, DOT or JSON, before or after the passes.

import { protectionOf, protectionText } from '../engine/redcomp/protection.js'
import { InputError } from '../frontend/c/index.js'
import { parseArguments } from '../run/call/options.js'
import type { Request } from '../run/call/request.js'
import { requestFrom } from '../run/call/request-from.js'
import { SHOW_OPTIONS } from '../run/call/show-options.js'
import { diagnosticLine, loadProgram } from '../run/program/load.js'
import { ANALYSES, type FORMS, showProgram } from '../run/program/show.js'
import { Unsupported } from '../xcfa/index.js'
import { STATUS } from './status.js'

const showShared = async (request: Request, json: boolean): Promise<number> => {
  const { program } = await loadProgram(request)
  process.stdout.write(json ? `${JSON.stringify(protectionOf(program), null, 2)}\n` : protectionText(program))
  return 0
}

export const show = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, SHOW_OPTIONS)
  const request = requestFrom(parsed, Date.now())
  try {
    if (parsed.options.has('shared')) return await showShared(request, parsed.options.get('as')?.[0] === 'json')
    const analysis = (Object.keys(ANALYSES) as (keyof typeof ANALYSES)[]).find((name) => parsed.options.has(name))
    const as = analysis ?? ((parsed.options.get('as')?.[0] ?? 'xcfa') as keyof typeof FORMS)
    const stage = parsed.options.get('stage')?.[0] ?? 'prepared'
    process.stdout.write(await showProgram(request, { as, stage }))
    return 0
  } catch (error) {
    if (error instanceof InputError) {
      for (const diagnostic of error.diagnostics) console.error(diagnosticLine(diagnostic))
      return STATUS.wrongInput
    }
    if (!(error instanceof Unsupported)) throw error
    console.error(`heddle: ${error.message}`)
    return STATUS.unknown
  }
}
