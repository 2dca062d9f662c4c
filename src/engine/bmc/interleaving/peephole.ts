// Peephole partial order reduction (peephole.txt, 3.2 and section 4): of two adjacent transitions that are independent
// in the state before them, the one of the thread with the lower number comes first. As soundness.md 11 demands, the
// constraint is on the transitions that are taken at frames k and k+1, not on what is enabled. c_G implies that the
// second was enabled before the first already, so that en_t needs no mention.
import { FALSE, not, or, type Term, TRUE } from '../../../logic/index.js'
import { type IndependenceRules, independence } from '../../../reduction/index.js'
import type { Frame, Frames, Move } from './frames.js'
import type { Transition } from './transitions.js'

export type Reduction = 'none' | 'static' | 'ppor-simple' | 'ppor-full'
export type GirEncoding = 'plain' | 'merged' | 'dependent'

const RULES: Readonly<Record<Exclude<Reduction, 'none'>, IndependenceRules>> = {
  static: 'static',
  'ppor-simple': 'simple',
  'ppor-full': 'full',
}

export class Peephole {
  private readonly conditions = new Map<Transition, Map<Transition, Term>>()
  /** How many constraints were added. */
  constraints = 0

  constructor(
    private readonly frames: Frames,
    private readonly reduction: Reduction,
    private readonly girEncoding: GirEncoding,
  ) {}

  /** The part of SCH that concerns the steps of two adjacent frames. */
  constrain(first: Frame, second: Frame): void {
    if (this.reduction === 'none') return
    const earlier = byThread(first.moves)
    for (const [lower, t1s] of byThread(second.moves))
      for (const [higher, t2s] of earlier) {
        if (lower >= higher) continue
        switch (this.girEncoding) {
          case 'plain':
            this.plain(first, second, t1s, t2s)
            break
          case 'merged':
            this.merged(first, second, t1s, t2s)
            break
          case 'dependent':
            this.dependent(first, second, t1s, t2s)
        }
      }
  }

  /** c_G of the pair, over state variables. */
  condition(t1: Transition, t2: Transition): Term {
    let known = this.conditions.get(t1)
    if (!known) this.conditions.set(t1, (known = new Map()))
    let term = known.get(t2)
    if (!term) {
      const { transitions } = this.frames
      const rules = RULES[this.reduction as Exclude<Reduction, 'none'>]
      const unresolved = independence(t1.summary, t2.summary, rules, transitions.surroundings.encoding)
      known.set(t2, (term = transitions.resolve(unresolved, t1.source, t2.source)))
    }
    return term
  }

  /** One constraint for each pair. */
  private plain(first: Frame, second: Frame, t1s: readonly Move[], t2s: readonly Move[]): void {
    // soundness 11: the transitions that are taken, not what is enabled.
    for (const t1 of t1s)
      for (const t2 of t2s) this.forbid(t2.taken, t1.taken, this.conditionNow(first, second, t1, t2))
  }

  /** Merging: what is independent of t1 under the same condition is one constraint; all of a thread is sel = thread. */
  private merged(first: Frame, second: Frame, t1s: readonly Move[], t2s: readonly Move[]): void {
    for (const t1 of t1s) {
      const groups = new Map<Term, Move[]>()
      for (const t2 of t2s) {
        const condition = this.conditionNow(first, second, t1, t2)
        groups.set(condition, [...(groups.get(condition) ?? []), t2])
      }
      for (const [condition, group] of groups) {
        if (condition === FALSE) continue
        if (group.length === t2s.length) this.forbid(this.selected(first, t2s), t1.taken, condition)
        else for (const t2 of group) this.forbid(t2.taken, t1.taken, condition)
      }
    }
  }

  /**
   * Encoding dependent transitions: what is always independent of the other thread is told by two constraints. The
   * paper's own, for pairs outside trans^C on both sides, leaves mixed pairs unconstrained (soundness.md 12): with one
   * side outside trans^C the pair is always independent, too, so the other side is the whole thread.
   */
  private dependent(first: Frame, second: Frame, t1s: readonly Move[], t2s: readonly Move[]): void {
    const always = (t1: Move, t2: Move): boolean => this.condition(t1.transition, t2.transition) === TRUE
    const local1 = t1s.filter((t1) => t2s.every((t2) => always(t1, t2)))
    const local2 = t2s.filter((t2) => t1s.every((t1) => always(t1, t2)))
    const { index } = first.state
    const [lower, higher] = [t1s[0]!.transition.source.thread, t2s[0]!.transition.source.thread]
    const enable1 = this.frames.named(`local:${lower}:${higher}:second@${index}`, or(local1.map((m) => m.taken)))
    const enable2 = this.frames.named(`local:${lower}:${higher}:first@${index}`, or(local2.map((m) => m.taken)))
    // soundness 12: mixed pairs, too.
    this.forbid(this.selected(first, t2s), enable1, TRUE)
    this.forbid(enable2, this.selected(second, t1s), TRUE)
    const dependent = (all: readonly Move[], local: readonly Move[]) => all.filter((m) => !local.includes(m))
    this.plain(first, second, dependent(t1s, local1), dependent(t2s, local2))
  }

  private conditionNow(first: Frame, second: Frame, t1: Move, t2: Move): Term {
    const condition = this.condition(t1.transition, t2.transition)
    if (condition === TRUE || condition === FALSE) return condition
    const { choices } = t1.transition.summary
    return first.state.now(condition, choices.length > 0 ? { of: choices, at: second.state.index } : undefined)
  }

  private selected({ moves }: Frame, ofThread: readonly Move[]): Term {
    return this.frames.selects(moves, ofThread[0]!.transition.source.thread)
  }

  private forbid(first: Term, second: Term, condition: Term): void {
    const constraint = or(not(first), not(second), not(condition))
    if (constraint === TRUE) return
    this.constraints++
    this.frames.add(constraint)
  }
}

const byThread = (moves: readonly Move[]): ReadonlyMap<number, readonly Move[]> => {
  const result = new Map<number, Move[]>()
  for (const move of moves) {
    const { thread } = move.transition.source
    const others = result.get(thread)
    if (others) others.push(move)
    else result.set(thread, [move])
  }
  return result
}
