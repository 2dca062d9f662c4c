// The search for an error trace of the reduction that the proof does not cover. Sleep sets make it a reduction of the
// language: a letter sleeps where every word that goes on with it has an equivalent one that the order prefers. A node
// (location vector, proof state, sleep set, state of the order) is left out where one was visited that knows less and
// sleeps less: whatever the node would explore, that one explored. A node is a dead end where threads sleep for good and
// nobody else can come to an error without them.
import * as logic from '../../logic/index.js'
import { type Term, TRUE } from '../../logic/index.js'
import { conflict } from '../../reduction/index.js'
import type { Control, ControlFlow } from '../../semantics/control.js'
import { failing } from '../../semantics/control.js'
import type { Reason } from '../../verdict/reason.js'
import type { Procedure } from '../../xcfa/index.js'
import type { Obligation } from '../../xcfa/terms/index.js'
import type { Env } from '../engine.js'
import type { Commutativity } from './commutativity.js'
import type { Alphabet, Letter } from './letters.js'
import type { Order } from './order.js'
import type { Proof, ProofState } from './proof.js'
import { type Segment, withoutInputs } from './refine.js'
import type { Statics } from './statics.js'

export interface SearchNode {
  readonly control: Control
  readonly state: ProofState
  /** Keys of letters. */
  readonly sleep: ReadonlySet<string>
  readonly order: string
  readonly parent: SearchNode | undefined
  readonly letter: Letter | undefined
  /** The way here from where the proof state was last all that was known. */
  readonly segment?: Segment
  readonly isCut?: boolean
}

/** Where assertions are tried: the location vector, and the state of the order. */
export const placeOf = (control: Control, order: string): string => `${control.key}|${order}`

/**
 * What is known of the way to a node beyond its proof state. What it tells, it adds to the pool, so that a later search has
 * it in its proof states: a search that was told anything proves nothing (`tellsMore`).
 */
export interface Guide {
  /** The node with what its way tells; undefined: nobody can come here. */
  arrive(node: SearchNode): SearchNode | undefined
  /** Whether a formula holds at the node. */
  holds(node: SearchNode, formula: Term): boolean
}

/** What became of a node of a search that found no error. */
export interface VisitedNode {
  readonly node: SearchNode
  readonly coveredBy?: SearchNode
  readonly deadEnd?: true
}

export type SearchResult =
  | { readonly kind: 'proved'; readonly visited: readonly VisitedNode[] }
  /** A trace to an error, or to a step that the proof does not show to keep an obligation. */
  | { readonly kind: 'trace'; readonly node: SearchNode; readonly owed?: Obligation; readonly by?: Letter }
  | { readonly kind: 'stopped'; readonly reason: Reason }

export interface SearchParts {
  readonly flow: ControlFlow
  readonly alphabet: Alphabet
  readonly proof: Proof
  readonly commutativity: Commutativity
  readonly statics: Statics
  readonly order: Order
  readonly isOwed: (obligation: Obligation) => boolean
  /** Whether all obligations of a letter hold whatever the proof knows. */
  readonly isKept: (letter: Letter) => boolean
  readonly env: Env
  readonly guide?: Guide
  /** Rules that tests switch off. */
  readonly sleepsAtCovers?: boolean
  readonly deadEnds?: boolean
  readonly covers?: boolean
  /** Called with every node that is expanded or ends a word. */
  readonly visit?: (node: SearchNode) => void
}

export interface SearchCounts {
  nodes: number
  covered: number
  dead_ends: number
}

/** How often the search asks whether to go on. */
const POLL = 64

export const search = (parts: SearchParts, first: ProofState, counts: SearchCounts): SearchResult => {
  const { flow, alphabet, proof, order, env, guide } = parts
  const covers = new Covers(proof, parts.sleepsAtCovers !== false)
  const root: SearchNode = {
    ...{ control: flow.initial(), state: first, sleep: new Set<string>(), order: order.initial },
    ...{ parent: undefined, letter: undefined },
  }
  // A Hoare triple is asked when its node's turn comes, not before.
  const stack: (() => SearchNode)[] = [() => root]
  const visited: VisitedNode[] = []
  for (let next = stack.pop(); next; next = stack.pop()) {
    const reached = next()
    if (++counts.nodes % POLL === 0) {
      const reason = env.stopped()
      if (reason !== undefined) return { kind: 'stopped', reason }
      env.progress('searching', { nodes: counts.nodes, assertions: proof.assertions.length })
    }
    if (reached.state.impossible) continue
    const node = guide ? guide.arrive(reached) : reached
    if (!node) continue
    if (failing(node.control)) return { kind: 'trace', node }
    const coveredBy = parts.covers === false ? undefined : covers.cover(node)
    if (coveredBy) {
      counts.covered++
      visited.push({ node, coveredBy })
      continue
    }
    parts.visit?.(node)
    const letters = alphabet.at(node.control)
    if (parts.deadEnds !== false && isDoomed(parts, node)) {
      counts.dead_ends++
      visited.push({ node, deadEnd: true })
      continue
    }
    // Sleeping ones, too: whether an obligation holds is not the same after letters that commute.
    for (const letter of letters)
      if (!parts.isKept(letter))
        for (const owed of letter.obligations)
          if (
            parts.isOwed(owed) &&
            !proof.implied(node.state, TRUE, owed.holds) &&
            !guide?.holds(node, logic.not(withoutInputs(logic.not(owed.holds), letter).formula))
          )
            return { kind: 'trace', node, owed, by: letter }
    if (parts.deadEnds !== false && isDeadEnd(parts, node, letters)) {
      counts.dead_ends++
      visited.push({ node, deadEnd: true })
      continue
    }
    visited.push({ node })
    stack.push(...successors(parts, node, letters).reverse())
  }
  return { kind: 'proved', visited }
}

/** The letters of a node, those first that the order prefers. */
export const preferred = (
  order: Order,
  { order: turn, control }: Pick<SearchNode, 'order' | 'control'>,
  letters: readonly Letter[],
): readonly Letter[] => {
  const rank = new Map(letters.map((letter) => [letter, order.rank(turn, control, letter.thread)]))
  return [...letters].sort((a, b) => rank.get(a)! - rank.get(b)! || a.thread - b.thread)
}

/** By preference; what was preferred sleeps in the others as long as it commutes with their letters. */
const successors = (
  { alphabet, proof, commutativity, order, guide }: SearchParts,
  node: SearchNode,
  letters: readonly Letter[],
): (() => SearchNode)[] => {
  const { control, state } = node
  const byPreference = preferred(order, node, letters)
  const asleep = letters.filter(({ key }) => node.sleep.has(key))
  const result: (() => SearchNode)[] = []
  for (const letter of byPreference) {
    if (node.sleep.has(letter.key)) continue
    const commute = (other: Letter): boolean => {
      if (commutativity.commute(other, letter, state)) return true
      const difference = guide && commutativity.difference(other, letter)
      return difference !== undefined && guide!.holds(node, logic.not(difference))
    }
    const stays = asleep.filter(commute)
    asleep.push(letter)
    const sleep = new Set(stays.map(({ key }) => key))
    result.push(() => {
      const after = alphabet.after(control, letter)
      const turn = order.next(node.order, letter)
      return {
        ...{ control: after, state: proof.after(state, letter, placeOf(after, turn)), sleep },
        ...{ order: turn, parent: node, letter },
      }
    })
  }
  return result
}

/**
 * Whether nobody comes to an error, whatever values there are, because threads halted for which all who could would wait.
 * Then nothing is owed here either: a run in which an obligation fails goes on by other values, but on the same ways.
 */
export const isDoomed = (
  { statics }: Pick<SearchParts, 'statics'>,
  { control: { threads } }: Pick<SearchNode, 'control'>,
): boolean => {
  const halted = new Set(
    threads.filter((each) => each.location !== each.template.final && !statics.goesOn(each.location)),
  )
  if (halted.size === 0) return false
  const endless = new Set([...halted].map(({ template }) => template))
  return threads.every(({ template, location }) => !statics.future(template, location, endless).fails)
}

/**
 * Threads all of whose letters sleep, and that nobody else can wake, go no further in this node's words; neither do those
 * that halted. Where nobody comes to an error without them, the node has no word to offer.
 */
export const isDeadEnd = (
  { statics }: Pick<SearchParts, 'statics'>,
  { control, sleep }: Pick<SearchNode, 'control' | 'sleep'>,
  letters: readonly Letter[],
): boolean => {
  const halted = new Set<Procedure>()
  const asleep = new Set<number>()
  for (const { number, template, location } of control.threads) {
    const own = letters.filter(({ thread }) => thread === number)
    // One that waits for another to end has not halted: it may go on.
    if (location !== template.final && !statics.goesOn(location)) halted.add(template)
    if (own.length > 0 && own.every(({ key, joins }) => sleep.has(key) && !joins)) asleep.add(number)
  }
  for (;;) {
    // A template that has other threads, too, may still end.
    const endless = new Set([...halted, ...[...asleep].map((number) => control.threads[number]!.template)])
    const futures = control.threads
      .filter(({ number }) => !asleep.has(number))
      .map(({ template, location }) => statics.future(template, location, endless))
    const woken = [...asleep].filter((number) =>
      letters.some(
        ({ thread, edges, ends }) =>
          thread === number &&
          futures.some(
            ({ footprint, joinsAny }) =>
              (ends && joinsAny) || edges.some((edge) => conflict(statics.footprints.of(edge), footprint)),
          ),
      ),
    )
    if (woken.length === 0) return futures.every(({ errs }) => !errs)
    for (const number of woken) asleep.delete(number)
  }
}

/** What was visited, by vector and state of the order. */
class Covers {
  private readonly visited = new Map<string, SearchNode[]>()

  constructor(
    private readonly proof: Proof,
    private readonly looksAtSleep: boolean,
  ) {}

  /** A node that was visited and is as general; if there is none, the node counts as visited now. */
  cover(node: SearchNode): SearchNode | undefined {
    const key = `${node.control.key}|${node.order}`
    const others = this.visited.get(key) ?? []
    const general = others.find((other) => this.isAsGeneral(other, node))
    if (general) return general
    this.visited.set(key, [...others.filter((other) => !this.isAsGeneral(node, other)), node])
    return undefined
  }

  private isAsGeneral(general: SearchNode, node: SearchNode): boolean {
    if (!this.proof.includes(general.state, node.state)) return false
    return !this.looksAtSleep || isSubset(general.sleep, node.sleep)
  }
}

const isSubset = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  if (a.size > b.size) return false
  for (const each of a) if (!b.has(each)) return false
  return true
}
