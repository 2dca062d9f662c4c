// Assertions to try, from executions. The best order is the one whose representatives keep
// the most equations between what different threads compute: there proofs are short. Assertions are linear equations that
// hold of all samples of a place, differences and bounds, comparisons of the program's own guards, and what it asserts in
// the end. Whatever is suggested here has to be shown: it costs time if it is wrong, and nothing else.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { equationsOf, gcd } from './affine.js'
import type { Order } from './order.js'
import type { Sample, Simulated } from './simulate.js'

export interface Candidates {
  readonly order: Order
  /** What its executions suggest, by place. */
  readonly places: ReadonlyMap<string, readonly Term[]>
  /** Equations of any place, for those where executions did not come by. */
  readonly equations: readonly Term[]
  /** What holds of some samples of a place, those in which a condition does: `not condition, or formula`. */
  readonly guarded: () => Guarded
}

interface Guarded {
  readonly places: ReadonlyMap<string, readonly Term[]>
  /** For places where executions did not come by. */
  readonly anywhere: readonly Term[]
}

/** What all samples are asked for besides equations and differences. */
export interface Suggestions {
  /** Guards of the program, and what it asserts. */
  readonly formulas: readonly Term[]
  /** How many bits an unsigned variable has; undefined: it has a sign, or is no number. */
  readonly bitsOf: (v: Term) => number | undefined
}

export const candidatesFor = (order: Order, simulated: Simulated, suggestions: Suggestions): Candidates => {
  const places = new Map<string, readonly Term[]>()
  const anywhere = new Set<Term>()
  for (const [place, samples] of simulated.samples) {
    const better = betterSamples(simulated, place, samples)
    const { equations, all } = suggested(better, simulated, suggestions)
    places.set(place, better === samples ? all : [...all, ...suggested(samples, simulated, suggestions).all])
    const isShared = samples[0]!.size > 0 && simulated.repeated.has(place)
    if (!isShared) continue
    for (const each of equations) for (const one of [each, ...moduloWidth(each, suggestions.bitsOf)]) anywhere.add(one)
  }
  const equations = [...anywhere].slice(0, MAX_EQUATIONS)
  // Where executions seldom come by, more equations hold of them than do in general.
  for (const [place, own] of places)
    places.set(place, [
      ...new Set([...own, ...equations.filter((each) => holdsOfAll(each, simulated.samples.get(place)!))]),
    ])
  let guarded: Guarded | undefined
  return {
    ...{ order, places, equations },
    guarded: () => (guarded ??= guardedAt(places, simulated, suggestions)),
  }
}

/** By place, as far as threads have started. */
const guardedAt = (
  known: ReadonlyMap<string, readonly Term[]>,
  simulated: Simulated,
  suggestions: Suggestions,
): Guarded => {
  const places = new Map<string, readonly Term[]>()
  for (const [place, samples] of simulated.samples)
    if (simulated.started.has(place)) places.set(place, guardedOf(samples, known.get(place)!, simulated, suggestions))
  return { places, anywhere: [...new Set([...places.values()].flat())].slice(0, MAX_EQUATIONS) }
}

const MAX_EQUATIONS = 40
const MAX_CONDITIONS = 6
const MAX_GUARDED = 30

/**
 * Loops that are not entered for some inputs, and flags that say what was seen, have invariants by cases: flags, and signs
 * of what no thread changes, tell the cases apart.
 */
const guardedOf = (
  samples: readonly Sample[],
  known: readonly Term[],
  simulated: Simulated,
  suggestions: Suggestions,
): readonly Term[] => {
  const always = new Set(known)
  const isFlag = (v: Term): boolean => samples.every((sample) => sample.get(v) === 0n || sample.get(v) === 1n)
  const conditions = [...samples[0]!.keys()].flatMap((v): readonly Term[] => {
    if (v.sort.kind === 'bool') return [v]
    return v.sort.kind === 'int' && (!simulated.writers.has(v) || isFlag(v)) ? [logic.le(v, logic.intConst(0))] : []
  })
  const told = conditions
    .filter((each) => logic.freeVariables(each).every((v) => samples.every((sample) => sample.has(v))))
    .flatMap((condition) => {
      const yes = samples.filter((sample) => logic.satisfies(condition, sample) === true)
      const no = samples.filter((sample) => logic.satisfies(condition, sample) === false)
      return yes.length < FEW || no.length < FEW ? [] : [{ condition, yes, no }]
    })
  return told.slice(0, MAX_CONDITIONS).flatMap(({ condition, yes, no }) =>
    [
      { other: logic.not(condition), some: yes },
      { other: condition, some: no },
    ].flatMap(({ other, some }) =>
      suggested(some, simulated, suggestions)
        .all.filter((each) => !always.has(each) && isAboutMore(each, condition))
        .slice(0, MAX_GUARDED)
        .map((each) => logic.or(other, each)),
    ),
  )
}

/** How many equations between threads hold where loops close, on average: the better the order, the more. */
export const scoreOf = (simulated: Simulated): number => {
  const repeated = [...simulated.samples].filter(([place, [first]]) => first!.size > 0 && simulated.repeated.has(place))
  const between = repeated.map(([place, samples]) => {
    const better = betterSamples(simulated, place, samples)
    return numberEquations(better, simulated).equations.filter((each) => threadsOf(each, simulated) > 1).length
  })
  return between.length === 0 ? 0 : between.reduce((sum, each) => sum + each, 0) / between.length
}

/** Those of complete executions, if there are enough: what blocks for ever may break any pattern. */
const betterSamples = ({ complete }: Simulated, place: string, samples: readonly Sample[]): readonly Sample[] => {
  const some = complete.get(place) ?? []
  return some.length >= FEW && some.length < samples.length ? some : samples
}

export interface General {
  /** By location vector. */
  readonly vectors: ReadonlyMap<string, readonly Term[]>
  /** What holds of all samples after the first thread has started, wherever its variables have values. */
  readonly everywhere: readonly Term[]
}

/** What samples of all orders suggest. */
export const generalCandidates = (simulated: Simulated, suggestions: Suggestions): General => {
  const vectors = new Map<string, Sample[]>()
  const all = [...simulated.samples].flatMap(([place, samples]) => (simulated.started.has(place) ? samples : []))
  for (const [place, samples] of simulated.samples) {
    const vector = place.slice(0, place.lastIndexOf('|'))
    vectors.set(vector, [...(vectors.get(vector) ?? []), ...samples])
  }
  const some = new Map([...vectors].filter(([, samples]) => samples.length >= FEW))
  const own = suggestions.formulas.filter((each) => holdsOf(each, all))
  const equations = [...some.values()].flatMap((samples) => suggested(samples, simulated, suggestions).equations)
  return {
    vectors: new Map([...some].map(([vector, samples]) => [vector, suggested(samples, simulated, suggestions).all])),
    everywhere: [
      ...new Set([...own, ...equations.filter((each) => holdsOf(each, all)), ...boundsOf(all, simulated.writers)]),
    ],
  }
}

const FEW = 8

const isAboutMore = (formula: Term, condition: Term): boolean => {
  const known = new Set(logic.freeVariables(condition))
  return logic.freeVariables(formula).some((v) => !known.has(v))
}

/** Where its variables have values in all samples. */
const holdsOfAll = (formula: Term, samples: readonly Sample[]): boolean => {
  const free = logic.freeVariables(formula)
  return samples.every((sample) => free.every((v) => sample.has(v)) && logic.satisfies(formula, sample) === true)
}

/** Of all samples in which its variables have values. */
const holdsOf = (formula: Term, samples: readonly Sample[]): boolean => {
  const free = logic.freeVariables(formula)
  const telling = samples.filter((sample) => free.every((v) => sample.has(v)))
  return telling.length >= FEW && telling.every((sample) => logic.satisfies(formula, sample) === true)
}

/** Bounds and differences of what threads write, of all samples that have both. */
const boundsOf = (samples: readonly Sample[], writers: ReadonlyMap<Term, unknown>): readonly Term[] => {
  // What is there for a moment only is of no use at loop heads.
  const isLasting = (v: Term): boolean => samples.filter((sample) => sample.has(v)).length * 5 > samples.length
  const numbers = [...new Set(samples.flatMap((sample) => [...sample.keys()]))].filter(
    (v) => v.sort.kind === 'int' && isLasting(v),
  )
  const written = numbers.filter((v) => writers.has(v))
  const bounds = written.map((v) => logic.le(logic.intConst(0), v))
  const pairs = written.flatMap((x) =>
    numbers.flatMap((y) => (x === y ? [] : [logic.le(x, y), ...(writers.has(y) ? [] : [logic.le(y, x)])])),
  )
  const varies = (v: Term): boolean => new Set(samples.flatMap((sample) => sample.get(v) ?? [])).size > 1
  const tried = pairs.filter((each) => logic.freeVariables(each).every(varies)).slice(0, MAX_PAIRS)
  return [...bounds, ...tried].filter((each) => holdsOf(each, samples)).slice(0, MAX_DIFFERENCES)
}

const MAX_PAIRS = 400

const threadsOf = (equation: Term, { writers }: Simulated): number =>
  new Set(logic.freeVariables(equation).flatMap((v) => [...(writers.get(v) ?? [])])).size

/** Equations of the numbers that all samples have. */
const numberEquations = (samples: readonly Sample[], { writers }: Simulated) => {
  const known = [...samples[0]!.keys()].filter((v) => samples.every((sample) => sample.has(v)))
  const numbers = known.filter((v) => v.sort.kind === 'int')
  // Those that no thread changes come first: all else is told by them.
  const ordered = [...numbers.filter((v) => !writers.has(v)), ...numbers.filter((v) => writers.has(v))]
  const rows = samples.map((sample) => new Map(ordered.map((v) => [v, sample.get(v) as bigint])))
  return { known, ordered, rows, equations: equationsOf(rows, ordered) }
}

const suggested = (samples: readonly Sample[], simulated: Simulated, { formulas, bitsOf }: Suggestions) => {
  const { known, ordered, rows, equations } = numberEquations(samples, simulated)
  const modular = equations.flatMap((each) => moduloWidth(each, bitsOf))
  const told = new Set(known)
  const own = formulas.filter(
    (each) =>
      logic.freeVariables(each).every((v) => told.has(v)) &&
      samples.every((sample) => logic.satisfies(each, sample) === true),
  )
  const remainders = remaindersOf(rows, ordered, equations)
  const all = [
    ...new Set([...equations, ...modular, ...remainders, ...own, ...differencesOf(rows, ordered, equations)]),
  ]
  return { equations, all }
}

/** An equation of unsigned numbers that may wrap: both sides agree modulo 2^bits. */
const moduloWidth = (equation: Term, bitsOf: (v: Term) => number | undefined): readonly Term[] => {
  const free = logic.freeVariables(equation)
  const [left, right] = equation.args
  if (equation.op !== '=' || !left || !right || free.length < 2) return []
  const widths = new Set(free.map(bitsOf))
  const [bits] = widths
  if (widths.size !== 1 || bits === undefined || (free.length === 2 && left.op === 'var' && right.op === 'var'))
    return []
  return [logic.eq(logic.mod(logic.sub(left, right), logic.intConst(1n << BigInt(bits))), logic.intConst(0))]
}

const MAX_DIVISOR = 16n

/** x mod m = r, of what goes on by m. */
const remaindersOf = (
  rows: readonly ReadonlyMap<Term, bigint>[],
  variables: readonly Term[],
  equations: readonly Term[],
): readonly Term[] => {
  if (rows.length < 4) return []
  const told = new Set(equations.filter((each) => logic.freeVariables(each).length === 2).map(lastOf(variables)))
  return variables.flatMap((v) => {
    const first = rows[0]!.get(v)!
    const step = rows.reduce((divisor, row) => gcd(divisor, row.get(v)! - first), 0n)
    if (step < 2n || step > MAX_DIVISOR || told.has(v)) return []
    const divisor = logic.intConst(step)
    return [logic.eq(logic.mod(v, divisor), logic.mod(logic.intConst(first), divisor))]
  })
}

const MAX_COMPARED = 14
const MAX_DIFFERENCES = 60
const NEAR = 2n

/** x <= y + c for small c, and bounds, that samples attain. */
const differencesOf = (
  rows: readonly ReadonlyMap<Term, bigint>[],
  variables: readonly Term[],
  equations: readonly Term[],
): readonly Term[] => {
  if (rows.length < 4) return []
  // Of two that differ by a constant one is enough.
  const doubled = new Set(equations.filter((each) => logic.freeVariables(each).length === 2).map(lastOf(variables)))
  const varied = variables.filter((v) => !doubled.has(v) && rows.some((row) => row.get(v) !== rows[0]!.get(v)))
  const compared = varied.slice(-MAX_COMPARED)
  const found: Term[] = []
  for (const x of compared) {
    const values = rows.map((row) => row.get(x)!)
    const [low, high] = [least(values), -least(values.map((each) => -each))]
    if (low >= -NEAR && low <= NEAR) found.push(logic.le(logic.intConst(low), x))
    if (high >= -NEAR && high <= NEAR) found.push(logic.le(x, logic.intConst(high)))
  }
  for (const x of compared)
    for (const y of compared) {
      if (x === y) continue
      const most = -least(rows.map((row) => row.get(y)! - row.get(x)!))
      if (most >= -NEAR && most <= NEAR) found.push(logic.le(x, logic.add(y, logic.intConst(most))))
    }
  return found.slice(0, MAX_DIFFERENCES)
}

const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b))

const lastOf =
  (variables: readonly Term[]) =>
  (equation: Term): Term => {
    const free = new Set(logic.freeVariables(equation))
    return variables.filter((v) => free.has(v)).at(-1)!
  }

/** Comparisons, their opposites, and what is left of them after a step by one. */
export const weakened = (atoms: Iterable<Term>): readonly Term[] =>
  [...atoms].filter(isNoRange).flatMap((atom) => [atom, logic.not(atom), ...looser(atom), ...looser(logic.not(atom))])

const looser = (atom: Term): readonly Term[] => {
  const [left, right] = atom.args
  if ((atom.op !== '<=' && atom.op !== '<') || left?.sort.kind !== 'int') return []
  return [logic.le(left, atom.op === '<' ? right! : logic.add(right!, logic.intConst(1)))]
}

/** The ends of types are known anyway. */
const isNoRange = ({ args }: Term): boolean =>
  !args.some(({ op, value }) => op === 'const' && typeof value === 'bigint' && (value > LAST || value < -LAST))

const LAST = (1n << 31n) - 2n
