// Proofs by heads (heads.ts), tried again and again: each failure teaches candidates for the next attempt (lessons.ts).
// Several orders take turns, of ever more attempts.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Control } from '../../semantics/control.js'
import type { Reason } from '../../verdict/reason.js'
import type { Candidates } from './candidates.js'
import { Heads, type HeadsParts, type WayNode } from './heads.js'
import { Lessons } from './lessons.js'
import type { Order } from './order.js'
import { outlineOf } from './outline.js'
import { withoutInputs } from './refine.js'
import type { VisitedNode } from './search.js'

/** How many nodes an order may visit in its first turn. */
const FIRST_NODES = 1500

export type Learnt =
  /** A way to an error from the first state. */
  | { readonly kind: 'trace'; readonly node: WayNode }
  | { readonly kind: 'proved'; readonly visited: readonly VisitedNode[]; readonly order: Order }
  | { readonly kind: 'stopped'; readonly reason: Reason }

interface LearningParts extends Omit<HeadsParts, 'candidates' | 'order'> {
  /** What executions suggest. */
  readonly candidatesAt: (node: WayNode, order: Candidates) => readonly Term[]
  /** What they suggest by cases, which is more and seldom needed. */
  readonly guardedAt: (node: WayNode, order: Candidates) => readonly Term[]
  /** Whether a formula is about what there is. */
  readonly isMeant: (formula: Term, control: Control) => boolean
}

/** An order, and what it has learnt. */
interface Pupil {
  readonly suggested: Candidates
  readonly lessons: Lessons
  /** The proof that it is at. */
  heads: Heads | undefined
  /** What holds by cases is tried, too. */
  byCases: boolean
}

export class Learning {
  readonly counts = { nodes: 0, lessons: 0 }

  private open: readonly Pupil[]
  /** How many nodes each order may visit in its next turn. */
  private nodes = FIRST_NODES

  constructor(
    private readonly parts: LearningParts,
    orders: readonly Candidates[],
  ) {
    this.open = orders.map((suggested) => ({ suggested, lessons: new Lessons(), heads: undefined, byCases: false }))
  }

  /** One turn of each order, twice as long as the one before; undefined: nothing came of it yet. */
  turn(): Learnt | undefined {
    const left: Pupil[] = []
    for (const each of this.open) {
      const outcome = this.turnOf(each)
      if (outcome === 'open') left.push(each)
      else if (outcome) return outcome
    }
    this.nodes *= 2
    this.open = left
    return undefined
  }

  /** Some lessons of one order; undefined: it has none to teach any more. */
  private turnOf(pupil: Pupil): Learnt | 'open' | undefined {
    const { suggested, lessons } = pupil
    const { order } = suggested
    for (let left = this.nodes; left > 0; ) {
      const heads = (pupil.heads ??= this.headsOf(pupil))
      const before = heads.counts.nodes
      const result = heads.prove(left)
      const visited = heads.counts.nodes - before
      left -= visited
      this.counts.nodes += visited
      if (result.kind === 'given up') return 'open'
      this.counts.lessons++
      if (result.kind === 'stopped') return result
      if (result.kind === 'proved') {
        const outline = outlineOf(result.first, this.parts.proof, this.parts.refiner)
        return outline && { kind: 'proved', visited: outline, order }
      }
      for (const { head, node, bad } of result.failures)
        if (head.isFirst && bad === logic.TRUE) return { kind: 'trace', node }
      const isNew = lessons.learn(result.failures, heads.lost)
      if (!isNew && pupil.byCases) return undefined
      pupil.byCases = true
      pupil.heads = undefined
    }
    return 'open'
  }

  private headsOf({ suggested, lessons, byCases }: Pupil): Heads {
    const candidates = (node: WayNode): readonly Term[] => [
      ...this.parts.candidatesAt(node, suggested),
      ...(byCases ? this.parts.guardedAt(node, suggested) : []),
      ...this.whatKeepsAsleep(node),
      ...lessons.at(node.control.key),
    ]
    return new Heads({ ...this.parts, order: suggested.order, candidates })
  }

  /** That sleeping letters can be taken, and that the letters of others do not wake them. */
  private whatKeepsAsleep({ control, sleep }: WayNode): readonly Term[] {
    const { alphabet, commutativity } = this.parts
    const found: Term[] = []
    for (const letter of alphabet.at(control)) {
      if (!sleep.has(letter.key)) continue
      found.push(...logic.conjuncts(withoutInputs(letter.guard, letter).formula))
      for (const other of alphabet.all()) {
        const difference = other.thread !== letter.thread && commutativity.difference(letter, other)
        if (difference) found.push(logic.not(difference))
      }
    }
    return found.filter((each) => each.op !== 'const' && this.parts.isMeant(each, control))
  }
}
