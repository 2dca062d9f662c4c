// Copies of procedures: with variables and objects of their own, and with the constants that reach them.
import {
  cast,
  children,
  type Edge,
  type Expr,
  type Label,
  type Location,
  type MemoryObject,
  type Position,
  type Procedure,
  type Sync,
  sameType,
  substitute,
  Unsupported,
  type Variable,
  varExpr,
  variablesOf,
} from '../../index.js'
import { mapExpressions } from '../labels.js'
import { instancesOf, reserve, strideOf } from './addresses.js'
import { expandCall, expandStarts } from './calls.js'
import { normalAddress } from './expr.js'
import {
  type Call,
  copyLocation,
  cutAt,
  edge,
  type Frame,
  frameAddress,
  frameObject,
  type Growth,
  location,
  NOWHERE,
  siteOf,
  variableOf,
} from './growth.js'
import { UNINITIALISED } from './tidy.js'
/** A copy of the procedure that starts at `entry` and ends at `call.exit`. */
export const copyProcedure = (
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

// ---- arguments

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

// ---- edges

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
    const problem = problemOf(copy, site.position)
    if (problem) {
      cutAt(growth, problem, source, site)
      return false
    }
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

const LARGEST_ALLOCATION = 2 ** 27

const problemOf = (label: Label, position: Position): Unsupported | undefined => {
  if (label.kind === 'primitive' && label.unsupported)
    return new Unsupported(label.unsupported.what, position, label.unsupported.lacks)
  if (label.kind === 'allocate' && label.size.kind === 'const' && label.size.value > LARGEST_ALLOCATION)
    return new Unsupported(`an allocation of ${label.size.value} bytes`, position)
  return undefined
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
  const stride = strideOf(bytes, inliner.space, object.align)
  const instances = instancesOf('heap', stride, inliner.space)
  const base = reserve(inliner.space, stride, instances, position, object.align)
  const element = frame.site?.element
  const site = `${element?.name || object.name}@${position.line}`
  const copies = inliner.objects.filter(({ name }) => name === site || name.startsWith(`${site}.`)).length
  const name = copies === 0 ? site : `${site}.${copies + 1}`
  const placedAt = { id: inliner.fresh(), name, base, stride, size: bytes, instances, position }
  const copy: MemoryObject = { ...object, ...placedAt, ...(element ? { element } : {}) }
  inliner.objects.push(copy)
  return copy
}
