// Propagation of constants, copies and small expressions over registers (forward data flow, per template), folding of
// decided guards, removal of dead assignments to registers. It makes addresses constant where inlined models got them
// as parameters. Globals are replaced only where nobody ever changes them; main is thread 0.
import { constant, mentions, sameExpr, substitute, variablesOf } from '../build.js'
import { children, type Expr, type Value } from '../expr.js'
import type { Edge, Label, Location, Procedure, Program, Variable } from '../model.js'
import { sameType } from '../types.js'
import { type Draft, draft, outgoing, withEdges } from './edit.js'
import { mapExpressions, read, written as writtenBy } from './labels.js'
import { liveLocals, stepBack } from './live.js'

/** What a register is known to equal: an expression over registers that still have the values it was made from. */
type Facts = ReadonlyMap<Variable, Expr>

/** Larger expressions stay in the register that holds them. */
const MAX_NODES = 10

export interface PropagateOptions {
  /** Keep every access to a global that could race, also where its value is known; default false. */
  readonly keepAccesses?: boolean
}

export const propagate = (program: Program, options: PropagateOptions = {}): Program => {
  const once = round(program, options)
  // Arguments of threads that became constant make their parameters constant.
  return removeDead(round(once, options))
}

const round = (program: Program, options: PropagateOptions): Program => {
  const constants = constantGlobals(program, options)
  const parameters = constantParameters(program)
  return withEdges(program, (procedure) => {
    const known = new Map(parameters.get(procedure) ?? [])
    if (procedure === program.main) known.set(procedure.self, constant(procedure.self.type, 0))
    const facts = factsOf(procedure, known, constants)
    const from = outgoing(procedure.edges)
    const waits = (edge: Edge): boolean => edge.source.atomic && from.get(edge.source)!.length === 1
    return procedure.edges.flatMap((edge) => rewrite(edge, facts.get(edge.source), constants, waits(edge)))
  })
}

/** Globals that nobody writes, or only with the value that they start with: the value that they keep. */
const constantGlobals = (program: Program, { keepAccesses = false }: PropagateOptions): Facts => {
  const changed = new Set<Variable>()
  const written = new Set<Variable>()
  const racing = new Set<Variable>()
  for (const { edges } of program.templates.values())
    for (const { labels, sync } of edges)
      for (const label of labels) {
        for (const variable of writtenBy(label)) (keepsValue(label) ? written : changed).add(variable)
        if (!sync) for (const variable of [...read(label), ...writtenBy(label)]) racing.add(variable)
      }
  const isConstant = (v: Variable): boolean =>
    !changed.has(v) && v.initial !== 'any' && !(keepAccesses && written.has(v) && racing.has(v))
  return new Map(program.globals.filter(isConstant).map((v) => [v, constant(v.type, v.initial as Value)]))
}

/** An assignment of the value that the variable starts with. */
const keepsValue = (label: Label): boolean =>
  label.kind === 'assign' && label.value.kind === 'const' && label.value.value === label.target.initial

/** Parameters that every start gives the same constant, and nobody assigns. */
const constantParameters = (program: Program): Map<Procedure, Facts> => {
  const passed = new Map<Variable, Expr | 'several'>()
  const templates = [...program.templates.values()]
  for (const label of templates.flatMap((t) => t.edges).flatMap((edge) => edge.labels)) {
    if (label.kind !== 'start') continue
    program.templates.get(label.procedure)?.parameters.forEach((parameter, i) => {
      const arg = label.args[i]
      const known = passed.get(parameter)
      const fits = arg?.kind === 'const' && sameType(arg.type, parameter.type)
      const agrees = known === undefined || (known !== 'several' && arg !== undefined && sameExpr(known, arg))
      passed.set(parameter, fits && agrees ? arg : 'several')
    })
  }
  return new Map(templates.map((t) => [t, new Map(t.parameters.flatMap((p) => factOf(p, passed.get(p))))]))
}

const factOf = (variable: Variable, value: Expr | 'several' | undefined): readonly [Variable, Expr][] =>
  value === undefined || value === 'several' ? [] : [[variable, value]]

// ---- facts at locations

const factsOf = (procedure: Procedure, initial: Facts, constants: Facts): Map<Location, Facts> => {
  const live = liveLocals(procedure)
  const from = outgoing(procedure.edges)
  const facts = new Map<Location, Facts>([[procedure.initial, initial]])
  const pending = new Set<Location>([procedure.initial])
  for (const location of pending) {
    pending.delete(location)
    for (const edge of from.get(location) ?? []) {
      const after = through(edge, facts.get(location)!, constants)
      if (!after) continue
      const known = facts.get(edge.target)
      const merged = meet(known, after, live.get(edge.target)!)
      if (merged === known) continue
      facts.set(edge.target, merged)
      pending.add(edge.target)
    }
  }
  return facts
}

/** Facts that hold in both, about registers that are still read; the first map itself if nothing changes. */
const meet = (known: Facts | undefined, other: Facts, live: ReadonlySet<Variable>): Facts => {
  if (!known) return new Map([...other].filter(([variable]) => live.has(variable)))
  const agreed = [...known].filter(([variable, value]) => {
    const second = other.get(variable)
    return second !== undefined && sameExpr(value, second)
  })
  return agreed.length === known.size ? known : new Map(agreed)
}

/** Facts after an edge; undefined if it cannot be taken. */
const through = (edge: Edge, before: Facts, constants: Facts): Facts | undefined => {
  const facts = new Map(before)
  for (const label of edge.labels) {
    const replaced = replaceIn(label, facts, constants)
    if (replaced.kind === 'assume' && isFalse(replaced.condition)) return undefined
    record(facts, replaced)
  }
  return facts
}

const replaceIn = (label: Label, facts: Facts, constants: Facts): Label =>
  mapExpressions(label, (expr) => substitute(expr, (v) => (v.scope === 'local' ? facts.get(v) : constants.get(v))))

const isFalse = (expr: Expr): boolean => expr.kind === 'const' && expr.value === 0
const isTrue = (expr: Expr): boolean => expr.kind === 'const' && expr.value === 1

/** Forgets what the label changes, and learns what it assigns. */
const record = (facts: Map<Variable, Expr>, label: Label): void => {
  for (const target of writtenBy(label)) {
    facts.delete(target)
    for (const [variable, value] of facts) if (mentions(value, target)) facts.delete(variable)
  }
  if (label.kind !== 'assign' || label.target.scope !== 'local') return
  const { target, value } = label
  if (sameType(target.type, value.type) && isPropagated(value) && !mentions(value, target)) facts.set(target, value)
}

const isPropagated = (expr: Expr): boolean => hasOnlyLocals(expr) && nodes(expr) <= MAX_NODES

const hasOnlyLocals = (expr: Expr): boolean =>
  expr.kind === 'var' ? expr.variable.scope === 'local' : children(expr).every(hasOnlyLocals)

const nodes = (expr: Expr): number => children(expr).reduce((sum, child) => sum + nodes(child), 1)

// ---- rewriting

/**
 * The edge with what is known put in; nothing if it cannot be taken. A wait that never ends stays: it keeps its atomic
 * block from beginning.
 */
const rewrite = (edge: Edge, known: Facts | undefined, constants: Facts, waits: boolean): readonly Draft[] => {
  if (!known) return []
  const facts = new Map(known)
  const sync = edge.sync?.object ? { ...edge.sync, object: replaceExpr(edge.sync.object, facts, constants) } : edge.sync
  const labels: Label[] = []
  for (const label of edge.labels) {
    const replaced = replaceIn(label, facts, constants)
    if (replaced.kind === 'assume' && isFalse(replaced.condition))
      return waits ? [draft(edge, { labels: [replaced] })] : []
    if (!saysNothing(replaced, constants)) labels.push(replaced)
    record(facts, replaced)
  }
  return [draft(edge, { labels, ...(sync ? { sync } : {}) })]
}

/** A guard that holds, or an assignment to a global that keeps its value. */
const saysNothing = (label: Label, constants: Facts): boolean =>
  (label.kind === 'assume' && isTrue(label.condition)) || (label.kind === 'assign' && constants.has(label.target))

const replaceExpr = (expr: Expr, facts: Facts, constants: Facts): Expr =>
  substitute(expr, (v) => (v.scope === 'local' ? facts.get(v) : constants.get(v)))

// ---- dead assignments

/** Drops assignments to registers that nobody reads, and registers that nobody mentions. */
const removeDead = (program: Program): Program => {
  const cleaned = withEdges(program, (procedure) => {
    const live = liveLocals(procedure)
    return procedure.edges.map((edge) => draft(edge, { labels: withoutDead(edge, live.get(edge.target)!) }))
  })
  return withoutUnused(cleaned)
}

const withoutDead = (edge: Edge, after: ReadonlySet<Variable>): readonly Label[] => {
  const live = new Set(after)
  const kept: Label[] = []
  for (let i = edge.labels.length - 1; i >= 0; i--) {
    const label = edge.labels[i]!
    const isDead = label.kind === 'assign' && label.target.scope === 'local' && !live.has(label.target)
    if (isDead && hasOnlyLocals(label.value)) continue
    kept.push(label)
    stepBack(live, label)
  }
  return kept.reverse()
}

/** Drops locals that no label mentions. */
const withoutUnused = (program: Program): Program => {
  const templates = new Map([...program.templates].map(([name, procedure]) => [name, dropUnused(procedure)]))
  return { ...program, templates, main: templates.get(program.main.name)! }
}

const dropUnused = (procedure: Procedure): Procedure => {
  const used = new Set<Variable>([...procedure.parameters, procedure.self])
  if (procedure.result) used.add(procedure.result)
  for (const edge of procedure.edges) {
    if (edge.sync?.object) variablesOf(edge.sync.object, used)
    for (const label of edge.labels) {
      for (const variable of writtenBy(label)) used.add(variable)
      mapExpressions(label, (expr) => {
        variablesOf(expr, used)
        return expr
      })
    }
  }
  return { ...procedure, locals: procedure.locals.filter((variable) => used.has(variable)) }
}
