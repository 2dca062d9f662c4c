// A violation as the statements of its execution, in order: what both witness formats are written from.
import type { StepReport, TargetReport, TraceReport } from '../../verdict/index.js'
import { type OutputContext, sourceLine } from '../context.js'

export interface Statement {
  readonly step: StepReport
  /** The thread that this statement creates. */
  readonly creates?: number
  /** Values that calls of __VERIFIER_nondet_X in it return, with the place of the closing bracket. */
  readonly inputs: readonly Input[]
}

export interface Input {
  readonly value: string
  readonly line: number
  readonly column: number
  readonly callee: string
}

export const statementsOf = (trace: TraceReport, context: OutputContext): readonly Statement[] =>
  trace.steps.map((step) => {
    const created = /^create T(\d+)$/.exec(step.text)?.[1]
    return { step, ...(created && { creates: Number(created) }), inputs: inputsOf(step, context) }
  })

/** Choices of a statement belong to its calls if there are as many of both; else we do not know which is which. */
const inputsOf = (step: StepReport, context: OutputContext): readonly Input[] => {
  if (step.choices.length === 0) return []
  const text = sourceLine(context, step.file, step.line)
  const calls = [...text.matchAll(/(__VERIFIER_nondet_\w+)\s*\(\s*(?:void)?\s*\)/g)]
  if (calls.length !== step.choices.length) return []
  return calls.map((call, i) => ({
    value: step.choices[i]!,
    line: step.line,
    column: call.index + call[0].length,
    callee: call[1]!,
  }))
}

/** Where it ends: the failing statement, or both accesses of a race. */
export const targetsOf = (trace: TraceReport): readonly TargetReport[] => {
  if (trace.targets && trace.targets.length > 0) return trace.targets
  const last = trace.steps.at(-1)
  return [{ thread: last?.thread ?? 0, file: trace.file, line: trace.line, column: last?.column ?? 1, text: '' }]
}
