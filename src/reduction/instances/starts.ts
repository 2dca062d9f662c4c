// What is known of the values that main gives to the instances of a thread, of which there are any number. They are all
// started by one label of main. A variable of main is *fixed* if nobody writes it once the first instance is started, and
// *stepping* if it moves in one direction, and has moved whenever another instance is started: then no two instances
// were started with the same value of it. More starts than a 32-bit number counts are not considered.
import { gcd } from '../../logic/gcd.js'
import {
  type Edge,
  type Label,
  type Location,
  linearOf,
  type Procedure,
  symbolOf,
  type Variable,
} from '../../xcfa/index.js'
import { outgoing, written } from '../../xcfa/passes/index.js'
import { flow } from './flow.js'

export interface Start {
  readonly edge: Edge
  readonly label: Extract<Label, { kind: 'start' }>
}

/** How a variable of main compares with the values it had when instances were started. */
type Compared = 'differs' | 'not passed' | 'any'

export interface Stepping {
  /** Before the edge is taken: it differs from all values that instances were started with. */
  differsAt(edge: Edge): boolean
  /** Two values that instances were started with differ by a multiple of it. */
  readonly distance: number
}

/** The only label that starts instances of the template, if it is main's. */
export const onlyStart = (templates: readonly Procedure[], main: Procedure, name: string): Start | undefined => {
  const starts = templates.flatMap((template) =>
    template.edges.flatMap((edge) =>
      edge.labels.flatMap((label) =>
        label.kind === 'start' && label.procedure === name ? [{ edge, label, template }] : [],
      ),
    ),
  )
  const [start, ...others] = starts
  return start && others.length === 0 && start.template === main ? start : undefined
}

/** Edges that may be taken after this one. */
export const edgesAfter = ({ edges }: Procedure, first: Edge): ReadonlySet<Edge> => {
  const from = outgoing(edges)
  const found = new Set(from.get(first.target) ?? [])
  for (const edge of found) for (const next of from.get(edge.target) ?? []) found.add(next)
  return found
}

/** Undefined: it may have a value twice. */
export const steppingOf = (main: Procedure, start: Start, variable: Variable): Stepping | undefined => {
  const steps = edgesBetween(main, start.edge).flatMap(({ labels }) =>
    labels.filter((label) => written(label).includes(variable)).map((label) => stepOf(label, variable)),
  )
  const direction = Math.sign(steps[0] ?? 0)
  const isSound = (step: number | undefined): boolean =>
    step !== undefined && Math.sign(step) === direction && Math.abs(step) <= maxStep(variable)
  if (direction === 0 || !steps.every(isSound) || writesBefore(start, variable)) return undefined
  const before = comparedAt(main, start, variable, direction)
  if (before.get(start.edge.source) !== 'differs') return undefined
  const distance = steps.reduce((all: number, step) => gcd(all, step!), 0)
  return {
    differsAt: (edge) =>
      before.get(edge.source) === 'differs' && !edge.labels.some((l) => written(l).includes(variable)),
    // Distances of values that wrap are still multiples of powers of two.
    distance: isPowerOfTwo(distance) ? distance : 1,
  }
}

/** Edges on ways from one start to the next. */
const edgesBetween = (main: Procedure, start: Edge): readonly Edge[] => {
  const after = edgesAfter(main, start)
  return main.edges.filter((edge) => edge === start || (after.has(edge) && edgesAfter(main, edge).has(start)))
}

/** With larger steps a value would come back before 2^30 instances are started. Pointers do not wrap. */
const maxStep = ({ type }: Variable): number => {
  if (type.kind === 'pointer') return 2 ** 20
  return type.kind === 'int' && type.width >= 32 ? (type.width > 32 ? 2 ** 20 : 4) : 0
}

const isPowerOfTwo = (n: number): boolean => n > 0 && Number.isInteger(Math.log2(n))

const writesBefore = ({ edge, label }: Start, variable: Variable): boolean =>
  edge.labels.slice(0, edge.labels.indexOf(label)).some((l) => written(l).includes(variable))

/** What the label adds to the variable. */
const stepOf = (label: Label, variable: Variable): number | undefined => {
  if (label.kind !== 'assign') return undefined
  const width = variable.type.kind === 'int' || variable.type.kind === 'pointer' ? variable.type.width : undefined
  if (width === undefined) return undefined
  const value = linearOf(label.value, (v) => (v === variable ? symbolOf('v', v.type, width) : undefined), width)
  const only = value?.kind === 'sum' ? value.parts.get('v') : undefined
  return value?.kind === 'sum' && value.parts.size === 1 && only?.coefficient === 1 ? value.constant : undefined
}

const ORDER: readonly Compared[] = ['any', 'not passed', 'differs']
const least = (a: Compared, b: Compared): Compared => (ORDER.indexOf(a) < ORDER.indexOf(b) ? a : b)

const comparedAt = (
  main: Procedure,
  start: Start,
  variable: Variable,
  direction: number,
): ReadonlyMap<Location, Compared> => {
  const after = edgesAfter(main, start.edge)
  const afterEdge = (before: Compared, edge: Edge): Compared => {
    let state = before
    for (const label of edge.labels) {
      if (label === start.label) state = least(state, 'not passed')
      if (!written(label).includes(variable)) continue
      const isStep = Math.sign(stepOf(label, variable) ?? 0) === direction
      const isFirst = !after.has(edge) && edge !== start.edge
      state = isFirst || (isStep && state !== 'any') ? 'differs' : 'any'
    }
    return state
  }
  return flow<Compared>(main, 'differs', afterEdge, least)
}
