// A template while it grows: its locations, edges, variables and frame objects, and the frame of each copy. See inline.ts.
import {
  add,
  cast,
  constant,
  type Edge,
  type Element,
  type Expr,
  type Halt,
  type Label,
  type Location,
  type MemoryObject,
  mul,
  type Position,
  type Procedure,
  type Sync,
  Unsupported,
  type Variable,
  varExpr,
  withoutDefinition,
} from '../../index.js'
import { instancesOf, reserve, strideOf } from './addresses.js'
import { normalAddress } from './expr.js'
import { type Inliner, pointerOf } from './inline.js'
/** A template while it grows. */
export interface Template extends Procedure {
  readonly locations: Location[]
  readonly edges: Edge[]
  readonly locals: Variable[]
  readonly objects: MemoryObject[]
  /** Labels that make these frame objects arbitrary. */
  readonly uninitialised: Map<Label, MemoryObject>
}

export interface Growth {
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
export interface Frame {
  /** Procedures whose copies are open, outermost first. */
  readonly stack: readonly string[]
  /** The call is inside an atomic block. */
  readonly atomic: boolean
  /** What that block is as synchronisation. */
  readonly sync: Sync | undefined
  /** The program's call of a library model that this belongs to. */
  readonly site: { readonly position: Position; readonly text: string; readonly element?: Element } | undefined
  readonly exit: Location
  readonly variables: Map<Variable, Variable>
  readonly constants: Map<Variable, Expr>
  /** The copies of the procedure's frame objects, by the variables for their addresses. */
  readonly objects: Map<Variable, MemoryObject>
}

export interface Call {
  readonly stack: readonly string[]
  readonly atomic: boolean
  readonly sync?: Sync | undefined
  readonly site: Frame['site']
  readonly exit: Location
  readonly target: Variable | undefined
}

export interface Site {
  readonly position: Position
  readonly text: string
  readonly library?: boolean
  readonly sync?: Sync
}

export const NOWHERE: Position = { file: '', line: 1, column: 1 }

export const grow = (inliner: Inliner, name: string, procedure: Procedure, isMain: boolean): Growth => {
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

export const procedureNamed = (inliner: Inliner, name: string, position: Position): Procedure => {
  const failure = failureOf(inliner, name, position)
  if (failure) throw failure
  return inliner.unit.procedures.get(name)!
}

/** Why there is no such procedure. */
export const failureOf = (inliner: Inliner, name: string, position: Position): Unsupported | undefined => {
  if (inliner.unit.procedures.has(name)) return undefined
  return inliner.unit.failures?.get(name) ?? withoutDefinition(name, position)
}

// ---- variables and objects

export const freshVariable = (growth: Growth, variable: Variable): Variable => {
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

export const variableOf = (growth: Growth, frame: Frame, variable: Variable): Variable => {
  if (variable.scope === 'global') return variable
  let copy = frame.variables.get(variable)
  if (!copy) frame.variables.set(variable, (copy = freshVariable(growth, variable)))
  return copy
}

/** A frame object of its own for this copy. */
export const frameObject = (growth: Growth, object: MemoryObject): MemoryObject => {
  const { inliner, template } = growth
  const stride = strideOf(object.size, inliner.space, object.align)
  const instances = instancesOf('thread', stride, inliner.space)
  const base = reserve(inliner.space, stride, instances, object.position ?? NOWHERE, object.align)
  const copy: MemoryObject = { ...object, id: inliner.fresh(), stride, instances, base }
  inliner.objects.push(copy)
  template.objects.push(copy)
  return copy
}

/** The address of the thread's own instance. */
export const frameAddress = (growth: Growth, object: MemoryObject): Expr => {
  const pointer = pointerOf(growth.inliner.unit)
  const offset = { kind: 'int', width: pointer.width, signed: true } as const
  const instance = mul(cast(offset, growth.self), constant(offset, object.stride))
  return normalAddress(add(constant(pointer, object.base), instance))
}

// ---- locations and edges

export const location = (growth: Growth, atomic: boolean, position: Position): Location => {
  const created: Location = { id: growth.inliner.fresh(), kind: 'plain', atomic, position }
  growth.template.locations.push(created)
  return created
}

export const haltLocation = (growth: Growth, reason: Halt, position: Position, atomic = false): Location => {
  const created: Location = { id: growth.inliner.fresh(), kind: 'halt', atomic, position, reason }
  growth.template.locations.push(created)
  return created
}

/** Executions end before what is not modelled. Nobody sees the half of an atomic block. */
export const cutAt = (
  growth: Growth,
  problem: Unsupported,
  source: Location,
  site: Site,
  guards: readonly Label[] = [],
): void => {
  growth.inliner.cut(problem)
  const halt = haltLocation(growth, { kind: 'assume', text: problem.message }, site.position, source.atomic)
  edge(growth, source, halt, guards, site)
}

export const copyLocation = (growth: Growth, procedure: Procedure, original: Location, frame: Frame): Location => {
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

export const siteOf = (frame: Frame, original: Edge | undefined, procedure: Procedure): Site => {
  if (frame.site) return { ...frame.site, library: true }
  return original
    ? { position: original.position, text: original.text }
    : { position: procedure.position, text: procedure.name }
}

export const edge = (
  growth: Growth,
  source: Location,
  target: Location,
  labels: readonly Label[],
  site: Site,
): void => {
  const { inliner, template } = growth
  if (inliner.countEdge() > inliner.edgeLimit)
    throw new Unsupported('a program too large after inlining', site.position)
  const created: Edge = { id: inliner.fresh(), source, target, labels, ...site }
  template.edges.push(created)
}
