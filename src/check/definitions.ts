// Ways through a procedure's graph, and the labels that write a variable.
import {
  type Edge,
  type Label,
  type Location,
  linearOf,
  type Procedure,
  type Program,
  symbolOf,
  type Variable,
} from '../xcfa/index.js'
import { outgoing, written } from '../xcfa/passes/index.js'
import { expressionsOf, mentions } from '../xcfa/passes/labels.js'

export interface Start {
  readonly edge: Edge
  readonly label: Extract<Label, { kind: 'start' }>
}

/** Whether there is a way from a location to another that takes none of the edges to avoid. */
export const reaches = (
  { edges }: Procedure,
  start: Location,
  goal: Location,
  isAvoided: (edge: Edge) => boolean = () => false,
): boolean => {
  const from = outgoing(edges)
  const seen = new Set([start])
  for (const location of seen) for (const edge of from.get(location) ?? []) if (!isAvoided(edge)) seen.add(edge.target)
  return seen.has(goal)
}

/** The only label that starts the template, where main has it. */
export const startOf = (program: Program, template: Procedure): Start | undefined => {
  const found = [...program.templates.values()].flatMap((owner) =>
    owner.edges.flatMap((edge) =>
      edge.labels.flatMap((label) =>
        label.kind === 'start' && label.procedure === template.name ? [{ owner, edge, label }] : [],
      ),
    ),
  )
  return found.length === 1 && found[0]!.owner === program.main ? found[0] : undefined
}

/** What a label adds to a variable that it writes. */
export const addedBy = (label: Label, variable: Variable): number | undefined => {
  const { type } = variable
  if (label.kind !== 'assign' || (type.kind !== 'int' && type.kind !== 'pointer')) return undefined
  const sum = linearOf(label.value, (v) => (v === variable ? symbolOf('', v.type, type.width) : undefined), type.width)
  const isStep = sum?.kind === 'sum' && sum.parts.size === 1 && sum.parts.get('')?.coefficient === 1
  return isStep ? sum.constant : undefined
}

export interface Definition {
  readonly edge: Edge
  readonly label: Label
}

/** The labels that write a local; one that may be read before it is written is written at first, too. */
export const definitionsOf = (procedure: Procedure, variable: Variable): readonly Definition[] => {
  const found = procedure.edges.flatMap((edge) =>
    edge.labels.flatMap((label) => (written(label).includes(variable) ? [{ edge, label }] : [])),
  )
  const isDefining = (edge: Edge): boolean => found.some((each) => each.edge === edge)
  const readsFirst = procedure.edges.some(
    (edge) =>
      edge.labels.some((label) => expressionsOf(label).some((e) => mentions(e, variable))) &&
      (isDefining(edge)
        ? readsBeforeWriting(edge, variable)
        : reaches(procedure, procedure.initial, edge.source, isDefining)),
  )
  return readsFirst ? [...found, ...found] : found
}

const readsBeforeWriting = ({ labels }: Edge, variable: Variable): boolean => {
  const first = labels.findIndex((label) => written(label).includes(variable))
  return labels.slice(0, first + 1).some((label) => expressionsOf(label).some((e) => mentions(e, variable)))
}
