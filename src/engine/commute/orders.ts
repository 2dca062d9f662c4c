// Which orders to try. Threads that communicate, or whose results main compares, belong into one block; in it, those on one
// side of a comparison go one after the other, in step with those on the other side. Where one loop does several rounds for
// each round of another in all executions, its lane has several rounds.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { rational } from '../../logic/index.js'
import { type Lane, lanes, lockstep, type Order, sequential } from './order.js'
import type { Simulated } from './simulate.js'

/** Divisions beyond these are not tried. */
const MAX_DIVISIONS = 6
const MAX_ROUNDS = 8
/** Fewer executions tell nothing of how many rounds there are. */
const FEW = 4

/** What each thread may read and write, its own included. */
export interface Touched {
  readonly reads: ReadonlyMap<number, ReadonlySet<Term>>
  readonly writes: ReadonlyMap<number, ReadonlySet<Term>>
}

export interface Orders {
  /** What the program suggests. */
  readonly suggested: readonly Order[]
  readonly others: readonly Order[]
}

/** `looping`: the threads with loops. */
export const ordersFor = (
  threads: number,
  looping: readonly number[],
  goals: readonly Term[],
  simulated: Simulated,
  touched: Touched,
): Orders => {
  const suggested = new Map<string, Order>()
  const add = (order: Order): void => void suggested.set(keyOf(order), order)
  const told = blocksOf(looping, goals, touched)
  // Where nothing tells which threads belong together, what is asserted relates all of them in some way.
  const blocks = told.every(({ length }) => length === 1) && looping.length > 0 ? [looping] : told
  const divided = blocks.map((block) => lanesOf(block, goals, touched))
  const alone = blocks.map((block) => block.map((thread) => [thread]))
  for (const each of [divided, alone]) {
    const weighted = each.map((groups) => withRounds(groups, simulated))
    if (weighted.some((block) => block.some(({ rounds }) => rounds > 1))) add(lanes(weighted))
    else if (each === divided) add(lanes(plain(each)))
  }
  const others = [lockstep(threads), ...(blocks.length > 1 ? [lanes(plain(alone))] : []), sequential]
  if (looping.length >= 3 && looping.length <= 4)
    for (const groups of divisions(looping))
      if (groups.length > 1 && groups.length < looping.length) others.push(lanes(plain([groups])))
  return {
    suggested: [...suggested.values()],
    others: others.filter((order) => !suggested.has(keyOf(order))).slice(0, MAX_DIVISIONS),
  }
}

const keyOf = ({ written }: Order): string => JSON.stringify(written)

type Groups = readonly (readonly number[])[]

const plain = (blocks: readonly Groups[]): readonly (readonly Lane[])[] =>
  blocks.map((groups) => groups.map((each) => ({ threads: each, rounds: 1 })))

/** All ways to divide a list into groups; members keep their order. */
const divisions = (list: readonly number[]): readonly Groups[] => {
  const [first, ...rest] = list
  if (first === undefined) return [[]]
  return divisions(rest).flatMap((groups) => [
    [[first], ...groups],
    ...groups.map((_, i) => groups.map((group, j) => (i === j ? [first, ...group] : group))),
  ])
}

/** Threads that write what others use, or whose results are compared. */
const blocksOf = (looping: readonly number[], goals: readonly Term[], { reads, writes }: Touched): Groups => {
  const block = new Map(looping.map((thread) => [thread, thread]))
  const join = (threads: readonly number[]): void => {
    const joined = new Set(threads.map((each) => block.get(each)))
    const first = Math.min(...threads.map((each) => block.get(each)!))
    for (const [thread, at] of block) if (joined.has(at)) block.set(thread, first)
  }
  const writers = (variables: Iterable<Term>): readonly number[] =>
    looping.filter((thread) => [...variables].some((v) => writes.get(thread)!.has(v)))
  for (const thread of looping) join([thread, ...writers([...reads.get(thread)!, ...writes.get(thread)!])])
  // A formula about everything tells nothing.
  const compared = goals.map((goal) => writers(logic.freeVariables(goal)))
  const atoms = goals.flatMap(atomsOf).map((atom) => writers(logic.freeVariables(atom)))
  for (const each of atoms.some(({ length }) => length > 1) ? atoms : compared) if (each.length > 1) join(each)
  return [...new Set(block.values())].map((at) => looping.filter((thread) => block.get(thread) === at))
}

/** By the sides of the comparisons; a thread that is on both sides, or on none, has a lane of its own. */
const lanesOf = (block: readonly number[], goals: readonly Term[], { writes }: Touched): Groups => {
  const groups = new Map<string, number[]>()
  const equations = goals.flatMap(atomsOf).filter(({ op }) => op === '=')
  const isOn = (side: readonly Term[], thread: number): boolean => side.some((v) => writes.get(thread)!.has(v))
  // What is compared with a constant tells nothing.
  const compared = equations
    .map(sidesOf)
    .filter((sides) => sides.every((side) => block.some((thread) => isOn(side, thread))))
  for (const thread of block) {
    const sides = compared.flatMap((each) => each.flatMap((side, i) => (isOn(side, thread) ? [i] : [])))
    const isClear = new Set(sides).size === 1
    const key = isClear ? `side ${sides[0]}` : `alone ${thread}`
    groups.set(key, [...(groups.get(key) ?? []), thread])
  }
  return groups.size > 1 ? [...groups.values()] : block.map((thread) => [thread])
}

const atomsOf = (formula: Term): readonly Term[] => {
  if (formula.op === 'and' || formula.op === 'or' || formula.op === 'not') return formula.args.flatMap(atomsOf)
  return formula.op === 'const' ? [] : [formula]
}

/** The variables on the two sides of a comparison: of a sum, those with one sign and those with the other. */
const sidesOf = ({ args }: Term): readonly (readonly Term[])[] => {
  const [left, right] = args
  if (!left || !right) return [[], []]
  if (left.sort.kind !== 'int') return [logic.freeVariables(left), logic.freeVariables(right)]
  const form = logic.linearForm([
    [left, rational(1n, 1n)],
    [right, rational(-1n, 1n)],
  ])
  const withSign = (isPositive: boolean): readonly Term[] =>
    [...form.coefficients]
      .filter(([, { numerator }]) => numerator > 0n === isPositive)
      .flatMap(([term]) => logic.freeVariables(term))
  return [withSign(true), withSign(false)]
}

/** How many rounds of each lane there are for one of the slowest, where that is the same in all executions. */
const withRounds = (groups: Groups, { rounds }: Simulated): readonly Lane[] => {
  const counts = rounds.map((run) => groups.map((group) => group.reduce((sum, each) => sum + (run.get(each) ?? 0), 0)))
  const telling = counts.filter((each) => Math.min(...each) >= 2)
  return groups.map((threads, lane) => {
    const ratios = telling.map((each) => each[lane]! / Math.min(...each)).sort((a, b) => a - b)
    const middle = Math.round(ratios[Math.floor(ratios.length / 2)] ?? 1)
    const isSteady = telling.every((each) => Math.abs(each[lane]! - middle * Math.min(...each)) < Math.max(1, middle))
    const isTold = telling.length >= FEW && new Set(telling.map((each) => Math.min(...each))).size > 1
    return { threads, rounds: isTold && isSteady ? Math.min(MAX_ROUNDS, Math.max(1, middle)) : 1 }
  })
}
