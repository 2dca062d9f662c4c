// Expansion of one template: copies of procedures, linked call by call. See inline.ts.
import {
  add,
  and,
  BOOL,
  cast,
  children,
  constant,
  type Edge,
  type Expr,
  eq,
  type Halt,
  type Label,
  type Location,
  type MemoryObject,
  mul,
  ne,
  type Position,
  type Procedure,
  type Sync,
  sameType,
  substitute,
  Unsupported,
  type Variable,
  varExpr,
  variablesOf,
} from '../index.js'
import { type Inliner, pointerOf, THREAD_EPILOGUE, THREAD_MAIN, templateName } from './inline.js'
import { instancesOf, reserve, strideOf } from './inline-addresses.js'
import { normalAddress } from './inline-expr.js'
import { UNINITIALISED } from './inline-tidy.js'
import { mapExpressions } from './labels.js'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A template while it grows. */
export interface Template extends Procedure {
  readonly locations: Location[]
  readonly edges: Edge[]
  readonly locals: Variable[]
  readonly objects: MemoryObject[]
  /** Labels that make these frame objects arbitrary. */
  readonly uninitialised: Map<Label, MemoryObject>
}

interface Growth {
  readonly inliner: Inliner
  readonly template: Template
  /** The number of the thread as an expression: main is 0. */
  readonly self: Expr
  /** Where pthread_exit leads. */
  threadExit: Location
  /** How many variables have the name already. */
  readonly names: Map<string, number>
}

/** Where a copy of a procedure stands. */
interface Frame {
  /** Procedures whose copies are open, outermost first. */
  readonly stack: readonly string[]
  /** The call is inside an atomic block. */
  readonly atomic: boolean
  /** What that block is as synchronisation. */
  readonly sync: Sync | undefined
  /** The program's call of a library model that this belongs to. */
  readonly site: { readonly position: Position; readonly text: string } | undefined
  readonly exit: Location
  readonly variables: Map<Variable, Variable>
  readonly constants: Map<Variable, Expr>
  /** The copies of the procedure's frame objects, by the variables for their addresses. */
  readonly objects: Map<Variable, MemoryObject>
}

const isLibrary = (position: Position): boolean => position.file.startsWith('<')

// ---- templates

const grow = (inliner: Inliner, name: string, procedure: Procedure, isMain: boolean): Growth => {
  const self: Variable = { ...procedure.self, id: inliner.fresh() }
  const place = (kind: Location['kind']): Location => ({
    id: inliner.fresh(),
    kind,
    atomic: false,
    position: procedure.position,
  })
  const [initial, final] = [place('plain'), place('final')]
  const template: Template = {
    name,
    parameters: [],
    locals: [self],
    self,
    locations: [initial, final],
    initial,
    final,
    edges: [],
    objects: [],
    uninitialised: new Map(),
    position: procedure.position,
  }
  return {
    inliner,
    template,
    self: isMain ? constant(self.type, 0) : varExpr(self),
    threadExit: final,
    names: new Map([[self.name, 1]]),
  }
}

/** The entry: returning from it ends the program, pthread_exit in it only the thread. */
export const expandEntry = (inliner: Inliner): Template => {
  const procedure = procedureNamed(inliner, inliner.unit.entry, NOWHERE)
  const growth = grow(inliner, procedure.name, procedure, true)
  const { template } = growth
  const ends = { position: procedure.position, text: `${procedure.name} ends` }
  growth.threadExit = location(growth, false, procedure.position)
  const exit = location(growth, false, procedure.position)
  const halt = haltLocation(growth, { kind: 'exit', text: `return from ${procedure.name}` }, procedure.position)
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

const UNNAMED: Variable = { id: 0, name: 'argument', type: BOOL, scope: 'local', initial: 0 }

const NOWHERE: Position = { file: '', line: 1, column: 1 }

/** argc is arbitrary; argv is not modelled, and an error only for a program that looks at it. */
const entryArguments = (growth: Growth, procedure: Procedure): { labels: Label[]; values: Expr[] } => {
  const { liveAtEntry } = growth.inliner.facts(procedure)
  const labels: Label[] = []
  const values = procedure.parameters.map((parameter) => {
    if (!liveAtEntry.has(parameter)) return constant(parameter.type, 0)
    if (parameter.type.kind !== 'int') throw new Unsupported(`arguments of ${procedure.name}`, procedure.position)
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

// ---- copies

interface Call {
  readonly stack: readonly string[]
  readonly atomic: boolean
  readonly sync?: Sync | undefined
  readonly site: Frame['site']
  readonly exit: Location
  readonly target: Variable | undefined
}

const procedureNamed = (inliner: Inliner, name: string, position: Position): Procedure => {
  const failure = inliner.unit.failures?.get(name)
  if (failure) throw failure
  const procedure = inliner.unit.procedures.get(name)
  if (!procedure) throw new Unsupported(`function ${name} without a definition`, position)
  return procedure
}

/** A copy of the procedure that starts at `entry` and ends at `call.exit`. */
const copyProcedure = (
  growth: Growth,
  procedure: Procedure,
  args: readonly Expr[],
  entry: Location,
  call: Call,
  threadExit?: Location,
): void => {
  const frame = openFrame(growth, procedure, call)
  const start = bindArguments(growth, procedure, args, entry, frame)
  const copies = new Map<Location, Location>([[procedure.initial, start]])
  const copyOf = (original: Location): Location => {
    let copy = copies.get(original)
    if (!copy) copies.set(original, (copy = copyLocation(growth, procedure, original, frame)))
    return copy
  }
  const outgoing = new Map<Location, Edge[]>()
  for (const e of procedure.edges) outgoing.set(e.source, [...(outgoing.get(e.source) ?? []), e])
  if (procedure.initial === procedure.final) edge(growth, start, frame.exit, [], siteOf(frame, undefined, procedure))
  // Breadth first over what constants leave reachable; calls are expanded on the way.
  const seen = new Set([procedure.initial])
  if (threadExit) {
    growth.threadExit = copyOf(threadExit)
    seen.add(threadExit)
  }
  for (const original of seen)
    for (const e of outgoing.get(original) ?? [])
      if (copyEdge(growth, e, copyOf(original), () => copyOf(e.target), frame, procedure)) seen.add(e.target)
}

const openFrame = (growth: Growth, procedure: Procedure, call: Call): Frame => {
  const { inliner } = growth
  const variables = new Map<Variable, Variable>()
  const constants = new Map<Variable, Expr>([[procedure.self, growth.self]])
  const { result } = procedure
  if (result && call.target && sameType(result.type, call.target.type)) variables.set(result, call.target)
  const objects = new Map<Variable, MemoryObject>()
  for (const [variable, object] of inliner.frames(procedure)) {
    const copy = frameObject(growth, object)
    objects.set(variable, copy)
    constants.set(variable, frameAddress(growth, copy))
  }
  return { ...call, sync: call.sync, stack: [...call.stack, procedure.name], variables, constants, objects }
}

/** A frame object of its own for this copy. */
const frameObject = (growth: Growth, object: MemoryObject): MemoryObject => {
  const { inliner, template } = growth
  const stride = strideOf(object.size)
  const instances = instancesOf('thread', stride)
  const base = reserve(inliner.space, stride, instances, object.position ?? NOWHERE)
  const copy: MemoryObject = { ...object, id: inliner.fresh(), stride, instances, base }
  inliner.objects.push(copy)
  template.objects.push(copy)
  return copy
}

/** The address of the thread's own instance. */
const frameAddress = (growth: Growth, object: MemoryObject): Expr => {
  const pointer = pointerOf(growth.inliner.unit)
  const offset = { kind: 'int', width: pointer.width, signed: true } as const
  const instance = mul(cast(offset, growth.self), constant(offset, object.stride))
  return normalAddress(add(constant(pointer, object.base), instance))
}

const LARGEST_SUBSTITUTED = 9

/**
 * Constants, and small expressions over the caller's own variables, stand for the parameter: a callee cannot change
 * them before it returns.
 */
const isSubstitutable = (e: Expr): boolean =>
  sizeOf(e) <= LARGEST_SUBSTITUTED && [...variablesOf(e)].every((variable) => variable.scope === 'local')

const sizeOf = (e: Expr): number => children(e).reduce((sum, child) => sum + sizeOf(child), 1)

/** Parameters get their arguments; those that nobody overwrites need no variable. */
const bindArguments = (
  growth: Growth,
  procedure: Procedure,
  args: readonly Expr[],
  entry: Location,
  frame: Frame,
): Location => {
  const facts = growth.inliner.facts(procedure)
  const labels: Label[] = []
  procedure.parameters.forEach((parameter, i) => {
    const given = args[i]
    const arg = given && convert(parameter, given)
    if (arg && isSubstitutable(arg) && !facts.written.has(parameter)) frame.constants.set(parameter, arg)
    else if (arg) labels.push({ kind: 'assign', target: variableOf(growth, frame, parameter), value: arg })
    else if (facts.liveAtEntry.has(parameter))
      labels.push({ kind: 'havoc', target: variableOf(growth, frame, parameter) })
  })
  propagate(growth, procedure, frame)
  const start = location(growth, frame.atomic || entry.atomic, entry.position)
  edge(growth, entry, start, labels, siteOf(frame, undefined, procedure))
  return start
}

const convert = (variable: Variable, e: Expr): Expr => (sameType(variable.type, e.type) ? e : cast(variable.type, e))

/** Variables with one value, where that value is a constant here. */
const propagate = (growth: Growth, procedure: Procedure, frame: Frame): void => {
  const { single } = growth.inliner.facts(procedure)
  for (let changed = true; changed; ) {
    changed = false
    for (const [variable, e] of single) {
      if (frame.constants.has(variable)) continue
      const result = substitute(e, (v) => frame.constants.get(v))
      if (result.kind !== 'const') continue
      frame.constants.set(variable, result)
      changed = true
    }
  }
}

const freshVariable = (growth: Growth, variable: Variable): Variable => {
  const copy: Variable = { ...variable, id: growth.inliner.fresh(), name: uniqueName(growth, variable.name) }
  growth.template.locals.push(copy)
  return copy
}

/** Copies of variables in one template are told apart by number: i, i.2, i.3. */
const uniqueName = (growth: Growth, name: string): string => {
  const count = (growth.names.get(name) ?? 0) + 1
  growth.names.set(name, count)
  return count === 1 ? name : `${name}.${count}`
}

const variableOf = (growth: Growth, frame: Frame, variable: Variable): Variable => {
  if (variable.scope === 'global') return variable
  let copy = frame.variables.get(variable)
  if (!copy) frame.variables.set(variable, (copy = freshVariable(growth, variable)))
  return copy
}

// ---- locations and edges

const location = (growth: Growth, atomic: boolean, position: Position): Location => {
  const created: Location = { id: growth.inliner.fresh(), kind: 'plain', atomic, position }
  growth.template.locations.push(created)
  return created
}

const haltLocation = (growth: Growth, reason: Halt, position: Position): Location => {
  const created: Location = { id: growth.inliner.fresh(), kind: 'halt', atomic: false, position, reason }
  growth.template.locations.push(created)
  return created
}

const copyLocation = (growth: Growth, procedure: Procedure, original: Location, frame: Frame): Location => {
  if (original === procedure.final) return frame.exit
  if (original.kind === 'thread-exit') return growth.threadExit
  const copy: Location = {
    ...original,
    id: growth.inliner.fresh(),
    // Who ends inside an atomic block shows nobody the half of it; undefined behaviour promises nothing.
    atomic: original.reason?.kind !== 'undefined' && (original.atomic || frame.atomic),
    position: frame.site?.position ?? original.position,
  }
  growth.template.locations.push(copy)
  return copy
}

interface Site {
  readonly position: Position
  readonly text: string
  readonly library?: boolean
  readonly sync?: Sync
}

const siteOf = (frame: Frame, original: Edge | undefined, procedure: Procedure): Site => {
  if (frame.site) return { ...frame.site, library: true }
  return original
    ? { position: original.position, text: original.text }
    : { position: procedure.position, text: procedure.name }
}

const edge = (growth: Growth, source: Location, target: Location, labels: readonly Label[], site: Site): void => {
  const { inliner, template } = growth
  if (inliner.countEdge() > inliner.edgeLimit)
    throw new Unsupported('a program too large after inlining', site.position)
  const created: Edge = { id: inliner.fresh(), source, target, labels, ...site }
  template.edges.push(created)
}

/** Copies an edge; false where a constant shows that it is never taken. */
const copyEdge = (
  growth: Growth,
  original: Edge,
  source: Location,
  target: () => Location,
  frame: Frame,
  procedure: Procedure,
): boolean => {
  const site = siteOf(frame, original, procedure)
  const replace = (e: Expr): Expr => normalised(substitute(e, (variable) => replacement(growth, frame, variable)))
  const labels: Label[] = []
  for (const label of original.labels) {
    const copy = retargeted(growth, frame, mapExpressions(label, replace))
    if (copy.kind === 'assume' && copy.condition.kind === 'const') {
      if (copy.condition.value === 0) return false
      continue
    }
    if (copy.kind === 'primitive' && copy.name.startsWith('unsupported: '))
      throw new Unsupported(copy.name.slice('unsupported: '.length), site.position)
    const made = placed(growth, copy, frame)
    const object = arbitraryObject(frame, label)
    if (object) growth.template.uninitialised.set(made, object)
    labels.push(made)
  }
  const own = original.sync?.object ? { ...original.sync, object: replace(original.sync.object) } : original.sync
  const sync = frame.atomic ? inBlock(frame.sync, own) : own
  const tagged = sync ? { ...site, sync } : site
  const [first] = labels
  if (first?.kind === 'call') expandCall(growth, first, source, target(), tagged, frame)
  else expandStarts(growth, labels, source, target(), tagged)
  return true
}

/** Inside an atomic block the block says what the step is. */
const inBlock = (outer: Sync | undefined, own: Sync | undefined): Sync => {
  const sync = outer ?? { kind: 'atomic' }
  return own?.spurious ? { ...sync, spurious: true } : sync
}

const arbitraryObject = (frame: Frame, label: Label): MemoryObject | undefined => {
  if (label.kind !== 'primitive' || !label.name.startsWith(UNINITIALISED)) return undefined
  const [address] = label.args
  return address?.kind === 'var' ? frame.objects.get(address.variable) : undefined
}

const normalised = (e: Expr): Expr => (e.type.kind === 'pointer' ? normalAddress(e) : e)

const replacement = (growth: Growth, frame: Frame, variable: Variable): Expr => {
  const known = frame.constants.get(variable)
  return known ?? varExpr(variableOf(growth, frame, variable))
}

const retargeted = (growth: Growth, frame: Frame, label: Label): Label => {
  if (!('target' in label) || label.target === undefined) return label
  return { ...label, target: variableOf(growth, frame, label.target) }
}

/** Labels that name memory get the program's region, and allocations an object of their own. */
const placed = (growth: Growth, label: Label, frame: Frame): Label => {
  switch (label.kind) {
    case 'load':
    case 'store':
      return { ...label, region: growth.inliner.memory }
    case 'allocate':
      return { ...label, object: heapCopy(growth, label.object, label.size, frame) }
    default:
      return label
  }
}

const LARGEST_UNKNOWN = 4096

const heapCopy = (growth: Growth, object: MemoryObject, size: Expr, frame: Frame): MemoryObject => {
  const { inliner } = growth
  const bytes = size.kind === 'const' ? Number(size.value) : Math.max(object.size, LARGEST_UNKNOWN)
  const position = frame.site?.position ?? object.position ?? NOWHERE
  if (bytes > 2 ** 27) throw new Unsupported(`an allocation of ${bytes} bytes`, position)
  const stride = strideOf(bytes)
  const instances = instancesOf('heap', stride)
  const base = reserve(inliner.space, stride, instances, position)
  const name = `${object.name}@${position.line}`
  const copy: MemoryObject = { ...object, id: inliner.fresh(), name, base, stride, size: bytes, instances, position }
  inliner.objects.push(copy)
  return copy
}

// ---- calls

const KNOWN_DEPTH = 512

const expandCall = (
  growth: Growth,
  label: Label & { kind: 'call' },
  source: Location,
  target: Location,
  site: Site,
  frame: Frame,
): void => {
  const { inliner } = growth
  if (typeof label.callee === 'string') {
    expandCallee(growth, label.callee, label, source, target, site, frame)
    return
  }
  const address = label.callee
  if (address.kind === 'const') {
    const name = inliner.functionAt.get(Number(address.value))
    if (name !== undefined) {
      expandCallee(growth, name, label, source, target, site, frame)
      return
    }
    const halt = haltLocation(growth, { kind: 'undefined', text: 'call of no function' }, site.position)
    edge(growth, source, halt, [], site)
    return
  }
  for (const name of label.candidates) {
    const start = location(growth, source.atomic, site.position)
    edge(growth, source, start, [{ kind: 'assume', condition: isFunction(inliner, address, name) }], site)
    expandCallee(growth, name, label, start, target, site, frame)
  }
  edge(
    growth,
    source,
    haltLocation(growth, { kind: 'undefined', text: 'call of no function of this type' }, site.position),
    [{ kind: 'assume', condition: isNone(inliner, address, label.candidates) }],
    site,
  )
}

const isFunction = (inliner: Inliner, address: Expr, name: string): Expr =>
  eq(address, constant(address.type, inliner.addressOf.get(name) ?? 0))

const isNone = (inliner: Inliner, address: Expr, names: readonly string[]): Expr =>
  and(...names.map((name) => ne(address, constant(address.type, inliner.addressOf.get(name) ?? 0))))

const expandCallee = (
  growth: Growth,
  name: string,
  label: Label & { kind: 'call' },
  source: Location,
  target: Location,
  site: Site,
  frame: Frame,
): void => {
  const { inliner } = growth
  if (name === THREAD_EPILOGUE && !inliner.unit.procedures.has(name)) {
    edge(growth, source, target, [], site)
    return
  }
  const procedure = procedureNamed(inliner, name, site.position)
  const depth = frame.stack.filter((open) => open === name).length
  const limit = label.args.some((arg) => arg.kind === 'const') ? KNOWN_DEPTH : inliner.recursionLimit
  if (depth > limit) throw new Unsupported(`recursion of ${name} deeper than ${limit}`, site.position)
  const here = frame.site ?? { position: site.position, text: site.text }
  const { exit, result } = resultPlace(growth, procedure, label.target, target, site, source.atomic)
  copyProcedure(growth, procedure, label.args, source, {
    stack: frame.stack,
    atomic: source.atomic,
    sync: site.sync,
    site: isLibrary(procedure.position) ? here : undefined,
    exit,
    target: result,
  })
}

/** Where the copy ends and what takes its result: the call's own target, unless their types differ. */
const resultPlace = (
  growth: Growth,
  procedure: Procedure,
  target: Variable | undefined,
  next: Location,
  site: Site,
  atomic: boolean,
): { readonly exit: Location; readonly result: Variable | undefined } => {
  const { result } = procedure
  if (!target || (result && sameType(result.type, target.type))) return { exit: next, result: target }
  const exit = location(growth, atomic, site.position)
  const own = result ? freshVariable(growth, result) : undefined
  const label: Label = own
    ? { kind: 'assign', target, value: cast(target.type, varExpr(own)) }
    : { kind: 'assign', target, value: constant(target.type, 0) }
  edge(growth, exit, next, [label], site)
  return { exit, result: own }
}

// ---- starts

/** A start through a pointer becomes one edge for each function that it may be. */
const expandStarts = (
  growth: Growth,
  labels: readonly Label[],
  source: Location,
  target: Location,
  site: Site,
): void => {
  const at = labels.findIndex((label) => label.kind === 'primitive' && label.name === 'start')
  const label = labels[at]
  if (label?.kind !== 'primitive') {
    edge(growth, source, target, labels, site)
    return
  }
  const { inliner } = growth
  const [address, arg] = [label.args[0]!, label.args[1]!]
  const [before, after] = [labels.slice(0, at), labels.slice(at + 1)]
  const start = (name: string): Label => {
    inliner.threads.add(name)
    return { kind: 'start', target: label.target!, procedure: templateName(inliner.unit, name), args: [arg] }
  }
  const tagged: Site = { ...site, sync: site.sync && site.sync.kind !== 'atomic' ? site.sync : { kind: 'start' } }
  const stop = (condition: readonly Label[]): void => {
    const halt = haltLocation(growth, { kind: 'undefined', text: 'start of no function' }, site.position)
    edge(growth, source, halt, [...before, ...condition], tagged)
  }
  if (address.kind === 'const') {
    const name = inliner.functionAt.get(Number(address.value))
    if (name === undefined) {
      stop([])
      return
    }
    edge(growth, source, target, [...before, start(name), ...after], tagged)
    return
  }
  const names = threadFunctions(inliner)
  for (const name of names) {
    const guard: Label = { kind: 'assume', condition: isFunction(inliner, address, name) }
    edge(growth, source, target, [...before, guard, start(name), ...after], tagged)
  }
  stop([{ kind: 'assume', condition: isNone(inliner, address, names) }])
}

/** Functions of one pointer, or of nothing, whose address is used. */
const threadFunctions = (inliner: Inliner): readonly string[] =>
  [...inliner.addressOf.keys()].filter((name) => {
    const parameters = inliner.unit.procedures.get(name)?.parameters
    return (
      parameters === undefined ||
      parameters.length === 0 ||
      (parameters.length === 1 && parameters[0]!.type.kind === 'pointer')
    )
  })
