// heddle show: what the front end understood, as text, DOT or JSON, before or after the passes.

import { girText } from '../engine/bmc/interleaving/gir-text.js'
import { moversText } from '../engine/redcomp/movers-text.js'
import { InputError } from '../frontend/c/index.js'
import { errorsOf, type Property } from '../property/index.js'
import { Unsupported } from '../xcfa/index.js'
import { prepare } from '../xcfa/passes/index.js'
import { toDot, toJson, toText } from '../xcfa/print/index.js'
import { diagnosticLine, loadProgram } from './load.js'
import { type CommandOption, parseArguments, VERIFY_OPTIONS } from './options.js'
import { requestFrom, STATUS } from './verify.js'

const FRONT_END = ['property', 'data-model', 'entry', 'D', 'I', 'cpp', 'spurious-wakeups', 'malloc-may-fail']

export const SHOW_OPTIONS: readonly CommandOption[] = [
  { name: 'as', value: 'FORM', values: ['xcfa', 'dot', 'json'], default: 'xcfa', help: 'text, graphviz, or JSON' },
  {
    name: 'stage',
    value: 'STAGE',
    values: ['raw', 'prepared'],
    default: 'prepared',
    help: 'as inlined, or as engines see it',
  },
  { name: 'gir', help: 'guarded independence: which steps of two threads commute, and under which condition' },
  { name: 'movers', help: 'mover classes of every edge, locks held, reducible blocks' },
  ...VERIFY_OPTIONS.filter((o) => FRONT_END.includes(o.name)),
]

export const show = async (args: readonly string[]): Promise<number> => {
  const parsed = parseArguments(args, SHOW_OPTIONS)
  const request = requestFrom(parsed, Date.now())
  try {
    const { program: raw } = await loadProgram(request)
    const stage = parsed.options.get('stage')?.[0] ?? 'prepared'
    const property = request.property as Property
    if (parsed.options.has('movers')) {
      process.stdout.write(moversText(raw, property))
      return 0
    }
    if (parsed.options.has('gir')) {
      process.stdout.write(girText(raw, property))
      return 0
    }
    const program = stage === 'raw' ? raw : prepare(errorsOf(raw, property), { slice: property !== 'no-data-race' })
    const form = parsed.options.get('as')?.[0] ?? 'xcfa'
    process.stdout.write({ xcfa: toText, dot: toDot, json: toJson }[form as 'xcfa' | 'dot' | 'json'](program))
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
