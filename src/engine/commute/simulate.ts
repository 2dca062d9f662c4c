// Executions of the representatives that an order prefers: the first thread of the order that can take a step takes it,
// with inputs that are chosen at random, by a seed. What is seen at vectors that come again (loops) suggests assertions;
// nothing is believed of it.

import type { Term, Value } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Control, ControlFlow, ThreadControl } from '../../semantics/control.js'
import { isInput, type Transitions } from '../../symbolic/index.js'
import type { Location } from '../../xcfa/index.js'
import type { Alphabet, Letter } from './letters.js'
import type { Order } from './order.js'

/** The state at one visit of a place. */
export type Sample = ReadonlyMap<Term, Value>

const RUNS = 40
const TRIES = 600
const MAX_STEPS = 250
const INPUT_TRIES = 12

export interface Simulated {
  /** By place (location vector and state of the order): a thread has come to the head of a loop. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  /** Places that came again in one execution. */
  readonly repeated: ReadonlySet<string>
  /** Places at which there are threads besides main. */
  readonly started: ReadonlySet<string>
  /** The most threads that there were at a time. */
  readonly threads: readonly ThreadControl[]
  /** Threads other than main that changed a variable. */
  readonly writers: ReadonlyMap<Term, ReadonlySet<number>>
  /** What guards of the letters that were met compare. */
  readonly atoms: ReadonlySet<Term>
}

/** What runs have in common; it grows. */
interface Seen {
  readonly samples: Map<string, Sample[]>
  readonly writers: Map<Term, Set<number>>
  readonly repeated: Set<string>
  readonly started: Set<string>
  readonly atoms: Set<Term>
  readonly letters: Set<Letter>
  threads: readonly ThreadControl[]
}

export interface Simulation {
  readonly flow: ControlFlow
  readonly alphabet: Alphabet
  readonly transitions: Transitions
  readonly order: Order
  readonly heads: ReadonlySet<Location>
  readonly isOver: () => boolean
}

export const simulate = (simulation: Simulation): Simulated => {
  const seen: Seen = {
    samples: new Map(),
    writers: new Map(),
    repeated: new Set(),
    started: new Set(),
    atoms: new Set(),
    letters: new Set(),
    threads: [],
  }
  const random = generator(1)
  let runs = 0
  for (let tries = 0; runs < RUNS && tries < TRIES && !simulation.isOver(); tries++)
    if (run(simulation, random, seen)) runs++
  return seen
}

/** Whether it got as far as to start a thread. */
const run = ({ flow, alphabet, transitions, order, heads }: Simulation, random: () => number, seen: Seen): boolean => {
  const zeros = [0.2, 0.5, 0.8][Math.floor(random() * 3)]!
  const reach = [3, 4, 8, 60][Math.floor(random() * 4)]!
  const drawn: bigint[] = []
  const choose = (term: Term): Value => {
    const value = anyValue(term, random, zeros, reach, drawn)
    if (typeof value === 'bigint') drawn.push(value)
    return value
  }
  let state: Map<Term, Value> = new Map()
  const chosen = new Map<Term, Value>()
  const first = { get: (v: Term) => chosen.get(v) ?? setAndGet(chosen, v, choose(v)) }
  for (const [v, { value }] of transitions.initials) state.set(v, logic.evaluate(value, first))
  let control = flow.initial()
  let turn = order.initial
  const visited = new Set<string>()
  for (let step = 0; step < MAX_STEPS; step++) {
    const letters = alphabet.at(control)
    for (const each of letters) if (!seen.letters.has(each)) noteLetter(each, seen)
    const taken = next(letters, state, control, order, turn, choose)
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
    if (letter.back || heads.has(letter.target)) {
      const place = `${control.key}|${turn}`
      if (visited.has(place)) seen.repeated.add(place)
      visited.add(place)
      if (control.threads.length > 1) seen.started.add(place)
      const samples = seen.samples.get(place)
      if (!samples) seen.samples.set(place, [state])
      else if (samples.length < MAX_SAMPLES) samples.push(state)
    }
  }
  return control.threads.length > 1
}

const MAX_SAMPLES = 120

const noteLetter = (letter: Letter, { letters, atoms }: Seen): void => {
  letters.add(letter)
  // Of an input the variable tells that keeps it.
  const keeping = new Map([...letter.updates].filter(([, value]) => isInput(value)).map(([v, value]) => [value, v]))
  noteAtoms(logic.substitute(letter.guard, keeping), atoms)
}

/** Comparisons without inputs. */
const noteAtoms = (guard: Term, atoms: Set<Term>): void => {
  if (guard.op === 'and' || guard.op === 'or' || guard.op === 'not')
    for (const each of guard.args) noteAtoms(each, atoms)
  else if (guard.op !== 'const' && logic.size(guard) < 30 && !logic.freeVariables(guard).some(isInput)) atoms.add(guard)
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

/** Where loops begin. */
export const loopHeads = ({ program }: ControlFlow): ReadonlySet<Location> =>
  new Set(
    [...program.templates.values()].flatMap(({ edges }) =>
      edges.filter(({ back }) => back).map(({ target }) => target),
    ),
  )

/** Zeros, small numbers, and often one that was drawn before: programs ask for equal values. */
const anyValue = (
  { sort }: Term,
  random: () => number,
  zeros: number,
  reach: number,
  drawn: readonly bigint[],
): Value => {
  const number = (): bigint => {
    if (drawn.length > 0 && random() < 0.3) return drawn[Math.floor(random() * drawn.length)]!
    if (random() < zeros * 0.6) return 0n
    return BigInt(Math.floor(random() * reach) - (random() < 0.15 ? 2 : 0))
  }
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
