// Interleavings and their Mazurkiewicz classes, computed from the statements alone: every execution of a length, joined
// by swaps of adjacent steps that are independent in the state before them, by the rules of peephole.txt.
import { actionsOf, initialMemory, type Memory, type Statement } from './statements.js'

export type Rules = 'static' | 'simple' | 'full'

/** A step: thread from 1, index of its statement, which edge of it. */
export interface ConcreteStep {
  readonly thread: number
  readonly index: number
  readonly way: number
}

type Action = ReturnType<typeof actionsOf>[number]
type Threads = readonly (readonly Statement[])[]

export const wordOf = (steps: readonly ConcreteStep[]): string =>
  steps.map(({ thread, index, way }) => `${thread}.${index}${way ? '!' : ''}`).join(' ')

interface Execution {
  readonly steps: readonly ConcreteStep[]
  readonly states: readonly Memory[]
}

/** All executions of exactly this many steps of the threads. */
export const executionsOf = (threads: Threads, length: number): readonly Execution[] => {
  let found: readonly Execution[] = [{ steps: [], states: [initialMemory()] }]
  for (let i = 0; i < length; i++) found = found.flatMap((execution) => extensions(threads, execution))
  return found
}

const extensions = (threads: Threads, { steps, states }: Execution): readonly Execution[] => {
  const state = states.at(-1)!
  return threads.flatMap((statements, i) => {
    const index = steps.filter((step) => step.thread === i + 1).length
    const statement = statements[index]
    if (!statement) return []
    return actionsOf(statement, state, i + 1)
      .filter((action) => action.enabled)
      .map((action) => ({
        steps: [...steps, { thread: i + 1, index, way: action.way }],
        states: [...states, { ...state, ...action.writes }],
      }))
  })
}

const actionAt = (threads: Threads, { thread, index, way }: ConcreteStep, state: Memory): Action =>
  actionsOf(threads[thread - 1]![index]!, state, thread)[way]!

/** Whether two steps of different threads are independent in a state. */
export const independentAt = (threads: Threads, a: ConcreteStep, b: ConcreteStep, s: Memory, rules: Rules): boolean => {
  const [one, two] = [actionAt(threads, a, s), actionAt(threads, b, s)]
  if (rules === 'full') return agree(one, two) && unaffected(threads, a, b, s) && unaffected(threads, b, a, s)
  const arrays = (action: Action): boolean =>
    [...Object.keys(action.writes), ...action.data].some((p) => /^a\d/.test(p))
  const storing = (action: Action): boolean => Object.keys(action.writes).some((p) => /^a\d/.test(p))
  const perhaps = (one.symbolic || two.symbolic) && arrays(one) && arrays(two) && (storing(one) || storing(two))
  return !(rules === 'static' && perhaps) && unrelated(one, two) && unrelated(two, one)
}

/** Rules 1 to 3: nothing that one assigns is read or assigned by the other. */
const unrelated = (one: Action, two: Action): boolean =>
  [...one.data, ...one.guard, ...Object.keys(one.writes)].every((place) => !(place in two.writes))

/** Rule 4b. */
const agree = (one: Action, two: Action): boolean =>
  Object.entries(one.writes).every(([place, value]) => !(place in two.writes) || two.writes[place] === value)

/** Rules 4a and 4c. */
const unaffected = (threads: Threads, a: ConcreteStep, b: ConcreteStep, s: Memory): boolean => {
  const { writes } = actionAt(threads, b, s)
  const { data, enabled } = actionAt(threads, a, s)
  const after = actionAt(threads, a, { ...s, ...writes })
  return data.every((place) => !(place in writes) || writes[place] === s[place]) && after.enabled === enabled
}

/** The classes of the executions of a length, each as a set of words. */
export const classesOf = (threads: Threads, length: number, rules: Rules): readonly (readonly string[])[] => {
  const executions = executionsOf(threads, length)
  const parent = new Map<string, string>()
  const rootOf = (word: string): string => {
    const up = parent.get(word)
    return up === undefined ? word : rootOf(up)
  }
  const words = new Set(executions.map(({ steps }) => wordOf(steps)))
  for (const { steps, states } of executions)
    for (let k = 0; k + 1 < steps.length; k++) {
      const [first, second] = [steps[k]!, steps[k + 1]!]
      if (first.thread === second.thread || !independentAt(threads, first, second, states[k]!, rules)) continue
      const swapped = wordOf([...steps.slice(0, k), second, first, ...steps.slice(k + 2)])
      if (!words.has(swapped)) throw new Error(`independent steps cannot be swapped: ${wordOf(steps)} at ${k}`)
      const [one, two] = [rootOf(wordOf(steps)), rootOf(swapped)]
      if (one !== two) parent.set(one, two)
    }
  const classes = new Map<string, string[]>()
  for (const word of words) classes.set(rootOf(word), [...(classes.get(rootOf(word)) ?? []), word])
  return [...classes.values()]
}
