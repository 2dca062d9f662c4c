// Resolves accesses to memory: the one region of bytes becomes variables (a scalar cell that no computed address
// means), private variables (cells of thread storage that only their own thread reaches) and regions, one a class of
// the points-to partition. Exact for programs without invalid accesses (semantics.md, Memory).
import { bitcast, cast, constant, FALSE, TRUE, varExpr } from '../../build.js'
import type {
  Expr,
  Label,
  Load,
  Location,
  MemoryObject,
  Procedure,
  Program,
  Region,
  Store,
  Type,
  Value,
  Variable,
} from '../../index.js'
import { bitWidth, byteSize, children, sameType } from '../../index.js'
import { type Draft, draft, outgoing, withEdges, withTemplates } from '../edit.js'
import { threadInstances } from '../shared.js'
import { Names, nameOf } from './names.js'
import { type MemoryClass, partition } from './partition.js'
import { type PointsTo, pointsTo } from './points-to.js'

/** What a class of memory becomes. */
type Home =
  | { readonly kind: 'global'; readonly variable: Variable }
  | {
      readonly kind: 'local'
      readonly variables: Map<Procedure, Variable>
      readonly create: () => Variable
      readonly initial: Value
    }
  | { readonly kind: 'region'; readonly region: Region }

export const resolve = (program: Program): Program => {
  const pointers = pointsTo(program)
  const { classes, classOf } = partition(program, pointers)
  const builder = new HomeBuilder(program, pointers)
  const homes = new Map(classes.map((memoryClass) => [memoryClass, builder.homeOf(memoryClass)]))
  const homeOf = (label: Load | Store): Home | undefined => {
    const memoryClass = classOf(label)
    return memoryClass && homes.get(memoryClass)
  }
  const halts = new Map<Procedure, Location>()
  const rewritten = withEdges(program, (procedure) => {
    const edges = procedure.edges.map((edge) => rewrite(edge, procedure, { homeOf, pointers, builder, halts }))
    return withFirstValues(procedure, edges, [...homes.values()])
  })
  return withTemplates(
    {
      ...rewritten,
      globals: [...program.globals, ...[...homes.values()].flatMap((h) => (h.kind === 'global' ? [h.variable] : []))],
      regions: [...homes.values()].flatMap((h) => (h.kind === 'region' ? [h.region] : [])),
    },
    (procedure) => withNewParts(procedure, program.templates.get(procedure.name)!, [...homes.values()], builder, halts),
  )
}

// ---- homes

class HomeBuilder {
  private nextVariable: number
  private nextRegion = 0
  private nextLocation: number
  private readonly names = new Names()
  /** Objects in the frame of a template that has one instance at most. */
  private readonly single: ReadonlySet<MemoryObject>
  /** Registers that accesses needed, by template. */
  readonly temporaries = new Map<Procedure, Variable[]>()

  constructor(
    private readonly program: Program,
    private readonly pointers: PointsTo,
  ) {
    const procedures = [...program.templates.values()]
    const variables = [...program.globals, ...procedures.flatMap((p) => [...p.locals, ...p.parameters, p.self])]
    this.nextVariable = 1 + Math.max(0, ...variables.map((v) => v.id))
    this.nextLocation = 1 + Math.max(0, ...procedures.flatMap((p) => p.locations.map((l) => l.id)))
    for (const variable of program.globals) this.names.take(variable.name)
    this.single = singleObjects(program)
  }

  homeOf(memoryClass: MemoryClass): Home {
    const type = cellType(memoryClass)
    const [slot, ...others] = memoryClass.slots
    const initial = type && others.length === 0 && slot!.count === 1 ? this.firstValue(memoryClass, type) : undefined
    if (type && initial !== undefined) {
      const { object } = slot!
      if (object.storage === 'thread' && !this.pointers.escaped.has(object)) {
        const create = () => this.variableFor(memoryClass, type, 'local', 0)
        return { kind: 'local', variables: new Map(), create, initial }
      }
      if (object.storage === 'static' || this.single.has(object))
        return { kind: 'global', variable: this.variableFor(memoryClass, type, 'global', initial) }
    }
    const isPrivate = memoryClass.slots.every(
      ({ object }) => object.storage === 'thread' && !this.pointers.escaped.has(object),
    )
    const region: Region = {
      id: this.nextRegion++,
      name: this.names.take(nameOf(memoryClass.slots)),
      scope: isPrivate ? 'local' : 'global',
      element: type && hasWholeInitials(memoryClass) ? type : 'bytes',
      slots: memoryClass.slots,
    }
    return { kind: 'region', region: region.element === 'bytes' ? asBytes(region, memoryClass) : region }
  }

  /** The first value of a single cell, where it is known or does not matter. Others stay in memory, undecided. */
  private firstValue(memoryClass: MemoryClass, type: Type): Value | undefined {
    const initial = initialValue(memoryClass, type)
    if (initial !== 'any') return initial
    const templates = new Set(memoryClass.sites.map(({ procedure }) => procedure))
    const isPrivate = !this.pointers.escaped.has(memoryClass.slots[0]!.object)
    // What main writes before it starts another thread, all threads find written.
    const first = isPrivate ? [...templates] : [this.program.main]
    return first.every((procedure) => isWrittenFirst(memoryClass, procedure, !isPrivate)) ? 0 : undefined
  }

  private variableFor(memoryClass: MemoryClass, type: Type, scope: Variable['scope'], initial: Value): Variable {
    const slot = memoryClass.slots[0]!
    const name = nameOf([slot])
    const cell = slot.object.cells.find((c) => c.offset === slot.offset)
    // A plain access to an atomic object (atomic_init) is one that can race: then its steps say which are atomic.
    const isAtomic = cell?.atomic !== false && memoryClass.sites.every(({ label }) => label.atomic)
    return {
      id: this.nextVariable++,
      name: this.names.take(name),
      type,
      scope,
      initial,
      source: name,
      ...(slot.object.position ? { position: slot.object.position } : {}),
      ...(isAtomic ? { atomic: true } : {}),
    }
  }

  temporary(procedure: Procedure, type: Type): Variable {
    const id = this.nextVariable++
    const variable: Variable = { id, name: `part${id}`, type, scope: 'local', initial: 0 }
    this.temporaries.set(procedure, [...(this.temporaries.get(procedure) ?? []), variable])
    return variable
  }

  haltLocation(procedure: Procedure, halts: Map<Procedure, Location>): Location {
    let location = halts.get(procedure)
    if (!location) {
      const reason = { kind: 'undefined', text: 'invalid access', isAccess: true } as const
      location = { id: this.nextLocation++, kind: 'halt', atomic: false, position: procedure.position, reason }
      halts.set(procedure, location)
    }
    return location
  }
}

/** Whether every way from the start of the template stores the cell before it loads it, or starts a thread. */
const isWrittenFirst = ({ sites }: MemoryClass, procedure: Procedure, startsCount: boolean): boolean => {
  const accesses = new Set<Label>(sites.map(({ label }) => label))
  const from = outgoing(procedure.edges)
  const unwritten = new Set([procedure.initial])
  for (const location of unwritten)
    for (const edge of from.get(location) ?? []) {
      const first = edge.labels.find((label) => accesses.has(label) || (startsCount && label.kind === 'start'))
      if (first && first.kind !== 'store') return false
      if (!first) unwritten.add(edge.target)
    }
  return true
}

const singleObjects = (program: Program): Set<MemoryObject> => {
  const counts = new Map<MemoryObject, number>()
  for (const [procedure, count] of threadInstances(program))
    for (const object of procedure.objects) counts.set(object, (counts.get(object) ?? 0) + count)
  return new Set([...counts].flatMap(([object, count]) => (count <= 1 ? [object] : [])))
}

/** One type for all accesses of a class, or none: they then see bytes. */
const cellType = ({ cell, types, slots }: MemoryClass): Type | undefined => {
  if (cell === 'bytes') return undefined
  const [first] = types
  if (types.every((type) => sameType(type, first!))) return first
  if (!types.every((type) => bitWidth(type) === 8 * cell)) return undefined
  const declared = slots[0]!.object.cells.find((c) => c.offset === slots[0]!.offset)?.type
  return declared && bitWidth(declared) === 8 * cell ? declared : first
}

/** A typed region of which some first contents lie across cells is kept as bytes. */
const hasWholeInitials = ({ slots, cell }: MemoryClass): boolean =>
  slots.every(({ object, offset, step, count }) =>
    object.initial.every((entry) => {
      const size = byteSize(entry.type)
      const distance = entry.offset - offset
      if (distance + size <= 0 || distance >= step * count) return true
      const place = ((distance % step) + step) % step
      return cell !== 'bytes' && ((place === 0 && size === cell) || (place >= cell && place + size <= step))
    }),
  )

const asBytes = (region: Region, { cell }: MemoryClass): Region => {
  if (cell === 'bytes') return region
  const range = ({ object, offset, step, count }: Region['slots'][number]) =>
    step === cell || count === 1
      ? [{ object, offset, step: 1, count: cell * count }]
      : Array.from({ length: count }, (_, i) => ({ object, offset: offset + i * step, step: 1, count: cell }))
  return { ...region, slots: region.slots.flatMap(range) }
}

/** The first value of a single cell; undefined if its bytes were not written as one scalar. */
const initialValue = (memoryClass: MemoryClass, type: Type): Value | 'any' | undefined => {
  const { object, offset } = memoryClass.slots[0]!
  const size = byteSize(type)
  const entries = object.initial.filter((e) => e.offset < offset + size && offset < e.offset + byteSize(e.type))
  const [entry] = entries
  if (!entry) return object.contents === 'any' ? 'any' : 0
  if (entries.length > 1 || entry.offset !== offset || byteSize(entry.type) !== size) return undefined
  if (bitWidth(entry.type) !== bitWidth(type)) return undefined
  const value = reinterpret(type, constant(entry.type, entry.value))
  return value.kind === 'const' ? value.value : undefined
}

// ---- rewriting

interface Rewriting {
  readonly homeOf: (label: Load | Store) => Home | undefined
  readonly pointers: PointsTo
  readonly builder: HomeBuilder
  readonly halts: Map<Procedure, Location>
}

const rewrite = (edge: Procedure['edges'][number], procedure: Procedure, context: Rewriting): Draft => {
  const labels: Label[] = []
  let isAtomic = false
  for (const label of edge.labels) {
    if (label.kind === 'load' || label.kind === 'store') {
      const home = context.homeOf(label)
      if (!home) return draft(edge, { labels, target: context.builder.haltLocation(procedure, context.halts) })
      isAtomic ||= label.atomic === true
      labels.push(...access(label, home, procedure, context.builder))
    } else if (label.kind === 'assume') {
      const condition = withoutExcluded(label.condition, procedure, context.pointers)
      labels.push({ ...label, condition })
    } else labels.push(label)
  }
  return draft(edge, { labels, ...(isAtomic && !edge.sync ? { sync: { kind: 'atomic' } } : {}) })
}

const access = (label: Load | Store, home: Home, procedure: Procedure, builder: HomeBuilder): readonly Label[] => {
  if (home.kind === 'region') return regionAccess(label, home.region, procedure, builder)
  const variable = home.kind === 'global' ? home.variable : localFor(home, procedure)
  const address = readsGlobal(label.address)
    ? [assign(builder.temporary(procedure, label.address.type), label.address)]
    : []
  if (label.kind === 'store')
    return [...address, assign(variable, reinterpret(variable.type, cast(label.type, label.value)))]
  return [...address, assign(label.target, cast(label.target.type, reinterpret(label.type, varExpr(variable))))]
}

/** Inside an atomic block an address may be read from a shared pointer: that read can race, also where it is known. */
const readsGlobal = (expr: Expr): boolean =>
  expr.kind === 'var' ? expr.variable.scope === 'global' : children(expr).some(readsGlobal)

const regionAccess = (
  label: Load | Store,
  region: Region,
  procedure: Procedure,
  builder: HomeBuilder,
): readonly Label[] => {
  const type = region.element === 'bytes' ? label.type : region.element
  if (label.kind === 'store') {
    return [{ ...label, region, type, value: reinterpret(type, cast(label.type, label.value)) }]
  }
  if (sameType(type, label.type)) return [{ ...label, region }]
  const part = builder.temporary(procedure, type)
  const value = cast(label.target.type, reinterpret(label.type, varExpr(part)))
  return [{ ...label, region, type, target: part }, assign(label.target, value)]
}

const localFor = (home: Home & { readonly kind: 'local' }, procedure: Procedure): Variable => {
  let variable = home.variables.get(procedure)
  if (!variable) home.variables.set(procedure, (variable = home.create()))
  return variable
}

const assign = (target: Variable, value: Expr): Label => ({ kind: 'assign', target, value })

/** The same bits as another type of the same width. */
const reinterpret = (type: Type, value: Expr): Expr => {
  if (sameType(type, value.type)) return value
  return type.kind === 'float' || value.type.kind === 'float' ? bitcast(type, value) : cast(type, value)
}

/** A comparison with the address of a function that the pointer never holds is decided: such branches are dead. */
const withoutExcluded = (condition: Expr, procedure: Procedure, pointers: PointsTo): Expr => {
  if (condition.kind !== 'compare' || condition.right.kind !== 'const') return condition
  if (condition.left.kind !== 'var' || condition.left.type.kind !== 'pointer') return condition
  if (readsGlobal(condition.left)) return condition
  if (condition.op !== 'eq' && condition.op !== 'ne') return condition
  const called = pointers.addresses.objectAt(condition.right.value)?.object
  if (called?.procedure === undefined) return condition
  if (pointers.targets(condition.left, procedure).some(({ object }) => object === called)) return condition
  return condition.op === 'eq' ? FALSE : TRUE
}

// ---- what templates gain

/** Private variables whose first value is not 0 get it on the edges that leave the initial location. */
const withFirstValues = (procedure: Procedure, edges: readonly Draft[], homes: readonly Home[]): readonly Draft[] => {
  const first = homes.flatMap((home): Label[] => {
    const variable = home.kind === 'local' ? home.variables.get(procedure) : undefined
    if (!variable || home.kind !== 'local' || home.initial === 0) return []
    return [assign(variable, constant(variable.type, home.initial))]
  })
  if (first.length === 0) return edges
  return edges.map((edge) =>
    edge.source === procedure.initial ? { ...edge, labels: [...first, ...edge.labels] } : edge,
  )
}

const withNewParts = (
  procedure: Procedure,
  original: Procedure,
  homes: readonly Home[],
  builder: HomeBuilder,
  halts: ReadonlyMap<Procedure, Location>,
): Procedure => {
  const cells = homes.flatMap((home) => (home.kind === 'local' ? (home.variables.get(original) ?? []) : []))
  const halt = halts.get(original)
  return {
    ...procedure,
    locals: [...procedure.locals, ...cells, ...(builder.temporaries.get(original) ?? [])],
    locations: halt ? [...procedure.locations, halt] : procedure.locations,
  }
}
