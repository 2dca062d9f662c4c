// A model as an execution: events in order, up to the violation.
import { evaluate, type Model, type Term, toSigned } from '../../../logic/index.js'
import type { Step, Trace } from '../../../semantics/index.js'
import type { Program, Type, Value, Variable } from '../../../xcfa/index.js'
import type { Encoding } from '../../../xcfa/terms/index.js'
import type { Encoded } from './encode.js'
import type { Event } from './events.js'
import { initialValueOf } from './initial.js'
import type { Node, UnrolledEdge, Unrolling } from './unroll.js'

export const traceOf = (
  program: Program,
  unrolling: Unrolling,
  encoded: Encoded,
  encoding: Encoding,
  model: Model,
  error: Node | undefined,
): Trace => {
  const { execution, order } = encoded
  const isTaken = (e: UnrolledEdge): boolean => evaluate(execution.taken.get(e)!, model) === true
  const last = error && execution.eventOf.get(error.incoming.find(isTaken)!.source)!
  // A block that is not executed to its end has changed nothing.
  const executed = execution.events.filter((e) => edgesOf(e, isTaken).at(-1)?.target.isInside === false)
  const all = order.sorted(model, executed)
  const events = last ? all.slice(0, all.indexOf(last) + 1) : all
  const numbers = new Map([[unrolling.instances[0]!, 0]])
  const steps: Step[] = []
  for (const event of events)
    for (const unrolled of edgesOf(event, isTaken)) {
      const choices = (execution.choices.get(unrolled) ?? []).map((term, i) => choice(unrolled, i, term, model))
      steps.push({ thread: numbers.get(event.node.instance)!, edge: unrolled.edge, choices })
      for (const instance of unrolled.started) numbers.set(instance, numbers.size)
    }
  const initial = new Map<Variable, Value>()
  for (const v of program.globals)
    if (v.initial === 'any') initial.set(v, programValue(v.type, evaluate(initialValueOf(encoding, v), model)))
  return { steps, initial }
}

/** The way through an event: one edge, or those of an atomic block in order. */
const edgesOf = (event: Event, isTaken: (e: UnrolledEdge) => boolean): readonly UnrolledEdge[] => {
  const path: UnrolledEdge[] = []
  for (let node = event.node; ; ) {
    const next = node.outgoing.find(isTaken)
    if (!next) return path
    path.push(next)
    if (!next.target.isInside) return path
    node = next.target
  }
}

const choice = ({ edge }: UnrolledEdge, index: number, term: Term, model: Model): Value => {
  const havocs = edge.labels.filter((l) => l.kind === 'havoc')
  return programValue(havocs[index]!.target.type, evaluate(term, model))
}

export const programValue = (type: Type, value: unknown): Value => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'bigint') return Number(value)
  const exact = type.kind === 'int' && type.signed && value >= 0n ? toSigned(value, type.width) : value
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact
}
