// A proof by assertions at the heads of loops alone. Between heads ways are executed exactly, so that it is asked once for
// each step whether it can be taken, whether it keeps its obligations, and which letters may be swapped. A head is labelled
// with those of the candidates that hold whenever a way comes there: at first with all that the first way brings, then with
// fewer and fewer (Houdini; Flanagan, Leino 2001), until every way that starts in a label ends in one. What the nodes in
// between have to know follows backwards from what was asked (outline.ts).

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { type Control, failing } from '../../semantics/control.js'
import type { Reason } from '../../verdict/reason.js'
import type { Location } from '../../xcfa/index.js'
import type { Letter } from './letters.js'
import { type Refiner, type Segment, withoutInputs } from './refine.js'
import { isDeadEnd, isDoomed, placeOf, preferred, type SearchParts } from './search.js'

/** A node of the tree of ways from one head to the next ones. */
export interface WayNode {
  readonly control: Control
  readonly order: string
  readonly sleep: ReadonlySet<string>
  readonly parent: WayNode | undefined
  readonly letter: Letter | undefined
  readonly segment: Segment
  readonly children: WayNode[]
  /** What has to hold here for what was decided here. */
  readonly needs: Term[]
  /** Where the way ends: at a head, or where no error can follow. */
  end?: Head | 'dead end'
}

export interface Head {
  readonly place: string
  readonly control: Control
  readonly order: string
  readonly sleep: ReadonlySet<string>
  readonly isFirst: boolean
  label: readonly Term[]
  /** The ways from here, by the label as it was then. */
  tree: WayNode | undefined
}

/** A way that comes to an error, or to an obligation that may fail, as far as the labels tell. */
export interface Failure {
  readonly node: WayNode
  readonly head: Head
  /** What fails there. */
  readonly bad: Term
}

/** A candidate at the end of a way that did not hold there. */
export interface Lost {
  readonly formula: Term
  readonly node: WayNode
  readonly from: Head
}

export type HeadsResult =
  | { readonly kind: 'proved'; readonly first: Head }
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] }
  | { readonly kind: 'given up' }
  | { readonly kind: 'stopped'; readonly reason: Reason }

export interface HeadsParts extends Omit<SearchParts, 'guide'> {
  readonly refiner: Refiner
  readonly heads: ReadonlySet<Location>
  /** What may hold at a head. */
  readonly candidates: (node: WayNode) => readonly Term[]
}

type Way = 'done' | 'again' | Extract<HeadsResult, { kind: 'given up' | 'stopped' }>

export class Heads {
  readonly counts = { nodes: 0, labels: 0 }
  private readonly byPlace = new Map<string, Head[]>()
  /** Heads whose ways are to be looked at. */
  private readonly found: Head[] = []
  /** What did not hold when a way arrived. */
  readonly lost: Lost[] = []
  private readonly failures: Failure[] = []
  /** Heads that wait: what the order prefers comes first, since what is found there may cover the rest. */
  private readonly open: Head[] = []
  private maxNodes = 0
  private readonly first: Head
  /** The head whose ways are looked at. */
  private at: Head | undefined

  constructor(private readonly parts: HeadsParts) {
    const { flow, order } = parts
    const control = flow.initial()
    this.first = {
      ...{ place: placeOf(control, order.initial), control, order: order.initial, sleep: new Set<string>() },
      ...{ isFirst: true, label: [], tree: undefined },
    }
    this.found.push(this.first)
  }

  /** Goes on where it stopped, until so many nodes more were visited (given up). */
  prove(nodes: number): HeadsResult {
    this.maxNodes = this.counts.nodes + nodes
    for (;;) {
      this.open.unshift(...this.found.splice(0))
      if (this.open.length === 0) {
        // Those that were left out while nobody came to them, and that ways which were there before lead to again.
        this.open.push(...[...reachedFrom(this.first)].filter(({ tree }) => !tree))
      }
      const head = this.open.shift()
      if (!head) break
      if (head.tree || !reachedFrom(this.first).has(head)) continue
      const way = this.explore(head)
      if (way === 'done') continue
      head.tree = undefined
      this.found.unshift(head)
      if (way !== 'again') return way
    }
    const { failures, first } = this
    return failures.length > 0 ? { kind: 'failed', failures } : { kind: 'proved', first }
  }

  /** All ways from a head, by its label; again: the label turned out to say too much. */
  private explore(head: Head): Way {
    const { refiner } = this.parts
    this.counts.labels++
    const root: WayNode = {
      ...{ control: head.control, order: head.order, sleep: head.sleep, parent: undefined, letter: undefined },
      ...{ segment: head.isFirst ? refiner.first() : refiner.from(head.label), children: [], needs: [] },
    }
    head.tree = root
    this.at = head
    const stack = [root]
    for (let node = stack.pop(); node; node = stack.pop()) {
      const reason = this.parts.env.stopped()
      if (reason !== undefined) return { kind: 'stopped', reason }
      if (++this.counts.nodes > this.maxNodes) return { kind: 'given up' }
      const failure = this.visit(node, head)
      if (failure) {
        // Others go on, for what they teach.
        this.failures.push(failure)
        return 'done'
      }
      if (!head.tree) return 'again'
      stack.push(...[...node.children].reverse())
    }
    return 'done'
  }

  private visit(node: WayNode, head: Head): Failure | undefined {
    const { parts } = this
    if (failing(node.control)) return this.failure(node, head, logic.TRUE)
    if (this.isHead(node)) {
      this.arrive(node)
      return undefined
    }
    if (isDoomed(parts, node)) {
      node.end = 'dead end'
      return undefined
    }
    const letters = parts.alphabet.at(node.control)
    const owed = letters.flatMap((letter) => this.owedBy(letter))
    const awake = letters.filter(({ key, guard }) => !node.sleep.has(key) && guard !== logic.TRUE)
    const impossible = awake.map((letter) => logic.not(withoutInputs(letter.guard, letter).formula))
    const holding = parts.refiner.holding(node.segment, [...owed, ...impossible])
    for (const [i, each] of owed.entries()) {
      const failure = holding[i] ? undefined : this.failure(node, head, logic.not(each))
      if (failure) return failure
    }
    node.needs.push(...owed)
    if (isDeadEnd(parts, node, letters)) {
      node.end = 'dead end'
      return undefined
    }
    const closed = new Map<Letter, Term>()
    for (const [i, letter] of awake.entries()) if (holding[owed.length + i]) closed.set(letter, impossible[i]!)
    this.expand(node, letters, closed)
    return undefined
  }

  /** Looked at once more, with patience; undefined: nothing fails. */
  private failure(node: WayNode, head: Head, bad: Term): Failure | undefined {
    const { refiner } = this.parts
    if (refiner.refine(node.segment, bad, 'core').kind !== 'refuted') return { node, head, bad }
    node.needs.push(logic.not(bad))
    return undefined
  }

  /** What the letter takes for granted, whatever its inputs are. */
  owedBy(letter: Letter): readonly Term[] {
    const { parts } = this
    if (parts.isKept(letter)) return []
    return letter.obligations
      .filter((each) => parts.isOwed(each))
      .map(({ holds }) => logic.not(withoutInputs(logic.not(holds), letter).formula))
  }

  /** By preference; what was preferred sleeps in the others as long as it may go before their letters. */
  private expand(node: WayNode, letters: readonly Letter[], closed: ReadonlyMap<Letter, Term>): void {
    const { alphabet, refiner, order } = this.parts
    const asleep = letters.filter(({ key }) => node.sleep.has(key))
    for (const letter of preferred(order, node, letters)) {
      if (node.sleep.has(letter.key)) continue
      const never = closed.get(letter)
      if (never) node.needs.push(never)
      else {
        const sleep = this.sleepAfter(node, letter, asleep)
        node.children.push({
          ...{ control: alphabet.after(node.control, letter), order: order.next(node.order, letter), sleep },
          ...{ parent: node, letter, segment: refiner.extend(node.segment, letter), children: [], needs: [] },
        })
      }
      asleep.push(letter)
    }
  }

  private sleepAfter(node: WayNode, letter: Letter, asleep: readonly Letter[]): ReadonlySet<string> {
    const { commutativity, refiner } = this.parts
    const stays = asleep.filter((other) => commutativity.unconditional(other, letter))
    const doubtful = asleep.flatMap((other) => {
      if (stays.includes(other)) return []
      const difference = commutativity.difference(other, letter)
      return difference ? [{ other, same: logic.not(difference) }] : []
    })
    if (doubtful.length > 0) {
      const holding = refiner.holding(
        node.segment,
        doubtful.map(({ same }) => same),
      )
      for (const [i, { other, same }] of doubtful.entries())
        if (holding[i]) {
          stays.push(other)
          node.needs.push(same)
        }
    }
    return new Set(stays.map(({ key }) => key))
  }

  /** A loop head at which a round of the order begins, or one that was passed on the same way. */
  private isHead({ letter, order, control, parent }: WayNode): boolean {
    const isAlone = control.threads.length === 1
    if (!letter || !(letter.back || (isAlone && this.parts.heads.has(letter.target)))) return false
    if (this.parts.order.begins(order, letter.thread)) return true
    for (let at = parent; at; at = at.parent) if (at.order === order && at.control.key === control.key) return true
    return false
  }

  // ---- heads

  private arrive(node: WayNode): void {
    const place = placeOf(node.control, node.order)
    const known = this.byPlace.get(place) ?? []
    const { refiner } = this.parts
    const same = known.find(({ sleep }) => areEqual(sleep, node.sleep))
    if (same) {
      node.end = same
      const holding = refiner.holding(node.segment, same.label)
      if (!holding.every(Boolean)) {
        this.lose(
          node,
          same.label.filter((_, i) => !holding[i]),
        )
        same.label = same.label.filter((_, i) => holding[i])
        same.tree = undefined
      }
      if (!same.tree) this.found.push(same)
      return
    }
    const general = known.find(
      ({ sleep, label }) => isSubset(sleep, node.sleep) && refiner.allHold(node.segment, label),
    )
    node.end = general ?? this.head(node, place)
    if (!general) this.byPlace.set(place, [...known, node.end as Head])
  }

  private lose(node: WayNode, formulas: readonly Term[]): void {
    for (const formula of formulas) this.lost.push({ formula, node, from: this.at! })
  }

  private head(node: WayNode, place: string): Head {
    const { refiner, candidates } = this.parts
    const tried = [
      ...new Set([...candidates(node), ...this.parts.alphabet.at(node.control).flatMap((each) => this.owedBy(each))]),
    ]
    const holding = refiner.holding(node.segment, tried)
    this.lose(
      node,
      tried.filter((_, i) => !holding[i]),
    )
    const { control, order, sleep } = node
    const head: Head = {
      ...{ place, control, order, sleep, isFirst: false, tree: undefined },
      label: tried.filter((_, i) => holding[i]),
    }
    this.found.push(head)
    return head
  }
}

/** Where ways as they are now lead. */
const reachedFrom = (first: Head): ReadonlySet<Head> => {
  const reached = new Set([first])
  for (const { tree } of reached) {
    const nodes = tree ? [tree] : []
    for (const { children, end } of nodes) {
      nodes.push(...children)
      if (typeof end === 'object') reached.add(end)
    }
  }
  return reached
}

const areEqual = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && isSubset(a, b)

const isSubset = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].every((each) => b.has(each))
