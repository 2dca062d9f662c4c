// What failed proofs by heads (heads.ts) teach: where a way from a head comes to an error, what has to hold at the head for
// it not to; where that does not hold when a way arrives there, what has to hold at the head before. The formula is tried,
// and so are its parts: it is about one way, and they may be about all.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Failure, Lost, WayNode } from './heads.js'
import { beforehand } from './outline.js'
import { pushNegations } from './refine.js'

const MAX_SIZE = 400
const MAX_PARTS = 6

export class Lessons {
  private readonly byVector = new Map<string, Set<Term>>()
  at(vector: string): readonly Term[] {
    return [...(this.byVector.get(vector) ?? [])]
  }

  /** Whether there is anything new to try. */
  learn(failures: readonly Failure[], lost: readonly Lost[]): boolean {
    return failures.filter((each) => this.learnFrom(each, lost)).length > 0
  }

  private learnFrom({ node, head, bad }: Failure, lost: readonly Lost[]): boolean {
    if (head.isFirst) return false
    const needed = throughout(node, logic.not(bad))
    if (!needed) return false
    if (this.add(head.control.key, needed)) return true
    // It was tried, and did not hold: what should hold before, on the ways on which it failed?
    const open = [{ vector: head.control.key, formula: needed }]
    const seen = new Set<string>()
    let isNew = false
    for (let next = open.pop(); next; next = open.pop()) {
      const { vector, formula } = next
      for (const { node: at, from, formula: failed } of lost) {
        if (failed !== formula || at.control.key !== vector || from.isFirst) continue
        const before = throughout(at, formula)
        const key = before && `${from.control.key} ${before.id}`
        if (!before || seen.has(key!)) continue
        seen.add(key!)
        if (this.add(from.control.key, before)) isNew = true
        else open.push({ vector: from.control.key, formula: before })
      }
    }
    return isNew
  }

  private add(vector: string, formula: Term): boolean {
    let known = this.byVector.get(vector)
    if (!known) this.byVector.set(vector, (known = new Set()))
    const before = known.size
    if (known.has(formula)) return false
    for (const each of partsOf(formula)) known.add(each)
    return known.size > before
  }
}

/** What has to hold at the beginning of the way to a node for the formula to hold at its end. */
const throughout = (node: WayNode, formula: Term): Term | undefined => {
  let now: Term | undefined = formula
  for (let at: WayNode | undefined = node; at?.letter && now; at = at.parent) now = beforehand(at.letter, now)
  return now && now.op !== 'const' && logic.size(now) < MAX_SIZE ? now : undefined
}

const partsOf = (formula: Term): readonly Term[] => {
  const cases = logic.disjuncts(pushNegations(formula))
  const parts = [formula, ...cases.flatMap((each) => logic.conjuncts(each))]
  if (cases.length > 2 && cases.length <= MAX_PARTS)
    for (const each of cases) parts.push(logic.or(cases.filter((other) => other !== each)))
  return parts.filter(({ op }) => op !== 'const')
}
