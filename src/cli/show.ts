// heddle show: what the front end understood, as text, DOT or JSON, before or after the passes.

import { girText } from '../engine/bmc/interleaving/gir-text.js'
import { moversText } from '../engine/redcomp/movers-text.js'
import { InputError } from '../frontend/c/index.js'
import { errorsOf, type Property } from '../property/index.js'
import { type Program, Unsupported } from '../xcfa/index.js'
import { prepare } from '../xcfa/passes/index.js'
import { pointsToText, toC, toDot, toJson, toText } from '../xcfa/print/index.js'
import { diagnosticLine, loadProgram } from './load.js'
import { type Parsed, parseArguments } from './options.js'
import { SHOW_OPTIONS } from './show-options.js'
import { requestFrom, STATUS } from './verify.js'

const FORMS = { xcfa: toText, dot: toDot, json: toJson, c: toC }

const textOf = (parsed: Parsed, raw: Program, property: Property, stage: string): string => {
  if (parsed.options.has('movers')) return moversText(raw, property)
  if (parsed.options.has('gir')) return girText(raw, property)
  if (parsed.options.has('points-to')) return pointsToText(raw)
  const program = stage === 'raw' ? raw : prepare(errorsOf(raw, property), { slice: property !== 'no-data-race' })
  return FORMS[(parsed.options.get('as')?.[0] ?? 'xcfa') as keyof typeof FORMS](program)
}

export const show = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, SHOW_OPTIONS)
  const request = requestFrom(parsed, Date.now())
  try {
    const { program: raw } = await loadProgram(request)
    const stage = parsed.options.get('stage')?.[0] ?? 'prepared'
    const property = request.property as Property
    process.stdout.write(textOf(parsed, raw, property, stage))
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
