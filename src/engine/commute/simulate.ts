// Executions of the representatives that an order prefers: the first thread of the order that can take a step takes it,
// with inputs that are chosen at random, by a seed. What is seen at vectors that come again (loops) suggests assertions;
// nothing is believed of it.

import type { Term, Value } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { type ArrayValue, arrayStore, rational } from '../../logic/index.js'
import type { Control, ControlFlow, ThreadControl } from '../../semantics/control.js'
import { isInput, type Transitions } from '../../symbolic/index.js'
import type { Location } from '../../xcfa/index.js'
import type { Alphabet, Letter } from './letters.js'
import type { Order } from './order.js'

/** The state at one visit of a place. */
export type Sample = ReadonlyMap<Term, Value>

/** With so many executions it is enough if none was complete, or if these were; there are never more than the last. */
const RUNS = 40
const COMPLETE_RUNS = 30
const MAX_RUNS = 100
const TRIES = 600
const MAX_STEPS = 300
const INPUT_TRIES = 12
/** Of the values of an execution that came to its end, how many are chosen again. */
const KEPT = 0.85

export interface Simulated {
  /** By place (location vector and state of the order): a thread has come to the head of a loop. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  /** Those of executions in which all threads come to their ends: what blocks for ever may break any pattern. */
  readonly complete: ReadonlyMap<string, readonly Sample[]>
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
  /** How many iterations of loops each thread closed, in executions that came to their ends. */
  readonly rounds: readonly ReadonlyMap<number, number>[]
}

/** What runs have in common; it grows. */
interface Seen {
  readonly samples: Map<string, Sample[]>
  readonly complete: Map<string, Sample[]>
  readonly writers: Map<Term, Set<number>>
  readonly repeated: Set<string>
  readonly started: Set<string>
  readonly atoms: Set<Term>
  readonly letters: Set<Letter>
  readonly rounds: ReadonlyMap<number, number>[]
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
    complete: new Map(),
    writers: new Map(),
    repeated: new Set(),
    started: new Set(),
    atoms: new Set(),
    letters: new Set(),
    rounds: [],
    threads: [],
  }
  const random = generator(1)
  let runs = 0
  let complete = 0
  const led: (readonly Value[])[] = []
  for (let tries = 0; tries < TRIES && !simulation.isOver(); tries++) {
    // What led to the end once does so again with a few other values.
    const model = random() < 0.7 ? led[Math.floor(random() * led.length)] : undefined
    const { kind, chosen } = run(simulation, random, seen, model)
    if (kind === 'complete') led.push(chosen)
    if (kind !== 'short') runs++
    if (kind === 'complete') complete++
    if (complete >= COMPLETE_RUNS || (runs >= RUNS && (complete === 0 || runs >= MAX_RUNS))) break
  }
  return seen
}

/** Whether it got as far as to start a thread, and whether all came to their ends. */
const run = (
  { flow, alphabet, transitions, order, heads }: Simulation,
  random: () => number,
  seen: Seen,
  /** Values to choose again, most of them. */
  before: readonly Value[] | undefined,
): { readonly kind: 'short' | 'started' | 'complete'; readonly chosen: readonly Value[] } => {
  const values: Value[] = []
  const met: (readonly [string, Sample])[] = []
  const zeros = [0.2, 0.5, 0.8][Math.floor(random() * 3)]!
  const reach = [3, 4, 8, 60][Math.floor(random() * 4)]!
  const drawn: bigint[] = []
  const choose = (term: Term): Value => {
    const again = before && random() < KEPT ? before[values.length] : undefined
    const value =
      typeof again === 'bigint' && term.sort.kind === 'int' ? again : anyValue(term, random, zeros, reach, drawn)
    values.push(value)
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
  const rounds = new Map<number, number>()
  for (let step = 0; step < MAX_STEPS; step++) {
    const letters = alphabet.at(control)
    for (const each of letters) if (!seen.letters.has(each)) noteLetter(each, seen)
    const taken = next(letters, state, control, order, turn, choose)
    if (!taken) break
    const { letter, model } = taken
    const results = logic.evaluateAll([...letter.updates.values()], model).values
    state = new Map(taken.state)
    for (const v of letter.dead) state.delete(v)
    for (const [i, v] of [...letter.updates.keys()].entries()) state.set(v, results[i]!)
    control = alphabet.after(control, letter)
    turn = order.next(turn, letter)
    if (control.threads.length > seen.threads.length) seen.threads = control.threads
    if (letter.thread !== 0)
      for (const v of letter.writes) seen.writers.set(v, (seen.writers.get(v) ?? new Set()).add(letter.thread))
    if (letter.back) rounds.set(letter.thread, (rounds.get(letter.thread) ?? 0) + 1)
    if (letter.back || heads.has(letter.target)) {
      const place = `${control.key}|${turn}`
      if (visited.has(place)) seen.repeated.add(place)
      visited.add(place)
      if (control.threads.length > 1) seen.started.add(place)
      met.push([place, state])
    }
  }
  const telling = fewOfEach(met)
  for (const [place, sample] of telling) note(seen.samples, place, sample)
  if (control.threads.length === 1) return { kind: 'short', chosen: values }
  const isComplete = control.threads.every(
    ({ number, location, template }) => number === 0 || location === template.final,
  )
  if (isComplete) {
    for (const [place, sample] of telling) note(seen.complete, place, sample)
    seen.rounds.push(rounds)
  }
  return { kind: isComplete ? 'complete' : 'started', chosen: values }
}

/** A thread that spins comes to the same place again and again, and would leave no room for other executions. */
const fewOfEach = (met: readonly (readonly [string, Sample])[]): readonly (readonly [string, Sample])[] => {
  const byPlace = new Map<string, Sample[]>()
  for (const [place, sample] of met) byPlace.set(place, [...(byPlace.get(place) ?? []), sample])
  return [...byPlace].flatMap(([place, samples]) =>
    (samples.length <= 2 * HALF ? samples : [...samples.slice(0, HALF), ...samples.slice(-HALF)]).map(
      (sample) => [place, sample] as const,
    ),
  )
}

/** Of the visits of one place in one execution, so many of the first and of the last are kept. */
const HALF = 6

const note = (places: Map<string, Sample[]>, place: string, sample: Sample): void => {
  const samples = places.get(place)
  if (!samples) places.set(place, [sample])
  else if (samples.length < MAX_SAMPLES) samples.push(sample)
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
        if (leadsNowhere(letter)) continue
        if (logic.satisfies(letter.guard, model) === true) return { letter, model, state }
      }
    }
    for (const letter of own) {
      const mended = leadsNowhere(letter) || letter.inputs.length > 0 ? undefined : withContents(letter.guard, state)
      if (mended) return { letter, model: { get: (v: Term) => mended.get(v) }, state: mended }
    }
    // It halts, and the others wait for it.
    if (own.some((letter) => leadsNowhere(letter) && logic.satisfies(letter.guard, state) === true)) return undefined
  }
  return undefined
}

/**
 * The state with other contents of arrays, so that the guard holds: programs assume of what came from outside that it is
 * what they need, and numbers at random hardly ever are.
 */
const withContents = (guard: Term, state: ReadonlyMap<Term, Value>): ReadonlyMap<Term, Value> | undefined => {
  const now = new Map(state)
  for (const each of logic.conjuncts(guard)) {
    if (logic.satisfies(each, now) === true) continue
    const cell = cellFor(each, now)
    if (!cell) return undefined
    now.set(cell.array, arrayStore(now.get(cell.array) as ArrayValue, cell.index, cell.value))
  }
  return logic.satisfies(guard, now) === true ? now : undefined
}

/** Of an equation with one element of an array: what the element has to be. */
const cellFor = (equation: Term, state: ReadonlyMap<Term, Value>) => {
  const [left, right] = equation.args
  if (equation.op !== '=' || left?.sort.kind !== 'int') return undefined
  const form = logic.linearForm([
    [left, rational(1n, 1n)],
    [right!, rational(-1n, 1n)],
  ])
  const cells = [...form.coefficients].filter(([{ op, args }]) => op === 'select' && args[0]!.op === 'var')
  const [cell] = cells
  if (cells.length !== 1 || cell![1].denominator !== 1n || cell![1].numerator ** 2n !== 1n) return undefined
  const [{ args }, factor] = cell!
  const rest = logic.linearTerm(left.sort, {
    ...form,
    coefficients: new Map([...form.coefficients].filter(([term]) => term !== cell![0])),
  })
  const value = -(logic.evaluate(rest, state) as bigint) * factor.numerator
  return { array: args[0]!, index: logic.evaluate(args[1]!, state), value }
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
    // Sizes are larger than what is counted up to them.
    if (random() < 0.3) return BigInt(8 + Math.floor(random() * 6))
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
