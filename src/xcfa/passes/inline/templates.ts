// The templates of a program: the entry, and one for each function that is started. See inline.ts.
import {
  BOOL,
  constant,
  type Edge,
  type Expr,
  type Label,
  type Position,
  type Procedure,
  Unsupported,
  type Variable,
  varExpr,
} from '../../index.js'
import { copyProcedure } from './copy.js'
import {
  edge,
  freshVariable,
  type Growth,
  grow,
  haltLocation,
  location,
  NOWHERE,
  procedureNamed,
  type Template,
} from './growth.js'
import { type Inliner, pointerOf, THREAD_EPILOGUE, THREAD_MAIN, templateName } from './inline.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const UNNAMED: Variable = { id: 0, name: 'argument', type: BOOL, scope: 'local', initial: 0 }

/** The entry: returning from it ends the program, pthread_exit in it only the thread. */
export const expandEntry = (inliner: Inliner): Template => {
  const procedure = procedureNamed(inliner, inliner.unit.entry, NOWHERE)
  const growth = grow(inliner, procedure.name, procedure, true)
  const { template } = growth
  const ends = { position: procedure.position, text: `${procedure.name} ends` }
  growth.threadExit = location(growth, false, procedure.position)
  const exit = location(growth, false, procedure.position)
  const halt = haltLocation(
    growth,
    { kind: 'exit', text: `return from ${procedure.name}`, returns: true },
    procedure.position,
  )
  edge(growth, exit, halt, [], ends)
  const start = location(growth, false, procedure.position)
  const args = entryArguments(growth, procedure)
  edge(growth, template.initial, start, args.labels, { ...ends, text: `${procedure.name} starts` })
  copyProcedure(growth, procedure, args.values, start, {
    stack: [],
    atomic: false,
    site: undefined,
    exit,
    target: undefined,
  })
  expandEpilogue(growth, ends)
  return template
}

/** argc is arbitrary; a program that looks at argv has been told so in lowering. */
const entryArguments = (growth: Growth, procedure: Procedure): { labels: Label[]; values: Expr[] } => {
  const { liveAtEntry } = growth.inliner.facts(procedure)
  const labels: Label[] = []
  const values = procedure.parameters.map((parameter) => {
    if (!liveAtEntry.has(parameter)) return constant(parameter.type, 0)
    if (parameter.type.kind !== 'int') throw new Unsupported(`a use of ${parameter.name}`, procedure.position)
    const target = freshVariable(growth, parameter)
    const most = 2 ** Math.min(parameter.type.width - 1, 31) - 1
    labels.push({
      kind: 'havoc',
      target,
      range: { low: constant(target.type, 0), high: constant(target.type, most) },
    })
    return varExpr(target)
  })
  return { labels, values }
}

const expandEpilogue = (growth: Growth, site: { position: Position; text: string }): void => {
  const { inliner, template } = growth
  const epilogue = inliner.unit.procedures.get(THREAD_EPILOGUE)
  if (!template.edges.some((e) => e.target === growth.threadExit)) return
  if (!epilogue) {
    edge(growth, growth.threadExit, template.final, [], { ...site, library: true })
    return
  }
  const exit = { stack: [], atomic: false, site, exit: template.final, target: undefined }
  copyProcedure(growth, epilogue, [], growth.threadExit, exit)
}

/** A started function f: `__heddle_thread_main(f, arg)` of the pthread model. */
export const expandThread = (inliner: Inliner, name: string): Template => {
  const procedure = procedureNamed(inliner, name, NOWHERE)
  const growth = grow(inliner, templateName(inliner.unit, name), procedure, false)
  const { template } = growth
  const argument = freshVariable(growth, { ...(procedure.parameters[0] ?? UNNAMED), type: pointerOf(inliner.unit) })
  ;(template as Mutable<Template>).parameters = [argument]
  const wrapper = inliner.unit.procedures.get(THREAD_MAIN[procedure.result?.type.kind === 'int' ? 1 : 0])
  const site = { position: procedure.position, text: `${name} ends` }
  const frame = { stack: [], atomic: false, site, exit: template.final, target: undefined }
  if (!wrapper) {
    copyProcedure(growth, procedure, [varExpr(argument)], template.initial, { ...frame, site: undefined })
    return template
  }
  const address = constant(pointerOf(inliner.unit), inliner.addressOf.get(name) ?? 0)
  // The place from which the epilogue runs is where pthread_exit leads, from anywhere in f.
  const callsEpilogue = (e: Edge): boolean => e.labels.some((l) => l.kind === 'call' && l.callee === THREAD_EPILOGUE)
  const epilogue = wrapper.edges.find(callsEpilogue)?.source
  copyProcedure(growth, wrapper, [address, varExpr(argument)], template.initial, frame, epilogue)
  return template
}
