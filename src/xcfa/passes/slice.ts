// Slicing: drops assignments, loads, stores and havocs of what no guard, address, start or join depends on, over all
// threads (cone of influence). Control flow stays as it is, edge by edge, so that traces replay. Not for races, where
// accesses themselves are the property; invalid accesses that are dropped no longer stop their thread.
import { constant, variablesOf } from '../build.js'
import type { Expr } from '../expr.js'
import type { Label, Program, Region, Variable } from '../model.js'
import { draft, withEdges, withTemplates } from './edit.js'
import { expressionsOf, read, regionOf, written } from './labels.js'

type Part = Variable | Region

export const slice = (program: Program): Program => {
  const relevant = coneOfInfluence(program)
  const sliced = withEdges(program, ({ edges }) =>
    edges.map((edge) => draft(edge, { labels: edge.labels.flatMap((label) => keep(label, relevant, program)) })),
  )
  return withoutUnmentioned(sliced)
}

const coneOfInfluence = (program: Program): Set<Part> => {
  const relevant = new Set<Part>()
  const labels: Label[] = []
  for (const { edges } of program.templates.values())
    for (const edge of edges) {
      labels.push(...edge.labels)
      for (const part of edge.sync?.object ? variablesOf(edge.sync.object) : []) relevant.add(part)
    }
  for (let before = -1; before !== relevant.size; ) {
    before = relevant.size
    for (const label of labels) for (const part of needs(label, relevant, program)) relevant.add(part)
  }
  return relevant
}

/** What a label makes relevant, given what is. */
const needs = (label: Label, relevant: ReadonlySet<Part>, program: Program): Iterable<Part> => {
  switch (label.kind) {
    case 'assume':
    case 'join':
    case 'free':
    case 'primitive':
    case 'call':
    case 'fence':
      return read(label)
    case 'allocate':
      return [...read(label), label.target]
    case 'assign':
    case 'havoc':
      return relevant.has(label.target) || mayBlock(label) ? read(label) : []
    case 'load':
      return relevant.has(label.target) ? [...read(label), label.region] : []
    case 'store':
      return relevant.has(label.region) ? read(label) : []
    case 'start': {
      const parameters = program.templates.get(label.procedure)?.parameters ?? []
      return label.args.flatMap((arg, i) => (parameters[i] && relevant.has(parameters[i]) ? [...variablesOf(arg)] : []))
    }
  }
}

/** A range that may be empty is a guard. */
const mayBlock = (label: Label): boolean =>
  label.kind === 'havoc' &&
  label.range !== undefined &&
  !(
    label.range.low.kind === 'const' &&
    label.range.high.kind === 'const' &&
    label.range.low.value <= label.range.high.value
  )

const keep = (label: Label, relevant: ReadonlySet<Part>, program: Program): readonly Label[] => {
  switch (label.kind) {
    case 'assign':
    case 'load':
      return relevant.has(label.target) ? [label] : []
    case 'havoc':
      return relevant.has(label.target) || mayBlock(label) ? [label] : []
    case 'store':
      return relevant.has(label.region) ? [label] : []
    case 'start': {
      const parameters = program.templates.get(label.procedure)?.parameters ?? []
      const args = label.args.map((arg, i) => {
        const parameter = parameters[i]
        return !parameter || relevant.has(parameter) ? arg : anyValue(parameter)
      })
      return [{ ...label, args }]
    }
    default:
      return [label]
  }
}

const anyValue = (parameter: Variable): Expr => constant(parameter.type, 0)

/** Drops variables and regions that no label mentions any more. */
const withoutUnmentioned = (program: Program): Program => {
  const mentioned = new Set<Part>()
  for (const procedure of program.templates.values()) {
    for (const variable of [...procedure.parameters, procedure.self]) mentioned.add(variable)
    if (procedure.result) mentioned.add(procedure.result)
    for (const edge of procedure.edges) {
      const expressions = [...edge.labels.flatMap(expressionsOf), ...(edge.sync?.object ? [edge.sync.object] : [])]
      for (const expr of expressions) for (const variable of variablesOf(expr)) mentioned.add(variable)
      for (const label of edge.labels) {
        for (const variable of written(label)) mentioned.add(variable)
        const region = regionOf(label)
        if (region) mentioned.add(region)
      }
    }
  }
  const kept = withTemplates(program, (procedure) => ({
    ...procedure,
    locals: procedure.locals.filter((variable) => mentioned.has(variable)),
  }))
  return {
    ...kept,
    globals: program.globals.filter((variable) => mentioned.has(variable)),
    regions: program.regions.filter((region) => mentioned.has(region)),
  }
}
