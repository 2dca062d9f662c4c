// The precision to begin with: numbers of started threads, which joins depend on, and what decides how often a loop
// starts threads. Without the latter every abstraction starts threads for ever, and no counterexample ever tells.
import { type Edge, type Location, type Procedure, type Program, type Variable, variablesOf } from '../../xcfa/index.js'
import { expressionsOf, written } from '../../xcfa/passes/index.js'

export interface FirstVariable {
  readonly variable: Variable
  readonly template: Procedure
}

export const firstVariables = (program: Program): readonly FirstVariable[] =>
  [...program.templates.values()].flatMap((template) => {
    const starts = template.edges.filter(({ labels }) => labels.some(({ kind }) => kind === 'start'))
    const numbers = starts.flatMap(({ labels }) => labels.filter((l) => l.kind === 'start').map((l) => l.target))
    const found = new Set([...numbers, ...decidersOf(template, starts)])
    return [...found].map((variable) => ({ variable, template }))
  })

/** Variables from which the conditions in cycles through these edges are computed. */
const decidersOf = (template: Procedure, starts: readonly Edge[]): ReadonlySet<Variable> => {
  const found = new Set<Variable>()
  for (const start of starts) {
    const after = reachable(template, start.target)
    if (!after.has(start.source)) continue
    const inCycle = template.edges.filter(
      ({ source, target }) => after.has(source) && reachable(template, target).has(start.source),
    )
    for (const { labels } of inCycle)
      for (const label of labels) if (label.kind === 'assume') variablesOf(label.condition, found)
  }
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { labels } of template.edges)
      for (const label of labels)
        if (written(label).some((v) => found.has(v))) for (const e of expressionsOf(label)) variablesOf(e, found)
  }
  return found
}

const reachable = (template: Procedure, from: Location): ReadonlySet<Location> => {
  const seen = new Set([from])
  for (const location of seen)
    for (const { source, target } of template.edges) if (source === location) seen.add(target)
  return seen
}
