// From the typed tree of C to procedures over variables and memory: every function that is reached from the entry.
import { type Call, INT, type Label, type Procedure, sameType, type Unit, Unsupported } from '../../../xcfa/index.js'
import { THREAD_MAIN } from '../../../xcfa/passes/inline/inline.js'
import { narrowCallees } from '../../../xcfa/passes/memory/callees.js'
import type { CFunction, CProgram } from '../ast.js'
import { InputError } from '../diagnostic.js'
import { THREAD_EPILOGUE } from '../library/index.js'
import { createContext, type LowerOptions, type UnitContext } from './context.js'
import { isAggregate } from './layout.js'
import { lowerFunction } from './procedures.js'

export { MACHINE_ORDER, WEAK_ORDER } from './calls/atomics.js'
export { isIntrinsic } from './calls/intrinsics.js'
export type { LowerOptions } from './context.js'
export { ATOMIC_RECORD } from './places.js'

export const lower = (program: CProgram, options: LowerOptions): Unit => {
  const name = options.entry ?? 'main'
  const entry = program.functions.get(name)
  if (!entry?.body)
    throw new InputError([
      { severity: 'error', text: `the program has no function ${name}: --entry FUNCTION begins with another one` },
    ])
  const unit = createContext(program, options)
  const roots = [entry, ...THREAD_MAIN.map((model) => program.functions.get(model))]
  for (const fn of roots) if (fn?.body) unit.wanted.add(fn)
  for (const extern of program.undefinedExterns)
    unit.notes.add(`${extern.name} is declared and not defined: it is zero`)
  const { procedures, failures } = lowerAll(unit)
  linkCandidates(unit, procedures)
  return narrowCallees({
    dataModel: options.dataModel,
    procedures: countsThreads(unit) ? procedures : withoutThreadCount(unit, procedures),
    entry: name,
    globals: unit.globals,
    objects: unit.objects,
    memory: unit.memory,
    frames: unit.frames,
    ...(unit.space.gap !== undefined ? { gap: unit.space.gap } : {}),
    failures,
    notes: [...unit.notes],
  })
}

/** Lowers what is reached. What cannot be lowered is an error only if inlining reaches it too. */
const lowerAll = (unit: UnitContext) => {
  const procedures = new Map<string, Procedure>()
  const failures = new Map<string, Unsupported>()
  // The set grows while it is walked.
  for (const fn of unit.wanted) {
    const epilogue = unit.program.functions.get(THREAD_EPILOGUE.name)
    if (epilogue?.body && THREAD_EPILOGUE.neededBy.some((user) => user === fn.name)) unit.wanted.add(epilogue)
    try {
      procedures.set(fn.name, lowerFunction(unit, fn))
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      failures.set(fn.name, error)
    }
  }
  return { procedures, failures }
}

/** A call through a pointer may go to every function whose address is used and whose parameters fit. */
const linkCandidates = (unit: UnitContext, procedures: ReadonlyMap<string, Procedure>): void => {
  for (const { call, candidates } of unit.indirect)
    for (const fn of unit.functions.keys()) if (fits(call, fn, procedures)) candidates.push(fn.name)
}

const fits = (call: Call, fn: CFunction, procedures: ReadonlyMap<string, Procedure>): boolean => {
  const procedure = procedures.get(fn.name)
  if (!procedure) return mayFit(call, fn)
  const isOpen = fn.type.variadic
  if (!isOpen && procedure.parameters.length !== call.args.length) return false
  const parameters = fn.takesArguments ? procedure.parameters.slice(0, -1) : procedure.parameters
  const doFit = parameters.every((parameter, i) => {
    const arg = call.args[i]
    return arg !== undefined ? sameKind(arg.type, parameter.type) : isOpen
  })
  if (doFit && fn.takesArguments)
    throw new Unsupported(`a call of ${fn.name} through a pointer, with a variable argument list,`, fn.position)
  return doFit
}

/** Of a function that could not be lowered only the declaration is known; records are passed in ways of their own. */
const mayFit = (call: Call, { type }: CFunction): boolean =>
  type.unprototyped === true ||
  type.variadic ||
  [type.result, ...type.parameters].some(isAggregate) ||
  type.parameters.length === call.args.length

const sameKind = (a: Call['args'][number]['type'], b: typeof a): boolean =>
  sameType(a, b) ||
  (a.kind === 'int' && b.kind === 'int' && Math.max(a.width, INT.width) === Math.max(b.width, INT.width))

const countsThreads = (unit: UnitContext): boolean => unit.globals.includes(unit.threadCount)

const withoutThreadCount = (unit: UnitContext, procedures: Map<string, Procedure>): Map<string, Procedure> => {
  const isCount = (label: Label): boolean => label.kind === 'assign' && label.target === unit.threadCount
  const clean = (procedure: Procedure): Procedure => ({
    ...procedure,
    edges: procedure.edges.map((edge) =>
      edge.labels.some(isCount) ? { ...edge, labels: edge.labels.filter((label) => !isCount(label)) } : edge,
    ),
  })
  return new Map([...procedures].map(([name, procedure]) => [name, clean(procedure)]))
}
