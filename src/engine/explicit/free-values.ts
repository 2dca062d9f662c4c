// Values that could be anything and decide nothing but branches: times of a clock, compared with one another or with a
// deadline. They cannot be enumerated, but a search need not know them: every comparison with such a value may have
// either outcome. What is proved of the program with these conditions dropped holds of the program itself, whose
// executions are among its executions; a violation found there means nothing.
import { coversAll } from '../../reduction/index.js'
import {
  type Edge,
  type Label,
  type Location,
  type Procedure,
  type Program,
  rangeOf,
  type Variable,
} from '../../xcfa/index.js'
import { withTemplates } from '../../xcfa/passes/edit.js'
import { read, written } from '../../xcfa/passes/labels.js'

/** The program without the conditions on such values; undefined if there are none, or if a thread could block on one. */
export const withoutFreeValues = (program: Program): Program | undefined => {
  const free = new Map([...program.templates.values()].map((p) => [p.name, freeVariables(p)]))
  if ([...free.values()].every((variables) => variables.size === 0)) return undefined
  const isFine = [...program.templates.values()].every((p) => keepsGoing(p, free.get(p.name)!))
  return isFine ? withTemplates(program, (p) => without(p, free.get(p.name)!)) : undefined
}

/** More values than these are not enumerated. */
const MAX_VALUES = 4096n

export const isUnbounded = (label: Label): label is Extract<Label, { kind: 'havoc' }> => {
  if (label.kind !== 'havoc' || label.range || label.target.scope !== 'local') return false
  if (label.target.type.kind === 'float') return true
  const { low, high } = rangeOf(label.target.type)
  return high - low > MAX_VALUES
}

/** Locals that hold such values, or what was computed from them, and that nothing but branches depends on. */
const freeVariables = (procedure: Procedure): ReadonlySet<Variable> => {
  const labels = procedure.edges.flatMap((edge) => edge.labels)
  const free = new Set<Variable>()
  for (const label of labels) {
    if (!isUnbounded(label) || free.has(label.target)) continue
    const derived = derivedFrom(label.target, labels)
    if ([...derived].every((variable) => decidesBranchesOnly(variable, procedure, labels)))
      for (const variable of derived) free.add(variable)
  }
  return free
}

const derivedFrom = (first: Variable, labels: readonly Label[]): ReadonlySet<Variable> => {
  const derived = new Set([first])
  for (const variable of derived)
    for (const label of labels) if (label.kind === 'assign' && read(label).has(variable)) derived.add(label.target)
  return derived
}

const decidesBranchesOnly = (variable: Variable, procedure: Procedure, labels: readonly Label[]): boolean =>
  variable.scope === 'local' &&
  variable !== procedure.self &&
  variable !== procedure.result &&
  procedure.edges.every(({ sync }) => !sync?.object || !read({ kind: 'free', address: sync.object }).has(variable)) &&
  labels.every((label) => label.kind === 'assign' || label.kind === 'assume' || !read(label).has(variable))

const isAbout = (label: Label, free: ReadonlySet<Variable>): boolean => {
  if (label.kind === 'assume') return [...read(label)].some((variable) => free.has(variable))
  return (label.kind === 'assign' || label.kind === 'havoc') && written(label).some((variable) => free.has(variable))
}

/** Where a condition is dropped, some edge could be taken before: dropping it unblocks nobody, which hides no deadlock. */
const keepsGoing = ({ edges }: Procedure, free: ReadonlySet<Variable>): boolean => {
  const outgoing = new Map<Location, Edge[]>()
  for (const edge of edges) outgoing.set(edge.source, [...(outgoing.get(edge.source) ?? []), edge])
  return edges
    .filter(({ labels }) => labels.some((label) => label.kind === 'assume' && isAbout(label, free)))
    .every(({ source }) => coversAll(outgoing.get(source)!.map(({ labels }) => labels)))
}

const without = (procedure: Procedure, free: ReadonlySet<Variable>): Procedure =>
  free.size === 0
    ? procedure
    : {
        ...procedure,
        edges: procedure.edges.map((edge) =>
          edge.labels.some((label) => isAbout(label, free))
            ? { ...edge, labels: edge.labels.filter((label) => !isAbout(label, free)) }
            : edge,
        ),
      }
