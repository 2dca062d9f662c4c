// Termination by brute force: all states, with every value of every choice. The program ends in every execution if no cycle
// of steps can be followed and nobody is blocked for ever. An infinite execution takes finitely many spurious wake-ups
// (semantics.md), so that cycles through them do not count, and a state with no other step is blocked.
import { BeyondBounds, deadlockAt, everyChoice, haltOf, interpreterOf, type State } from '../semantics/index.js'
import type { Program } from '../xcfa/index.js'
import { Undecided } from './proof.js'

const MAX_STATES = 1_000_000

export type Endings =
  | { readonly kind: 'always'; readonly states: number }
  | { readonly kind: 'not always'; readonly why: string }

export const endingsOf = (program: Program, stopped: () => string | undefined): Endings => {
  try {
    return explore(program, stopped)
  } catch (problem) {
    if (problem instanceof BeyondBounds) throw new Undecided(problem.message)
    throw problem
  }
}

interface Visit {
  readonly key: string
  readonly next: readonly State[]
  done: number
}

const explore = (program: Program, stopped: () => string | undefined): Endings => {
  const interpreter = interpreterOf(program)
  const seen = new Map<string, 'open' | 'done'>()
  /** Reached by spurious wake-ups, which no cycle passes. */
  const later: State[] = [...interpreter.initial()]
  const visit = (state: State, key: string): Visit | 'blocked' => {
    if (seen.size >= MAX_STATES) throw new Undecided(`more than ${MAX_STATES} states`)
    const reason = seen.size % 256 === 0 ? stopped() : undefined
    if (reason) throw new Undecided(reason)
    seen.set(key, 'open')
    if (state.threads.some((thread) => haltOf(thread))) return { key, next: [], done: 0 }
    const successors = interpreter
      .movable(state)
      .flatMap((thread) =>
        interpreter.edgesOf(state, thread).flatMap((edge) => interpreter.execute(state, thread, edge, everyChoice)),
      )
    if (deadlockAt(state, successors)) return 'blocked'
    const next = successors.filter(({ step }) => !step.edge.sync?.spurious).map((successor) => successor.state)
    for (const { step, state: after } of successors) if (step.edge.sync?.spurious) later.push(after)
    return { key, next, done: 0 }
  }
  for (let start = later.pop(); start; start = later.pop()) {
    const key = interpreter.key(start)
    if (seen.has(key)) continue
    const first = visit(start, key)
    if (first === 'blocked') return { kind: 'not always', why: 'threads are blocked for ever' }
    const stack = [first]
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const state = top.next[top.done++]
      if (!state) {
        seen.set(top.key, 'done')
        stack.pop()
        continue
      }
      const reached = interpreter.key(state)
      if (seen.get(reached) === 'open') return { kind: 'not always', why: 'an execution goes on for ever' }
      if (seen.has(reached)) continue
      const entered = visit(state, reached)
      if (entered === 'blocked') return { kind: 'not always', why: 'threads are blocked for ever' }
      stack.push(entered)
    }
  }
  return { kind: 'always', states: seen.size }
}
