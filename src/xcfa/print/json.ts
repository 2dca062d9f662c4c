// A program as JSON: `heddle show --as json`. Stable: fields are added, never renamed. Variables, locations, regions
// and objects are named by their numbers, which are unique in the program for variables, objects and regions, and in
// their thread for locations. Values beyond 2^53 are strings. Expressions are arrays, operator first:
// ["const", type, value], ["var", number], ["add", type, a, b], ["lt", a, b], ["not", a], ["and", a, ...],
// ["ite", a, b, c], ["cast", type, a], ["bitcast", type, a].
import type {
  Edge,
  Expr,
  Label,
  Location,
  MemoryObject,
  Position,
  Procedure,
  Program,
  Region,
  Value,
  Variable,
} from '../index.js'
import { type AddressName, typeText } from './expr.js'
import { edgeText, programAddressNames } from './label.js'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export const toJson = (program: Program): string => `${JSON.stringify(programJson(program), null, 2)}\n`

const programJson = (program: Program): Json => ({
  format: 'heddle-xcfa',
  version: 1,
  dataModel: program.dataModel,
  main: program.main.name,
  globals: program.globals.map(variableJson),
  objects: program.objects.map(objectJson),
  regions: program.regions.map(regionJson),
  threads: [...program.templates.values()].map((procedure) => procedureJson(procedure, programAddressNames(program))),
})

const variableJson = (variable: Variable): Json => ({
  id: variable.id,
  name: variable.name,
  type: typeText(variable.type),
  scope: variable.scope,
  initial: variable.initial === 'any' ? 'any' : valueJson(variable.initial),
  ...(variable.source === undefined ? {} : { source: variable.source }),
  ...(variable.atomic ? { atomic: true } : {}),
  ...(variable.position ? { position: positionJson(variable.position) } : {}),
})

const objectJson = (object: MemoryObject): Json => ({
  id: object.id,
  name: object.name,
  storage: object.storage,
  base: object.base,
  stride: object.stride,
  size: object.size,
  cells: object.cells.map(({ offset, type, step, count, path }) => ({
    offset,
    type: typeText(type),
    step,
    count,
    path,
  })),
  initial: object.initial.map(({ offset, type, value }) => ({
    offset,
    type: typeText(type),
    value: valueJson(value),
  })),
  contents: object.contents,
  ...(object.procedure === undefined ? {} : { procedure: object.procedure }),
})

const regionJson = (region: Region): Json => ({
  id: region.id,
  name: region.name,
  scope: region.scope,
  element: region.element === 'bytes' ? 'bytes' : typeText(region.element),
  slots: region.slots.map(({ object, offset, step, count }) => ({ object: object.id, offset, step, count })),
})

const procedureJson = (procedure: Procedure, nameOf: AddressName): Json => ({
  name: procedure.name,
  parameters: procedure.parameters.map((variable) => variable.id),
  self: procedure.self.id,
  locals: procedure.locals.map(variableJson),
  initial: procedure.initial.id,
  final: procedure.final.id,
  locations: procedure.locations.map(locationJson),
  edges: procedure.edges.map((edge) => edgeJson(edge, nameOf)),
})

const locationJson = (location: Location): Json => ({
  id: location.id,
  kind: location.kind,
  ...(location.atomic ? { atomic: true } : {}),
  ...(location.violation ? { violation: { ...location.violation } } : {}),
  ...(location.reason ? { reason: { ...location.reason } } : {}),
  position: positionJson(location.position),
})

const edgeJson = (edge: Edge, nameOf: AddressName): Json => ({
  id: edge.id,
  source: edge.source.id,
  target: edge.target.id,
  labels: edge.labels.map(labelJson),
  does: edgeText(edge, nameOf),
  text: edge.text,
  position: positionJson(edge.position),
  ...(edge.sync
    ? {
        sync: {
          kind: edge.sync.kind,
          ...(edge.sync.object ? { object: exprJson(edge.sync.object) } : {}),
          ...(edge.sync.spurious ? { spurious: true } : {}),
        },
      }
    : {}),
  ...(edge.back ? { back: true } : {}),
  ...(edge.origins ? { origins: edge.origins.map((origin) => origin.id) } : {}),
})

const labelJson = (label: Label): Json => {
  switch (label.kind) {
    case 'assign':
      return { kind: 'assign', target: label.target.id, value: exprJson(label.value) }
    case 'assume':
      return { kind: 'assume', condition: exprJson(label.condition) }
    case 'havoc':
      return {
        kind: 'havoc',
        target: label.target.id,
        ...(label.range ? { low: exprJson(label.range.low), high: exprJson(label.range.high) } : {}),
      }
    case 'load':
    case 'store':
      return {
        kind: label.kind,
        region: label.region.id,
        address: exprJson(label.address),
        type: typeText(label.type),
        ...(label.kind === 'load' ? { target: label.target.id } : { value: exprJson(label.value) }),
        ...(label.atomic ? { atomic: true } : {}),
      }
    case 'allocate':
      return { kind: 'allocate', target: label.target.id, object: label.object.id, size: exprJson(label.size) }
    case 'free':
      return { kind: 'free', address: exprJson(label.address) }
    case 'start':
      return { kind: 'start', target: label.target.id, thread: label.procedure, args: label.args.map(exprJson) }
    case 'join':
      return { kind: 'join', thread: exprJson(label.thread) }
    case 'call':
      return {
        kind: 'call',
        callee: typeof label.callee === 'string' ? label.callee : exprJson(label.callee),
        candidates: label.candidates,
        args: label.args.map(exprJson),
        ...(label.target ? { target: label.target.id } : {}),
      }
    case 'fence':
      return { kind: 'fence' }
    case 'primitive':
      return {
        kind: 'primitive',
        name: label.name,
        args: label.args.map(exprJson),
        ...(label.target ? { target: label.target.id } : {}),
      }
  }
}

const exprJson = (expr: Expr): Json => {
  switch (expr.kind) {
    case 'const':
      return ['const', typeText(expr.type), valueJson(expr.value)]
    case 'var':
      return ['var', expr.variable.id]
    case 'unary':
      return [expr.op, typeText(expr.type), exprJson(expr.arg)]
    case 'binary':
      return [expr.op, typeText(expr.type), exprJson(expr.left), exprJson(expr.right)]
    case 'compare':
      return [expr.op, exprJson(expr.left), exprJson(expr.right)]
    case 'not':
      return ['not', exprJson(expr.arg)]
    case 'and':
    case 'or':
      return [expr.kind, ...expr.args.map(exprJson)]
    case 'ite':
      return ['ite', exprJson(expr.condition), exprJson(expr.then), exprJson(expr.else)]
    case 'cast':
    case 'bitcast':
      return [expr.kind, typeText(expr.type), exprJson(expr.arg)]
  }
}

/** JSON has no NaN, no infinities and no integers beyond 2^53: those are strings. */
const valueJson = (value: Value): Json =>
  typeof value === 'bigint' || !Number.isFinite(value) || Object.is(value, -0)
    ? Object.is(value, -0)
      ? '-0'
      : String(value)
    : value

const positionJson = (position: Position): Json => ({ ...position })
