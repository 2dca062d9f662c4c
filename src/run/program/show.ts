// What the front end understood, before or after the passes, in the form that is asked for.
import { girText } from '../../engine/bmc/interleaving/gir-text.js'
import { moversText } from '../../engine/redcomp/movers-text.js'
import { errorsOf, type Property } from '../../property/index.js'
import type { Program } from '../../xcfa/index.js'
import { prepare } from '../../xcfa/passes/index.js'
import { pointsToText, toC, toDot, toJson, toText } from '../../xcfa/print/index.js'
import type { Request } from '../call/request.js'
import { loadProgram } from './load.js'

export const FORMS = { xcfa: toText, dot: toDot, json: toJson, c: toC }
export const ANALYSES = {
  movers: moversText,
  gir: girText,
  'points-to': (raw: Program) => pointsToText(raw),
}

/** `as` is a form of the program, or an analysis of it. */
export const showProgram = async (
  request: Request,
  { as, stage }: { readonly as: keyof typeof FORMS | keyof typeof ANALYSES; readonly stage: string },
): Promise<string> => {
  const { program: raw } = await loadProgram(request)
  const property = request.property as Property
  if (as in ANALYSES) return ANALYSES[as as keyof typeof ANALYSES](raw, property)
  const program = stage === 'raw' ? raw : prepare(errorsOf(raw, property), { slice: property !== 'no-data-race' })
  return FORMS[as as keyof typeof FORMS](program)
}
