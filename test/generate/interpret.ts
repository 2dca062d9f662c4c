// All that the interpreter says about a small program in one exploration: every result it can end with, whether an
// assertion can fail, whether it can be stuck. The same states as the oracle's, which answers one question at a time.
import { BeyondBounds, interpreterOf, type State, violationAt } from '../../src/semantics/index.js'
import { type Program, Unsupported } from '../../src/xcfa/index.js'
import { everyAccess, largeBlocks } from '../../src/xcfa/passes/large-block.js'

/** The program's result plus one; 0 until there is one. */
export const RESULT = '__result'

export type Interpreted =
  | {
      readonly kind: 'explored'
      readonly outcomes: ReadonlySet<number>
      readonly fails: boolean
      readonly deadlock: boolean
    }
  /** More than it was allowed, or can do; or what C does not define was met. */
  | { readonly kind: 'undecided'; readonly reason: string }

export const interpret = (program: Program, maxStates: number): Interpreted => {
  const undecided = (reason: string): Interpreted => ({ kind: 'undecided', reason })
  try {
    const interpreter = interpreterOf(largeBlocks(program, everyAccess), { endsMatter: false })
    const slot = program.globals.findIndex(({ name }) => name === RESULT)
    const seen = new Set<string>()
    const queue: (State | undefined)[] = []
    const outcomes = new Set<number>()
    let [fails, deadlock] = [false, false]
    const enter = (state: State): void => {
      const key = interpreter.key(state)
      if (seen.has(key)) return
      seen.add(key)
      const result = slot < 0 ? 0 : Number(state.globals[slot])
      if (result > 0) outcomes.add(result - 1)
      queue.push(state)
    }
    interpreter.initial().forEach(enter)
    for (let next = 0; next < queue.length; next++) {
      const state = queue[next]!
      queue[next] = undefined
      const successors = interpreter.successors(state)
      const error = violationAt(interpreter, 'assert', state, successors)
      if (error?.kind === 'error' && error.violation.kind === 'limit') return undecided('the limit of a model')
      fails ||= error !== undefined
      deadlock ||= violationAt(interpreter, 'no-deadlock', state, successors) !== undefined
      for (const { state: after, step, undefined: stopped } of successors) {
        if (stopped || step.edge.target.reason?.kind === 'undefined') return undecided('undefined behaviour')
        enter(after)
      }
      if (seen.size > maxStates) return undecided('more states than allowed')
    }
    return { kind: 'explored', outcomes, fails, deadlock }
  } catch (problem) {
    if (problem instanceof BeyondBounds || problem instanceof Unsupported) return undecided(problem.message)
    throw problem
  }
}
