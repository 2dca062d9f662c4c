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

/** How many nodes an attempt may have, with all that are visited again. */
const MAX_NODES = 20_000

export type Learnt =
  /** A way to an error from the first state. */
  | { readonly kind: 'trace'; readonly node: WayNode }
  | { readonly kind: 'proved'; readonly visited: readonly VisitedNode[]; readonly order: Order }
  | { readonly kind: 'stopped'; readonly reason: Reason }

interface LearningParts extends Omit<HeadsParts, 'candidates' | 'maxNodes' | 'order'> {
  /** What executions suggest. */
  readonly candidatesAt: (node: WayNode, order: Candidates) => readonly Term[]
  /** Whether a formula is about what there is. */
  readonly isMeant: (formula: Term, control: Control) => boolean
}

export class Learning {
  readonly counts = { nodes: 0, lessons: 0 }

  private open: readonly { readonly candidates: Candidates; readonly lessons: Lessons }[]
  /** How many lessons an order has in its next turn. */
  private lessons = 1

  constructor(
    private readonly parts: LearningParts,
    orders: readonly Candidates[],
  ) {
    this.open = orders.map((candidates) => ({ candidates, lessons: new Lessons() }))
  }

  /** One turn of each order, twice as long as the one before; undefined: nothing came of it yet. */
  turn(): Learnt | undefined {
    const left: (typeof this.open)[number][] = []
    for (const each of this.open) {
      const outcome = this.turnOf(each.candidates, each.lessons, this.lessons)
      if (outcome === 'open') left.push(each)
      else if (outcome) return outcome
    }
    this.lessons *= 2
    this.open = left
    return undefined
  }

  /** So many lessons of one order; undefined: it has none to teach any more. */
  private turnOf(suggested: Candidates, lessons: Lessons, turn: number): Learnt | 'open' | undefined {
    const { order } = suggested
    const candidates = (node: WayNode): readonly Term[] => [
      ...this.parts.candidatesAt(node, suggested),
      ...this.whatKeepsAsleep(node),
      ...lessons.at(node.control.key),
    ]
    for (let lesson = 0; lesson < turn; lesson++) {
      const heads = new Heads({ ...this.parts, order, candidates, maxNodes: MAX_NODES })
      const result = heads.prove()
      this.counts.nodes += heads.counts.nodes
      this.counts.lessons++
      switch (result.kind) {
        case 'proved': {
          const visited = outlineOf(result.first, this.parts.proof, this.parts.refiner)
          return visited && { kind: 'proved', visited, order }
        }
        case 'failed':
          for (const { head, node, bad } of result.failures)
            if (head.isFirst && bad === logic.TRUE) return { kind: 'trace', node }
          if (!lessons.learn(result.failures, heads.lost)) return undefined
          break
        case 'given up':
          return undefined
        case 'stopped':
          return result
      }
    }
    return 'open'
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
