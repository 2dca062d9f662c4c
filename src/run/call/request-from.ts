// From the call's words to the request that engines understand, for the command line and the library alike.

import { existsSync, readFileSync, statSync } from 'node:fs'
import type { EngineSpec } from '../../engine/index.js'
import { misfit } from '../../engine/index.js'
// Not through the folders' doors: their engines and analyses are for the processes that run them.
import { ENGINES } from '../../engine/registry.js'
import { isProperty, PROPERTIES, type Property, parsePropertyFile } from '../../property/names.js'
import { checkModelName } from './model-names.js'
import {
  type CommandOption,
  megabytes,
  milliseconds,
  type Parsed,
  suggest,
  UsageError,
  VERIFY_OPTIONS,
} from './options.js'
import type { Request } from './request.js'
import { readTask } from './task-definition.js'

/** The options of verify with those of all engines: a name that several engines have is one option here. */
export const verifyTable = (): readonly CommandOption[] => {
  const engineOptions = new Map<string, CommandOption>()
  for (const engine of ENGINES)
    for (const [name, spec] of Object.entries(engine.options)) {
      const before = engineOptions.get(name)
      // Where one engine takes any text, what is one of the values for another is looked at when the engine is known.
      const isOpen = !Array.isArray(spec.values) || (before !== undefined && before.values === undefined)
      const values = isOpen ? undefined : [...new Set([...(before?.values ?? []), ...(spec.values as string[])])]
      engineOptions.set(name, {
        name,
        value: values ? values.join('|') : typeof spec.values === 'string' ? spec.values.toUpperCase() : before!.value!,
        ...(values && { values }),
        help: spec.help,
      })
    }
  return [...VERIFY_OPTIONS, ...engineOptions.values()]
}

export const requestFrom = (parsed: Parsed, now: number, texts?: Request['texts']): Request => {
  const option = (name: string): string | undefined => parsed.options.get(name)?.[0]
  const standard = (name: string): string => option(name) ?? VERIFY_OPTIONS.find((o) => o.name === name)!.default!
  if (parsed.files.length === 0 && !parsed.options.has('p')) throw new UsageError('no file given: heddle verify FILE.c')
  const task = parsed.files.length === 1 && /\.ya?ml$/.test(parsed.files[0]!) ? readTask(parsed.files[0]!) : undefined
  const files = task?.files ?? parsed.files
  for (const file of files) if (texts?.[file] === undefined) checkReadable(file)
  const property = propertyFrom(option('property') ?? task?.properties[0]?.property ?? 'assert')
  const engine = boundedEngine(parsed) ?? standard('engine')
  return {
    files,
    ...(texts && { texts }),
    property,
    engine,
    engineOptions: engineOptionsFrom(parsed, engine, property),
    dataModel: (option('data-model') ?? task?.dataModel ?? 'lp64') as Request['dataModel'],
    entry: standard('entry'),
    defines: parsed.options.get('D') ?? [],
    includeDirs: [...(parsed.options.get('I') ?? []), ...(parsed.options.get('isystem') ?? [])],
    ...(parsed.options.has('U') && { undefines: parsed.options.get('U')! }),
    ...(parsed.options.has('include') && { preincludes: parsed.options.get('include')! }),
    ...(option('std') !== undefined && { std: option('std')! }),
    ...(option('cpp') !== undefined && { cpp: option('cpp')! }),
    ...((parsed.options.has('assume-pure') || standard('extern') === 'havoc') && {
      externs: {
        pure: (parsed.options.get('assume-pure') ?? []).flatMap((names) => names.split(',')),
        havoc: standard('extern') === 'havoc',
      },
    }),
    ...(option('volatile-is-atomic') === 'on' && { volatileIsAtomic: true }),
    headers: standard('headers') as NonNullable<Request['headers']>,
    arith: standard('arith') as Request['arith'],
    solver: standard('solver'),
    memoryModel: memoryModelFrom(standard('memory-model'), engine),
    // Task definitions are of a competition whose programs are sequentially consistent.
    ...(option('memory-model') === undefined && !task && { byOrders: true }),
    spuriousWakeups: standard('spurious-wakeups') === 'on',
    mallocMayFail: option('malloc-may-fail') === 'on',
    ...errorFunctionsFrom(parsed),
    deadline: now + milliseconds(standard('timeout')),
    memoryMb: megabytes(standard('memory')),
    ...(option('proofs') !== undefined && { proofs: option('proofs')! }),
    ...queueFrom(option('queue'), engine),
  }
}

/** Bounded on purpose: the engine that a bound is for, where none is named. */
const boundedEngine = (parsed: Parsed): string | undefined => {
  if ((parsed.options.get('engine')?.[0] ?? 'auto') !== 'auto') return undefined
  const bounds = Object.entries(BOUNDED_BY).filter(([option]) => parsed.options.has(option))
  if (bounds.length > 1)
    throw new UsageError(`${bounds.map(([option]) => `--${option}`).join(' and ')}: one of them at a time`)
  return bounds[0]?.[1]
}

const BOUNDED_BY: Readonly<Record<string, string>> = { contexts: 'explicit', unroll: 'bmc' }

/**
 * Sequential consistency and store buffers are for every engine, models as axioms for bmc. Under rc11 other engines find
 * violations, and prove what is race-free (src/engine/weak-orders.ts).
 */
const memoryModelFrom = (text: string, engine: string): string => {
  if (text === 'sc' || text === 'tso' || text === 'pso') return text
  checkModelName(text)
  if (engine !== 'auto' && engine !== 'bmc' && (text !== 'rc11' || engine === 'esst'))
    throw new UsageError(
      `--memory-model ${text}: the engine ${engine} takes sc, tso, pso and rc11; bmc takes models as axioms`,
    )
  return text
}

/** Only the engine graphs searches in parts. */
const queueFrom = (url: string | undefined, engine: string): Pick<Request, 'queue'> => {
  if (url === undefined) return {}
  if (engine !== 'graphs') throw new UsageError('--queue divides the search of --engine graphs: say so')
  return { queue: url }
}

/** --error-function abort,my_panic */
const errorFunctionsFrom = (parsed: Parsed): Pick<Request, 'errorFunctions'> => {
  const names = (parsed.options.get('error-function') ?? []).flatMap((list) => list.split(','))
  const wrong = names.find((name) => !/^[A-Za-z_]\w*$/.test(name))
  if (wrong !== undefined) throw new UsageError(`--error-function ${wrong}: not the name of a function`)
  return names.length > 0 ? { errorFunctions: names } : {}
}

const checkReadable = (file: string): void => {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`)
  if (statSync(file).isDirectory())
    throw new UsageError(`${file}: is a directory, not a C file (heddle ci ${file} verifies the programs in it)`)
}

/** A name, or the path of an SV-COMP property file. */
const propertyFrom = (text: string): Property => {
  if (isProperty(text)) return text
  if (!text.endsWith('.prp'))
    throw new UsageError(
      `--property ${text}${suggest(text, PROPERTIES)}: not one of ${PROPERTIES.join(', ')}, nor a .prp file`,
    )
  checkReadable(text)
  const parsed = parsePropertyFile(readFileSync(text, 'utf8'))
  if (parsed.kind === 'wrong') throw new UsageError(`${text}: ${parsed.reason}`)
  return parsed.property
}

const engineOptionsFrom = (parsed: Parsed, name: string, property: Property): Record<string, string> => {
  const engine: EngineSpec | undefined = ENGINES.find((e) => e.name === name)
  const result: Record<string, string> = {}
  for (const [option, values] of parsed.options) {
    const value = values[0]!
    if (!ENGINES.some((e) => e.options[option])) continue
    if (!engine) throw new UsageError(`--${option} belongs to a certain engine: say --engine NAME`)
    const spec = engine.options[option]
    if (!spec) throw new UsageError(`--${option} has no meaning for --engine ${name}`)
    if (Array.isArray(spec.values) && !spec.values.includes(value))
      throw new UsageError(`--${option} ${value}: ${name} takes ${spec.values.join(', ')}`)
    if (spec.values === 'number' && !/^\d+$/.test(value)) throw new UsageError(`--${option} ${value}: not a number`)
    result[option] = value
  }
  const problem = engine && misfit(engine, result, property)
  if (problem) throw new UsageError(problem)
  return result
}
