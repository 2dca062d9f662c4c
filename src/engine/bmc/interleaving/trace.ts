// A model as an execution: the transition of each frame, with its choices.
import { evaluate, indexed, type Model, type Term } from '../../../logic/index.js'
import type { Step, Trace } from '../../../semantics/index.js'
import { programValue } from '../../../symbolic/index.js'
import type { Value, Variable } from '../../../xcfa/index.js'
import type { Frames, Move } from './frames.js'

export const traceOf = (frames: Frames, model: Model): Trace => {
  const { transitions } = frames
  const initial = new Map<Variable, Value>()
  for (const v of transitions.program.globals)
    if (v.initial === 'any')
      initial.set(v, programValue(v.type, evaluate(transitions.initial.get(transitions.term(v, 0))!, model)))
  return { steps: frames.taken(model).map((move, frame) => stepOf(move, frame, model)), initial }
}

const stepOf = ({ transition }: Move, frame: number, model: Model): Step => {
  const { edge, source, summary } = transition
  const havocs = edge.labels.filter((label) => label.kind === 'havoc')
  const choose = (term: Term, i: number): Value =>
    programValue(havocs[i]!.target.type, evaluate(indexed(term, frame), model))
  return { thread: source.thread, edge, choices: summary.choices.map(choose) }
}
