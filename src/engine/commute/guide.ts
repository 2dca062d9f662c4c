// What the way to a node tells. Between loop heads a way is executed exactly, so that whether it can be taken, whether an
// obligation holds at its end and whether letters commute there needs no luck with assertions. What holds is brought into
// the proof by weakest preconditions along the way (Refiner): the pool gets assertions at the places that it passes, with
// which the next search shows the same step by step. At loop heads the assertions of the place are all that is kept, and
// only those that the head had before (widening), so that loops close.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Location } from '../../xcfa/index.js'
import type { Order } from './order.js'
import type { Proof } from './proof.js'
import type { Refiner, Segment } from './refine.js'
import { type Guide, placeOf, type SearchNode } from './search.js'

export class Ways implements Guide {
  /** Whether the pool grew by what a way told. */
  tellsMore = false

  constructor(
    private readonly proof: Proof,
    private readonly refiner: Refiner,
    private readonly heads: ReadonlySet<Location>,
    private readonly order: Order,
    /** Places at which nothing is forgotten although a loop closes. */
    private readonly unwidened: ReadonlySet<string>,
    /** Where assertions of a way are tried. */
    private readonly scopeOf: (place: string) => string,
    /** Adds what is to be tried at the place of a node; whether there is anything new. */
    private readonly suggest: (node: SearchNode) => boolean,
  ) {}

  arrive(node: SearchNode): SearchNode | undefined {
    const { parent, letter } = node
    if (!parent || !letter) return { ...node, segment: this.refiner.first() }
    const segment = this.refiner.extend(parent.segment!, letter)
    const here = { ...node, segment }
    if (letter.guard !== logic.TRUE && !this.refiner.isPossible(segment) && this.bring(here, logic.FALSE))
      return undefined
    return this.isCut(node) ? this.cut(here) : here
  }

  holds(node: SearchNode, formula: Term): boolean {
    if (formula === logic.TRUE) return true
    return this.refiner.holds(node.segment!, formula) && this.bring(node, formula)
  }

  /**
   * A loop head at which a round of the order begins, or one that was passed since the last cut: what threads do in a round
   * is compared as a whole.
   */
  isCut({ letter, order, control, parent }: SearchNode): boolean {
    // Before there are threads, ways meet where loops begin; later what they tell is worth an iteration.
    const isAlone = control.threads.length === 1
    if (!letter || !(letter.back || (isAlone && this.heads.has(letter.target)))) return false
    if (this.order.begins(order, letter.thread)) return true
    for (let at = parent; at; at = at.parent) {
      if (at.order === order && at.control.key === control.key) return true
      if (at.isCut) return false
    }
    return false
  }

  /** A loop head: the assertions of its place that hold, and none that the same head did not have on the way here. */
  private cut(node: SearchNode): SearchNode {
    const place = placeOf(node.control, node.order)
    if (this.suggest(node)) this.tellsMore = true
    const first = this.proof.after(node.parent!.state, node.letter!, place)
    const before = this.unwidened.has(place) ? undefined : sameHead(node)
    const kept = (i: number): boolean => !before || (before.state.bits & (1n << BigInt(i))) !== 0n
    const missing = this.proof.missing(first, place).filter(kept)
    const formulas = missing.map((i) => this.proof.assertions[i]!)
    const holding = this.refiner.holding(node.segment!, formulas)
    const carried = this.refiner.carried(
      node.segment!,
      formulas.filter((_, i) => holding[i]),
    )
    const gained = missing.filter((_, i) => {
      if (!holding[i]) return false
      const chain = carried.get(formulas[i]!)
      return chain ? this.tell(node, chain) : this.bring(node, formulas[i]!)
    })
    const state = this.proof.state([...first.members, ...gained].filter(kept))
    return { ...node, state, segment: this.refiner.from(this.proof.formulas(state)), isCut: true }
  }

  /**
   * Assertions along the segment that show the formula at its end. It counts as shown if the pool is not what it was when
   * the search began: then there is another search. Otherwise it has them all, and they do not show it.
   */
  private bring(node: SearchNode, formula: Term): boolean {
    const answer = this.refiner.refine(node.segment!, logic.not(formula), 'wp')
    return answer.kind === 'refuted' && this.tell(node, answer.assertions)
  }

  private tell(node: SearchNode, assertions: readonly (readonly Term[])[]): boolean {
    if (this.spread(node, node.segment!, assertions)) this.tellsMore = true
    return this.tellsMore
  }

  /**
   * Adds the assertions at the places of a segment that ends in a node; whether any is new there. At loop heads in between
   * they are wanted from now on.
   */
  spread(node: SearchNode, { steps, start }: Segment, assertions: readonly (readonly Term[])[]): boolean {
    let isNew = false
    let at: SearchNode | undefined = node
    // Where the segment starts they follow from what is known; the first states are known by assertions only.
    for (let k = steps.length; k >= (start.isFirst ? 0 : 1) && at; k--, at = at.parent) {
      const place = placeOf(at.control, at.order)
      for (const each of assertions[k] ?? []) {
        if (this.proof.add(each, this.scopeOf(place))) isNew = true
        if (k < steps.length && at.isCut && this.proof.want(each, place)) isNew = true
      }
    }
    return isNew
  }
}

/** The same place on the way to a node, where no more slept. */
const sameHead = (node: SearchNode): SearchNode | undefined => {
  for (let at = node.parent; at; at = at.parent)
    if (
      at.isCut &&
      at.control.key === node.control.key &&
      at.order === node.order &&
      [...at.sleep].every((key) => node.sleep.has(key))
    )
      return at
  return undefined
}
