// Where an execution relies on signed arithmetic that wraps: C leaves it undefined, and a compiler may do anything else
// (`-fwrapv` makes it wrap). Each step is followed label by label, so that every operation is seen with its operands.
import type { Layout, Replay, ReplayedStep, State } from '../semantics/index.js'
import {
  children,
  type Edge,
  type Expr,
  isLibrary,
  isSigned,
  type Label,
  type Position,
  type Variable,
} from '../xcfa/index.js'
import { expressionsOf } from '../xcfa/passes/index.js'
import { typeInterval, within } from '../xcfa/terms/index.js'
import type { Assumption, Met } from './assumption.js'

/** One entry with the first place, and how many more there are; none if nothing wrapped. */
export const wrappedOn = (replay: Replay, layout: Layout): readonly Assumption[] => {
  const places = new Map<string, Met>()
  const mayWrap = new Map<Edge, boolean>()
  replay.steps.forEach((step, i) => {
    const { edge } = step.step
    const { position, text } = edge
    let may = mayWrap.get(edge)
    if (may === undefined) mayWrap.set(edge, (may = !isLibrary(position) && hasSignedArithmetic(edge)))
    if (!may) return
    const before = replay.steps[i - 1]?.state ?? replay.initial
    if (wraps(step, before, layout)) places.set(`${position.file}:${position.line}`, metAt(position, text))
  })
  const [first, ...more] = places.values()
  if (!first) return []
  return [{ kind: 'overflow-wraps', met: more.length > 0 ? { ...first, more: more.length } : first, status: 'open' }]
}

const metAt = ({ file, line }: Position, text: string): Met => ({
  ...{ file, line },
  text: text.replace(/;$/, '').replace(/\s+/g, ' '),
})

const hasSignedArithmetic = ({ labels }: Edge): boolean =>
  labels.some((label) => expressionsOf(label).some(isSignedArithmetic))

const isSignedArithmetic = (e: Expr): boolean =>
  ((e.kind === 'unary' || e.kind === 'binary') && isSigned(e.type)) || children(e).some(isSignedArithmetic)

const wraps = ({ step, state }: ReplayedStep, before: State, layout: Layout): boolean => {
  const { thread, edge } = step
  const now = before.threads.at(thread)
  const after = state.threads.at(thread)
  // A thread that the step starts or ends has no frame to follow.
  if (!now || !after || now.template !== after.template) return false
  const { template } = now
  const frame = { globals: [...before.globals], locals: [...now.locals] }
  const evaluate = (e: Expr): bigint | undefined => {
    const value = layout.evaluator(template, e)(frame)
    return typeof value === 'number' && !Number.isInteger(value) ? undefined : BigInt(value)
  }
  for (const label of edge.labels) {
    if (expressionsOf(label).some((e) => overflows(e, evaluate))) return true
    const target = targetOf(label)
    if (!target) continue
    const slots = target.scope === 'local' ? template.slots : layout.globals
    const slot = slots.get(target)
    if (slot === undefined) continue
    const [kept, final] = target.scope === 'local' ? [frame.locals, after.locals] : [frame.globals, state.globals]
    // What memory or a choice gave is taken from the state after the step.
    kept[slot] = label.kind === 'assign' ? layout.evaluator(template, label.value)(frame) : final[slot]!
  }
  return false
}

const targetOf = (label: Label): Variable | undefined => ('target' in label ? label.target : undefined)

/** Whether a signed operation that is evaluated leaves its type. */
const overflows = (e: Expr, evaluate: (e: Expr) => bigint | undefined): boolean => {
  const again = (child: Expr): boolean => overflows(child, evaluate)
  switch (e.kind) {
    case 'const':
    case 'var':
      return false
    case 'unary':
      return again(e.arg) || (e.op === 'neg' && isSigned(e.type) && leaves(e, negated(evaluate(e.arg))))
    case 'binary':
      return again(e.left) || again(e.right) || (isSigned(e.type) && leaves(e, exact(e, evaluate)))
    case 'compare':
      return again(e.left) || again(e.right)
    case 'not':
    case 'cast':
    case 'bitcast':
      return again(e.arg)
    case 'and':
    case 'or':
      return e.args.some(again)
    case 'ite':
      return again(e.condition) || again(evaluate(e.condition) !== 0n ? e.then : e.else)
  }
}

const negated = (value: bigint | undefined): bigint | undefined => (value === undefined ? undefined : -value)

const exact = (
  { op, left, right }: Extract<Expr, { kind: 'binary' }>,
  evaluate: (e: Expr) => bigint | undefined,
): bigint | undefined => {
  if (op !== 'add' && op !== 'sub' && op !== 'mul') return undefined
  const [a, b] = [evaluate(left), evaluate(right)]
  if (a === undefined || b === undefined) return undefined
  return op === 'add' ? a + b : op === 'sub' ? a - b : a * b
}

const leaves = ({ type }: Expr, value: bigint | undefined): boolean =>
  value !== undefined && !within({ low: value, high: value }, typeInterval(type))
