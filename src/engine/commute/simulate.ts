// Executions of the representatives that an order prefers: the first thread of the order that can take a step takes it,
// with inputs that are chosen at random, by a seed. What is seen at vectors that come again (loops) suggests assertions;
// nothing is believed of it.

import type { Term, Value } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Control, ControlFlow, ThreadControl } from '../../semantics/control.js'
import type { Transitions } from '../../symbolic/index.js'
import type { Location } from '../../xcfa/index.js'
import type { Alphabet, Letter } from './letters.js'
import type { Order } from './order.js'

/** Values of the integer variables at one visit of a vector. */
export type Sample = ReadonlyMap<Term, bigint>

const RUNS = 40
const TRIES = 1200
const MAX_STEPS = 300
const INPUT_TRIES = 12

export interface Simulated {
  /** By vector: every thread but main is at the head of a loop, at its beginning or at its end. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  /** Vectors that came again in one execution. */
  readonly repeated: ReadonlySet<string>
  /** The most threads that there were at a time. */
  readonly threads: readonly ThreadControl[]
  /** Threads other than main that changed a variable. */
  readonly writers: ReadonlyMap<Term, ReadonlySet<number>>
}

/** What runs have in common; it grows. */
interface Seen {
  readonly samples: Map<string, Sample[]>
  readonly writers: Map<Term, Set<number>>
  readonly repeated: Set<string>
  threads: readonly ThreadControl[]
}

export const simulate = (
  flow: ControlFlow,
  alphabet: Alphabet,
  transitions: Transitions,
  order: Order,
  isOver: () => boolean,
): Simulated => {
  const seen: Seen = { samples: new Map(), writers: new Map(), repeated: new Set(), threads: [] }
  const random = generator(1)
  const heads = loopHeads(flow)
  let runs = 0
  for (let tries = 0; runs < RUNS && tries < TRIES && !isOver(); tries++)
    if (run({ flow, alphabet, transitions, order, random, heads }, seen)) runs++
  return seen
}

interface Parts {
  readonly flow: ControlFlow
  readonly alphabet: Alphabet
  readonly transitions: Transitions
  readonly order: Order
  readonly random: () => number
  readonly heads: ReadonlySet<Location>
}

/** Whether it got as far as to start a thread. */
const run = ({ flow, alphabet, transitions, order, random, heads }: Parts, seen: Seen): boolean => {
  const zeros = [0.3, 0.6, 0.85][Math.floor(random() * 3)]!
  const reach = [3, 4, 8][Math.floor(random() * 3)]!
  const choose = (term: Term): Value => anyValue(term, random, zeros, reach)
  let state: Map<Term, Value> = new Map()
  const chosen = new Map<Term, Value>()
  const first = { get: (v: Term) => chosen.get(v) ?? setAndGet(chosen, v, choose(v)) }
  for (const [v, { value }] of transitions.initials) state.set(v, logic.evaluate(value, first))
  let control = flow.initial()
  let turn = order.initial
  const visited = new Set<string>()
  for (let step = 0; step < MAX_STEPS; step++) {
    const taken = next(alphabet.at(control), state, control, order, turn, choose)
    if (!taken) break
    const { letter, model } = taken
    const values = logic.evaluateAll([...letter.updates.values()], model).values
    state = new Map(state)
    for (const v of letter.dead) state.delete(v)
    for (const [i, v] of [...letter.updates.keys()].entries()) state.set(v, values[i]!)
    control = alphabet.after(control, letter)
    turn = order.next(turn, letter)
    if (control.threads.length > seen.threads.length) seen.threads = control.threads
    if (letter.thread !== 0)
      for (const v of letter.writes) seen.writers.set(v, (seen.writers.get(v) ?? new Set()).add(letter.thread))
    if (control.threads.length > 1 && isCalm(control, heads)) {
      const key = `${control.key}|${turn}`
      if (visited.has(key)) seen.repeated.add(key)
      visited.add(key)
      const sample = new Map([...state].filter((entry): entry is [Term, bigint] => entry[0].sort.kind === 'int'))
      seen.samples.set(key, [...(seen.samples.get(key) ?? []), sample])
    }
  }
  return control.threads.length > 1
}

const setAndGet = (map: Map<Term, Value>, v: Term, value: Value): Value => {
  map.set(v, value)
  return value
}

/** The letter that the order prefers among those that can be taken, with inputs for it. */
const next = (
  letters: readonly Letter[],
  state: ReadonlyMap<Term, Value>,
  control: Control,
  order: Order,
  turn: string,
  choose: (term: Term) => Value,
) => {
  const threads = [...new Set(letters.map(({ thread }) => thread))]
  const rank = new Map(threads.map((thread) => [thread, order.rank(turn, control, thread)]))
  threads.sort((a, b) => rank.get(a)! - rank.get(b)! || a - b)
  for (const thread of threads) {
    const own = letters.filter((letter) => letter.thread === thread)
    const draws = own.some(({ inputs }) => inputs.length > 0) ? INPUT_TRIES : 1
    for (let draw = 0; draw < draws; draw++) {
      // Edges with the same inputs are the ways on from one choice.
      const inputs = new Map<string, Value>()
      for (const letter of own) {
        const drawn = new Map(
          letter.inputs.map(({ term }) => [term, inputs.get(term.name!) ?? drawn1(inputs, term, choose(term))]),
        )
        const model = { get: (v: Term) => drawn.get(v) ?? state.get(v) }
        if (logic.satisfies(letter.guard, model) === true && !leadsNowhere(letter)) return { letter, model }
      }
    }
  }
  return undefined
}

const drawn1 = (inputs: Map<string, Value>, term: Term, value: Value): Value => {
  inputs.set(term.name!, value)
  return value
}

/** Another draw may do better than an execution that ends here. */
const leadsNowhere = ({ target }: Letter): boolean => target.kind === 'halt'

const isCalm = ({ threads }: Control, heads: ReadonlySet<Location>): boolean =>
  threads.every(
    ({ number, template, location }) =>
      number === 0 || location === template.final || location === template.initial || heads.has(location),
  )

const loopHeads = ({ program }: ControlFlow): ReadonlySet<Location> =>
  new Set(
    [...program.templates.values()].flatMap(({ edges }) =>
      edges.filter(({ back }) => back).map(({ target }) => target),
    ),
  )

const anyValue = (term: Term, random: () => number, zeros: number, reach: number): Value => {
  const { sort } = term
  const number = (): bigint =>
    random() < zeros ? 0n : BigInt(Math.floor(random() * reach) - (random() < 0.15 ? 2 : 0))
  switch (sort.kind) {
    case 'bool':
      return random() < 0.5
    case 'int':
      return number()
    case 'bv':
      return BigInt.asUintN(sort.width, number())
    case 'array': {
      const otherwise = sort.element.kind === 'int' ? number() : logic.defaultValue(sort.element)
      return { kind: 'array', otherwise, entries: new Map() }
    }
    default:
      return logic.defaultValue(sort)
  }
}

/** A linear congruential generator: numbers from 0 to 1, the same for the same seed. */
const generator = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
