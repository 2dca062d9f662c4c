// A model as an execution: events in order, up to the violation.
import { evaluate, type Model, type Term } from '../../../logic/index.js'
import type { Step, Trace } from '../../../semantics/index.js'
import { programValue } from '../../../symbolic/index.js'
import type { Program, Value, Variable } from '../../../xcfa/index.js'
import type { Encoding } from '../../../xcfa/terms/index.js'
import { arbitraryValues } from './accesses.js'
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
  const { execution } = encoded
  const isTaken = (e: UnrolledEdge): boolean => evaluate(execution.taken.get(e)!, model) === true
  const last = error && execution.eventOf.get(error.incoming.find(isTaken)!.source)!
  // A block that is not executed to its end has changed nothing.
  const all = encoded.inOrder(model).filter((e) => edgesOf(e, isTaken).at(-1)?.target.isInside === false)
  const events = last ? all.slice(0, all.indexOf(last) + 1) : all
  const numbers = new Map([[unrolling.instances[0]!, 0]])
  const steps: Step[] = []
  const arbitrary = arbitraryValues(model)
  for (const event of events)
    for (const unrolled of edgesOf(event, isTaken)) {
      const choices = (execution.choices.get(unrolled) ?? []).map((term, i) => choice(unrolled, i, term, model))
      const indeterminate = arbitrary(execution.touched.get(unrolled) ?? [])
      steps.push({ thread: numbers.get(event.node.instance)!, edge: unrolled.edge, choices, indeterminate })
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
