// How many threads main starts is often an input: `for (i = 0; i < n; i++)`. No search can count that far, and need not: what
// holds however often main goes round holds for each n. So main loses what depends on such an input: the conditions of its
// loops, the counters that these carry, the array of handles, and the joins on handles that are no longer known. What is
// left has all executions of the program and more, so that it has its races, too; a race found in it means nothing.
//   Memory goes only where no other thread accesses it. Where an unknown value would reach another thread, or an address
// of memory that others access, the program is left as it is.

import { livenessOf } from '../../semantics/step/liveness.js'
import type { Edge, Label, Location, Procedure, Program, Region, Variable } from '../../xcfa/index.js'
import { variablesOf } from '../../xcfa/index.js'
import { withTemplates } from '../../xcfa/passes/edit.js'
import { read, regionOf } from '../../xcfa/passes/labels.js'
import { isUnbounded } from './free-values.js'

type Part = Variable | Region

/** Undefined where main has no such input, or cannot do without it. */
export const withFreeStarts = (program: Program): Program | undefined => {
  const { main, templates } = program
  if (!main.edges.some(({ labels }) => labels.some(isUnbounded))) return undefined
  const unknown = unknownParts(main)
  const others = [...templates.values()].filter((template) => template !== main)
  const told = new Set(others.flatMap(({ edges }) => edges.flatMap(({ labels }) => labels.flatMap(partsOf))))
  const isPrivate = (part: Part): boolean => !told.has(part) && main.parameters.every((parameter) => parameter !== part)
  if (![...unknown].every(isPrivate) || others.some(({ edges }) => edges.some(({ labels }) => labels.some(allocates))))
    return undefined
  const edges: Edge[] = []
  for (const edge of main.edges) {
    const labels = withoutUnknown(edge, unknown, isPrivate)
    if (!labels) return undefined
    edges.push(labels.length === edge.labels.length ? edge : { ...edge, labels })
  }
  // A block that is freed by an unknown address is one of those that are gone.
  const frees = main.edges.some(({ labels }) =>
    labels.some((label) => label.kind === 'free' && isAbout(label, unknown)),
  )
  if (frees && edges.some(({ labels }) => labels.some(allocates))) return undefined
  const left = withoutUnreadChoices(edges)
  return withTemplates(program, (procedure) => (procedure === main ? { ...main, edges: left } : procedure))
}

/** Choices that only what is gone depended on. */
const withoutUnreadChoices = (edges: readonly Edge[]): readonly Edge[] => {
  const isRead = new Set(
    edges.flatMap(({ labels, sync }) => [
      ...labels.flatMap((label) => [...read(label)]),
      ...(sync?.object ? variablesOf(sync.object) : []),
    ]),
  )
  return edges.map((edge) => {
    const labels = edge.labels.filter((l) => l.kind !== 'havoc' || l.target.scope !== 'local' || isRead.has(l.target))
    return labels.length === edge.labels.length ? edge : { ...edge, labels }
  })
}

const allocates = ({ kind }: Label): boolean => kind === 'allocate'

const partsOf = (label: Label): readonly Part[] => {
  const region = regionOf(label)
  return [...read(label), ...targetsOf(label), ...(region ? [region] : [])]
}

const targetsOf = (label: Label): readonly Variable[] =>
  'target' in label && label.target !== undefined ? [label.target] : []

const isAbout = (label: Label, unknown: ReadonlySet<Part>): boolean =>
  [...read(label)].some((variable) => unknown.has(variable))

/** Main's inputs without bound, what is computed from them, and what the loops carry that they decide. */
const unknownParts = (main: Procedure): ReadonlySet<Part> => {
  const unknown = new Set<Part>()
  const labels = main.edges.flatMap((edge) => edge.labels)
  for (const label of labels) if (isUnbounded(label)) unknown.add(label.target)
  for (let before = -1; before !== unknown.size; ) {
    before = unknown.size
    for (const label of labels) for (const part of derived(label, unknown)) unknown.add(part)
    for (const edge of main.edges)
      if (edge.labels.some((label) => label.kind === 'assume' && isAbout(label, unknown)))
        for (const variable of carriedAround(main, edge.source)) unknown.add(variable)
  }
  return unknown
}

const derived = (label: Label, unknown: ReadonlySet<Part>): readonly Part[] => {
  switch (label.kind) {
    case 'assign':
    case 'allocate':
    case 'havoc':
      return isAbout(label, unknown) ? [label.target] : []
    case 'load':
      return isAbout(label, unknown) || unknown.has(label.region) ? [label.target] : []
    case 'store':
      return isAbout(label, unknown) ? [label.region] : []
    default:
      return []
  }
}

/** The variables of the loop through a location that one round leaves to the next. */
const carriedAround = (main: Procedure, location: Location): readonly Variable[] => {
  const onward = reachedFrom(location, main.edges, 'source', 'target')
  const back = reachedFrom(location, main.edges, 'target', 'source')
  const loop = main.edges.filter(({ source, target }) => onward.has(source) && back.has(target))
  const { isLiveAt } = livenessOf(main)
  const assigned = loop.flatMap(({ labels }) =>
    labels.flatMap((label) => (label.kind === 'start' ? [] : targetsOf(label))),
  )
  return assigned.filter((variable) => variable.scope === 'global' || isLiveAt(variable, location))
}

const reachedFrom = (
  start: Location,
  edges: readonly Edge[],
  from: 'source' | 'target',
  to: 'source' | 'target',
): ReadonlySet<Location> => {
  const reached = new Set([start])
  for (const location of reached) for (const edge of edges) if (edge[from] === location) reached.add(edge[to])
  return reached
}

/** What is left of an edge; undefined where something unknown cannot be left out. */
const withoutUnknown = (
  { labels, sync }: Edge,
  unknown: ReadonlySet<Part>,
  isPrivate: (part: Part) => boolean,
): readonly Label[] | undefined => {
  if (sync?.object && sync.kind !== 'join' && [...variablesOf(sync.object)].some((v) => unknown.has(v)))
    return undefined
  const kept: Label[] = []
  for (const label of labels) {
    const region = regionOf(label)
    const isUnknown = isAbout(label, unknown) || (region !== undefined && unknown.has(region))
    const target = 'target' in label && label.target !== undefined && unknown.has(label.target)
    switch (label.kind) {
      case 'assume':
      case 'join':
      case 'free':
        if (!isUnknown) kept.push(label)
        break
      case 'assign':
      case 'havoc':
      case 'allocate':
        if (!target) kept.push(label)
        break
      case 'load':
      case 'store':
        if (!isUnknown) kept.push(label)
        else if (!isPrivate(region!)) return undefined
        break
      default:
        if (isUnknown) return undefined
        kept.push(label)
    }
  }
  return kept
}
