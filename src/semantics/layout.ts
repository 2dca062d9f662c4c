// Where the interpreter finds things: a slot for every variable, an order of the objects in memory, the edges that
// leave a location. Computed once a program.
import type {
  Edge,
  Expr,
  Location,
  MemoryObject,
  Position,
  Procedure,
  Program,
  Region,
  Slot,
  Value,
  Variable,
} from '../xcfa/index.js'
import {
  binaryValue,
  bitcastValue,
  castValue,
  compareValue,
  type Type,
  unaryValue,
  variablesOf,
} from '../xcfa/index.js'
import { expressionsOf, written } from '../xcfa/passes/labels.js'

/** The bounds of this way of running a program were met: more values, instances or threads than it can enumerate. */
export class BeyondBounds extends Error {
  constructor(
    readonly reason: string,
    readonly position: Position,
  ) {
    super(`${reason} at ${position.file}:${position.line}`)
  }
}

/** What expressions are evaluated over. */
export interface Frame {
  globals: readonly Value[]
  locals: readonly Value[]
}
type Evaluate = (frame: Frame) => Value

export interface TemplateLayout {
  readonly procedure: Procedure
  readonly index: number
  readonly slots: ReadonlyMap<Variable, number>
  readonly variables: readonly Variable[]
  readonly outgoing: ReadonlyMap<Location, readonly Edge[]>
  readonly locationIndex: ReadonlyMap<Location, number>
  /** Edges of main before it starts anybody, with how many of their labels: what those access is as good as local. */
  readonly alone: ReadonlyMap<Edge, number>
}

export interface ObjectLayout {
  readonly object: MemoryObject
  readonly index: number
  /** Instances that fit before the next object. */
  readonly capacity: number
}

export interface Layout {
  readonly program: Program
  readonly globals: ReadonlyMap<Variable, number>
  readonly templates: ReadonlyMap<string, TemplateLayout>
  /** By ascending base. */
  readonly objects: readonly ObjectLayout[]
  readonly evaluator: (template: TemplateLayout, e: Expr) => Evaluate
  /** Whether an access of `size` bytes at `offset` of an object hits exactly one cell of a typed region. */
  readonly hitsCell: (region: Region, object: MemoryObject, offset: number) => boolean
  /** Whether choices that lead to nothing but the end of the program are made. */
  readonly endsMatter: boolean
  /** A number for each text, so that keys of states stay short. */
  readonly intern: (text: string) => number
}

export interface LayoutOptions {
  /** By default they do; only leaks depend on how a program ends. */
  readonly endsMatter?: boolean
}

export const layoutOf = (program: Program, { endsMatter = true }: LayoutOptions = {}): Layout => {
  const globals = new Map(program.globals.map((v, i) => [v, i]))
  const templates = new Map<string, TemplateLayout>()
  for (const [name, procedure] of program.templates)
    templates.set(name, templateLayout(procedure, templates.size, aloneIn(program, procedure)))
  return {
    program,
    globals,
    templates,
    objects: objectLayouts(program),
    endsMatter,
    evaluator: evaluators(globals),
    hitsCell: cellFinder(),
    intern: interner(),
  }
}

const interner = (): Layout['intern'] => {
  const numbers = new Map<string, number>()
  return (text) => {
    let number = numbers.get(text)
    if (number === undefined) numbers.set(text, (number = numbers.size))
    return number
  }
}

const aloneIn = ({ main, templates }: Program, procedure: Procedure): TemplateLayout['alone'] => {
  const isStarted = [...templates.values()].some(({ edges }) =>
    edges.some(({ labels }) => labels.some((label) => label.kind === 'start' && label.procedure === procedure.name)),
  )
  if (procedure !== main || isStarted) return new Map()
  const outgoing = new Map<Location, Edge[]>()
  for (const edge of procedure.edges) outgoing.set(edge.source, [...(outgoing.get(edge.source) ?? []), edge])
  const startIn = new Map(procedure.edges.map((edge) => [edge, edge.labels.findIndex(({ kind }) => kind === 'start')]))
  const accompanied = new Set<Edge>()
  const follow = ({ target }: Edge): void => {
    for (const next of outgoing.get(target) ?? []) accompanied.add(next)
  }
  for (const [edge, start] of startIn) if (start >= 0) follow(edge)
  for (const edge of accompanied) follow(edge)
  const alone = procedure.edges.filter((edge) => !accompanied.has(edge))
  return new Map(alone.map((edge) => [edge, startIn.get(edge)! < 0 ? edge.labels.length : startIn.get(edge)!]))
}

const templateLayout = (procedure: Procedure, index: number, alone: TemplateLayout['alone']): TemplateLayout => {
  const variables = new Set<Variable>([...procedure.locals, ...procedure.parameters, procedure.self])
  if (procedure.result) variables.add(procedure.result)
  const outgoing = new Map<Location, Edge[]>()
  for (const edge of procedure.edges) {
    const others = outgoing.get(edge.source)
    if (others) others.push(edge)
    else outgoing.set(edge.source, [edge])
    for (const label of edge.labels) {
      for (const target of written(label)) if (target.scope === 'local') variables.add(target)
      for (const e of expressionsOf(label)) for (const v of variablesOf(e)) if (v.scope === 'local') variables.add(v)
    }
  }
  const list = [...variables]
  const locations = new Set([procedure.initial, procedure.final, ...procedure.locations])
  for (const edge of procedure.edges) locations.add(edge.source).add(edge.target)
  return {
    procedure,
    index,
    variables: list,
    slots: new Map(list.map((v, i) => [v, i])),
    outgoing,
    locationIndex: new Map([...locations].map((location, i) => [location, i])),
    alone,
  }
}

const ADDRESS_LIMIT = 2 ** 31

const objectLayouts = (program: Program): readonly ObjectLayout[] => {
  const all = new Set(program.objects)
  for (const region of program.regions) for (const slot of region.slots) all.add(slot.object)
  const sorted = [...all].sort((a, b) => a.base - b.base)
  return sorted.map((object, index) => {
    const end = sorted[index + 1]?.base ?? ADDRESS_LIMIT
    const capacity = object.storage === 'static' ? 1 : Math.floor((end - object.base) / Math.max(object.stride, 1))
    return { object, index, capacity }
  })
}

const cellFinder = (): Layout['hitsCell'] => {
  const byRegion = new WeakMap<Region, Map<MemoryObject, Slot[]>>()
  return (region, object, offset) => {
    let slots = byRegion.get(region)
    if (!slots) {
      slots = new Map()
      for (const slot of region.slots) slots.set(slot.object, [...(slots.get(slot.object) ?? []), slot])
      byRegion.set(region, slots)
    }
    const found = slots.get(object)
    if (!found) return false
    if (region.element === 'bytes') return true
    return found.some((slot) => {
      const distance = offset - slot.offset
      const step = Math.max(slot.step, 1)
      return distance >= 0 && distance % step === 0 && distance / step < slot.count
    })
  }
}

// ---- evaluation: an expression becomes a function once

const evaluators = (globals: ReadonlyMap<Variable, number>): Layout['evaluator'] => {
  const cache = new WeakMap<TemplateLayout, WeakMap<Expr, Evaluate>>()
  return (template, e) => {
    let known = cache.get(template)
    if (!known) cache.set(template, (known = new WeakMap()))
    let evaluate = known.get(e)
    if (!evaluate) known.set(e, (evaluate = compile(e, globals, template.slots)))
    return evaluate
  }
}

type Slots = ReadonlyMap<Variable, number>

const compile = (e: Expr, globals: Slots, locals: Slots): Evaluate => {
  const again = (child: Expr): Evaluate => compile(child, globals, locals)
  switch (e.kind) {
    case 'const': {
      const { value } = e
      return () => value
    }
    case 'var':
      return variableReader(e.variable, globals, locals)
    case 'unary': {
      const [{ op, type }, arg] = [e, again(e.arg)]
      return (frame) => unaryValue(op, type, arg(frame))
    }
    case 'binary': {
      const [{ op, type }, left, right] = [e, again(e.left), again(e.right)]
      return (frame) => binaryValue(op, type, left(frame), right(frame))
    }
    case 'compare': {
      const [{ op }, left, right] = [e, again(e.left), again(e.right)]
      return (frame) => (compareValue(op, e.left.type, left(frame), right(frame)) ? 1 : 0)
    }
    case 'not': {
      const arg = again(e.arg)
      return (frame) => (arg(frame) === 0 ? 1 : 0)
    }
    case 'and': {
      const args = e.args.map(again)
      return (frame) => (args.every((arg) => arg(frame) !== 0) ? 1 : 0)
    }
    case 'or': {
      const args = e.args.map(again)
      return (frame) => (args.some((arg) => arg(frame) !== 0) ? 1 : 0)
    }
    case 'ite': {
      const [condition, then, otherwise] = [again(e.condition), again(e.then), again(e.else)]
      return (frame) => (condition(frame) !== 0 ? then(frame) : otherwise(frame))
    }
    case 'cast':
      return conversion(e.arg.type, e.type, again(e.arg), castValue)
    case 'bitcast':
      return conversion(e.arg.type, e.type, again(e.arg), bitcastValue)
  }
}

const conversion = (from: Type, to: Type, arg: Evaluate, convert: typeof castValue): Evaluate => {
  return (frame) => convert(from, to, arg(frame))
}

const variableReader = (variable: Variable, globals: Slots, locals: Slots): Evaluate => {
  const slot = (variable.scope === 'global' ? globals : locals).get(variable)
  if (slot === undefined) throw new Error(`variable ${variable.name} belongs to no part of the program`)
  return variable.scope === 'global' ? (frame) => frame.globals[slot]! : (frame) => frame.locals[slot]!
}
