// Values that the scheduler gave and takes back: events and threads, as programs keep them in variables. The paper
// asks for constants as arguments of primitives (4.2); we follow such variables explicitly, beside the regions, so that
// real programs, which create their events, satisfy that. Only variables all of whose values are determined that way.
import type { Expr, Label, Program, Value, Variable } from '../../xcfa/index.js'
import { binaryValue, bitcastValue, castValue, compareValue, unaryValue, variablesOf, wrap } from '../../xcfa/index.js'
import { written } from '../../xcfa/passes/index.js'

/** By the name of a variable in a thread. */
export type Handles = ReadonlyMap<string, Value>

export const handleName = (v: Variable, thread: number): string =>
  v.scope === 'global' ? `${v.id}` : `${thread}:${v.id}`

/** The variables that are followed: determined, and needed for an argument of a primitive or of a start. */
export const handleVariables = (program: Program): ReadonlySet<Variable> => {
  const definitions = definitionsOf(program)
  const determined = greatest(definitions)
  const needed = new Set<Variable>()
  const need = (e: Expr): void => {
    for (const v of variablesOf(e)) {
      if (needed.has(v)) continue
      needed.add(v)
      for (const value of definitions.get(v) ?? []) if (value !== 'scheduler' && value !== 'unknown') need(value)
    }
  }
  for (const label of labelsOf(program)) if (label.kind === 'primitive') label.args.forEach(need)
  for (const { parameters } of program.templates.values()) for (const v of parameters) needed.add(v)
  return new Set([...needed].filter((v) => determined.has(v)))
}

type Definition = Expr | 'scheduler' | 'unknown'

function* labelsOf(program: Program): Generator<Label> {
  for (const { edges } of program.templates.values()) for (const { labels } of edges) yield* labels
}

const definitionsOf = (program: Program): ReadonlyMap<Variable, readonly Definition[]> => {
  const definitions = new Map<Variable, Definition[]>()
  const define = (v: Variable, value: Definition): void => {
    const known = definitions.get(v)
    if (known) known.push(value)
    else definitions.set(v, [value])
  }
  for (const v of program.globals) if (v.initial === 'any') define(v, 'unknown')
  for (const label of labelsOf(program)) {
    if (label.kind === 'assign') define(label.target, label.value)
    else if (label.kind === 'primitive' || label.kind === 'start')
      for (const v of written(label)) define(v, 'scheduler')
    else for (const v of written(label)) define(v, 'unknown')
    if (label.kind === 'start')
      program.templates.get(label.procedure)!.parameters.forEach((v, i) => {
        define(v, label.args[i] ?? 'unknown')
      })
  }
  return definitions
}

/** The greatest set of variables whose every value is computed from others of the set. */
const greatest = (definitions: ReadonlyMap<Variable, readonly Definition[]>): ReadonlySet<Variable> => {
  const unknown = new Set<Variable>()
  for (let before = -1; before !== unknown.size; ) {
    before = unknown.size
    for (const [v, values] of definitions) if (values.some((value) => isUnknown(value, unknown))) unknown.add(v)
  }
  return { has: (v: Variable) => !unknown.has(v) && v.type.kind !== 'float' } as ReadonlySet<Variable>
}

const isUnknown = (value: Definition, unknown: ReadonlySet<Variable>): boolean =>
  value === 'unknown' || (value !== 'scheduler' && [...variablesOf(value)].some((v) => unknown.has(v)))

/** The value of an expression, if all its variables are known. */
export const knownValue = (e: Expr, known: (v: Variable) => Value | undefined): Value | undefined => {
  switch (e.kind) {
    case 'const':
      return e.value
    case 'var':
      return known(e.variable)
    case 'unary':
      return lift([e.arg], known, ([a]) => unaryValue(e.op, e.type, a!))
    case 'binary':
      return lift([e.left, e.right], known, ([a, b]) => binaryValue(e.op, e.type, a!, b!))
    case 'compare':
      return lift([e.left, e.right], known, ([a, b]) => (compareValue(e.op, e.left.type, a!, b!) ? 1 : 0))
    case 'not':
      return lift([e.arg], known, ([a]) => (a === 0 ? 1 : 0))
    case 'and':
      return lift(e.args, known, (values) => (values.every((a) => a !== 0) ? 1 : 0))
    case 'or':
      return lift(e.args, known, (values) => (values.some((a) => a !== 0) ? 1 : 0))
    case 'ite':
      return lift([e.condition, e.then, e.else], known, ([c, a, b]) => (c !== 0 ? a! : b!))
    case 'cast':
      return lift([e.arg], known, ([a]) => castValue(e.arg.type, e.type, a!))
    case 'bitcast':
      return lift([e.arg], known, ([a]) => bitcastValue(e.arg.type, e.type, a!))
  }
}

const lift = (
  args: readonly Expr[],
  known: (v: Variable) => Value | undefined,
  apply: (values: readonly Value[]) => Value,
): Value | undefined => {
  const values: Value[] = []
  for (const arg of args) {
    const value = knownValue(arg, known)
    if (value === undefined) return undefined
    values.push(value)
  }
  return apply(values)
}

export const assigned = (handles: Handles, v: Variable, thread: number, value: Value): Handles => {
  const [name, wrapped] = [handleName(v, thread), wrap(v.type, value)]
  return handles.get(name) === wrapped ? handles : new Map(handles).set(name, wrapped)
}

const keys = new WeakMap<Handles, string>()

export const handlesKey = (handles: Handles): string => {
  let key = keys.get(handles)
  if (key === undefined) {
    const parts = [...handles].map(([name, value]) => `${name}=${value}`)
    keys.set(handles, (key = parts.sort().join(',')))
  }
  return key
}
