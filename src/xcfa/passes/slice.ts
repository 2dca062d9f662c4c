// Slicing: drops assignments, loads, stores and havocs of what no guard, address, start or join depends on, over all
// threads (cone of influence). Control flow stays as it is, edge by edge, so that traces replay; invalid accesses that are
// dropped no longer stop their thread. For races, accesses themselves are the property: those that may race stay, at the
// addresses that they have, and what is written there is 0 where nobody depends on it.
import { accessesOf } from '../access.js'
import { constant, variablesOf } from '../build.js'
import type { Expr } from '../expr.js'
import type { Label, Program, Region, Variable } from '../model.js'
import { draft, withEdges, withTemplates } from './edit.js'
import { expressionsOf, read, regionOf, written } from './labels.js'

type Part = Variable | Region

export const slice = (program: Program): Program => sliceFor(program, NONE)

/** Keeps all accesses that may race. */
export const sliceForRaces = (program: Program): Program => sliceFor(program, racyParts(program))

const sliceFor = (program: Program, racy: ReadonlySet<Part>): Program => {
  const relevant = coneOfInfluence(program, racy)
  const kept = (label: Label): readonly Label[] =>
    isRacy(label, racy) ? [withoutValue(label, relevant)] : keep(label, relevant, program)
  const sliced = withEdges(program, ({ edges }) =>
    edges.map((edge) => draft(edge, { labels: edge.labels.flatMap(kept) })),
  )
  return withoutUnmentioned(sliced)
}

const NONE: ReadonlySet<Part> = new Set()

const coneOfInfluence = (program: Program, racy: ReadonlySet<Part>): Set<Part> => {
  const relevant = new Set<Part>()
  const labels: Label[] = []
  for (const { edges } of program.templates.values())
    for (const edge of edges) {
      labels.push(...edge.labels)
      for (const part of edge.sync?.object ? variablesOf(edge.sync.object) : []) relevant.add(part)
    }
  for (let before = -1; before !== relevant.size; ) {
    before = relevant.size
    for (const label of labels) {
      for (const part of needs(label, relevant, program)) relevant.add(part)
      if (isRacy(label, racy)) for (const part of neededToAccess(label)) relevant.add(part)
    }
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

// ---- races

/** What some step writes and not all accesses to are atomic. The results of threads are read once these have ended. */
const racyParts = (program: Program): ReadonlySet<Part> => {
  const found = new Map<Part, { write: boolean; atomic: boolean }>()
  for (const { edges } of program.templates.values())
    for (const edge of edges)
      for (const access of accessesOf(edge)) {
        if (access.kind === 'allocation') continue
        const part = access.kind === 'variable' ? access.variable : access.region
        const known = found.get(part) ?? { write: false, atomic: true }
        found.set(part, { write: known.write || access.write, atomic: known.atomic && access.atomic })
      }
  return new Set([...found].flatMap(([part, { write, atomic }]) => (write && !atomic && isShared(part) ? [part] : [])))
}

const isShared = (part: Part): boolean =>
  part.scope === 'global' &&
  !('slots' in part && part.slots.length > 0 && part.slots.every(({ object }) => object.name === '__heddle_result'))

const isRacy = (label: Label, racy: ReadonlySet<Part>): boolean => {
  const region = regionOf(label)
  if (region && racy.has(region)) return true
  return racy.size > 0 && [...read(label), ...written(label)].some((part) => racy.has(part))
}

/** What decides where a label's accesses are. What is computed from a variable that may race is exact, too. */
const neededToAccess = (label: Label): Iterable<Part> => {
  switch (label.kind) {
    case 'load':
    case 'store':
      return [...variablesOf(label.address), ...(label.kind === 'store' ? globalsOf(label.value) : [])]
    case 'assign':
      return isCopy(label.value) ? [] : globalsOf(label.value).length > 0 ? read(label) : []
    default:
      return read(label)
  }
}

const globalsOf = (e: Expr): readonly Variable[] => {
  const all = [...variablesOf(e)]
  return all.some(({ scope }) => scope === 'global') ? all : []
}

const isCopy = (e: Expr): boolean => e.kind === 'var' || (e.kind === 'cast' && isCopy(e.arg))

/** The same accesses; a value that nobody depends on is 0. */
const withoutValue = (label: Label, relevant: ReadonlySet<Part>): Label => {
  const isPlain = (e: Expr): boolean => globalsOf(e).length === 0
  switch (label.kind) {
    case 'assign':
      return relevant.has(label.target) || !isPlain(label.value) ? label : { ...label, value: anyValue(label.target) }
    case 'store':
      return relevant.has(label.region) || !isPlain(label.value)
        ? label
        : { ...label, value: constant(label.value.type, 0) }
    case 'havoc':
      return relevant.has(label.target) || mayBlock(label)
        ? label
        : { kind: 'assign', target: label.target, value: anyValue(label.target) }
    default:
      return label
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
