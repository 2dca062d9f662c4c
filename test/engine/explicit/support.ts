// Exploring hand-made programs, and random ones: a few threads that run through small graphs over two or three
// shared variables, with loops, guards, starts and joins.
import { type Exploration, type ExploreOptions, explore } from '../../../src/engine/explicit/explore.js'
import {
  add,
  bitand,
  constant,
  type Expr,
  eq,
  INT,
  type Label,
  type Location,
  ne,
  type Program,
  type Variable,
  varExpr,
} from '../../../src/xcfa/index.js'
import { type Choices, seededChoices } from '../../generate/choices.js'
import { handMade, type TemplateBuilder } from '../../xcfa/hand.js'

export const REDUCTIONS = ['none', 'persistent', 'sleep', 'both'] as const

const env = { stopped: () => undefined, progress: () => {} }

export const run = (program: Program, options: Partial<ExploreOptions> = {}): Exploration =>
  explore(
    program,
    {
      por: 'none',
      isError: (edge) => edge.target.kind === 'error',
      forgetDead: false,
      maximalBytes: 2 ** 30,
      ...options,
    },
    env,
  )

/** All states, errors included: what the interpreter counts too. */
export const countsOf = (
  program: Program,
  options: Partial<ExploreOptions> = {},
): { readonly states: number; readonly transitions: number } => {
  const { states, transitions, outcome } = run(program, { isError: () => false, ...options })
  if (outcome.kind !== 'complete') throw new Error(`not complete: ${JSON.stringify(outcome)}`)
  return { states, transitions }
}

const num = (value: number): Expr => constant(INT, value)

/** Threads of a few locations each; values of variables stay below 4, so that the states are few. */
export const randomProgram = (seed: number): Program => {
  const choices = seededChoices(seed)
  const p = handMade()
  const shared = Array.from({ length: 1 + choices.below(3) }, (_, i) => p.global(`x${i}`))
  const threads = 2 + choices.below(2)
  for (let i = 0; i < threads; i++) p.template(`T${i}`, (t) => randomThread(t, choices, shared))
  p.template('main', (t) => {
    const handles = Array.from({ length: threads }, (_, i) => t.local(`h${i}`))
    const started = t.location()
    t.path(
      t.initial,
      started,
      ...handles.map((h, i): Label[] => [{ kind: 'start', target: h, procedure: `T${i}`, args: [] }]),
    )
    if (choices.below(2) === 0) return t.edge(started, t.final, [])
    const joined: Label = { kind: 'join', thread: varExpr(choices.pick(handles)) }
    const after = t.location()
    t.edge(started, after, [joined])
    t.edge(after, t.final, [randomStep(choices, shared, t.local('r'))])
    return undefined
  })
  return p.program()
}

const randomThread = (t: TemplateBuilder, choices: Choices, shared: readonly Variable[]): void => {
  const register = t.local('r')
  const locations: Location[] = [t.initial]
  for (let i = 1 + choices.below(3); i > 0; i--) locations.push(t.location())
  const step = () => randomStep(choices, shared, register)
  for (const [i, location] of locations.entries()) t.edge(location, locations[i + 1] ?? t.final, [step()])
  // Edges forwards and backwards, and sometimes an error behind a guard.
  for (let i = choices.below(3); i > 0; i--) t.edge(choices.pick(locations), choices.pick(locations), [step()])
  if (choices.below(3) === 0)
    t.edge(choices.pick(locations), t.error(), [
      { kind: 'assume', condition: eq(varExpr(choices.pick(shared)), num(1 + choices.below(3))) },
    ])
}

const randomStep = (choices: Choices, shared: readonly Variable[], register: Variable): Label => {
  const x = choices.pick(shared)
  const below4 = (e: Expr): Expr => bitand(e, num(3))
  switch (choices.below(6)) {
    case 0:
      return { kind: 'assign', target: x, value: num(choices.below(3)) }
    case 1:
      return { kind: 'assign', target: x, value: below4(add(varExpr(x), num(1))) }
    case 2:
      return { kind: 'assign', target: register, value: varExpr(x) }
    case 3:
      return { kind: 'assign', target: x, value: below4(add(varExpr(register), num(1))) }
    case 4:
      return { kind: 'assume', condition: ne(varExpr(x), num(choices.below(3))) }
    default:
      return { kind: 'assume', condition: eq(varExpr(x), num(choices.below(2))) }
  }
}
