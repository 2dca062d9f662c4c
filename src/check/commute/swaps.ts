// Whether a step may be taken before another one of a different thread instead of after it: in every state of a label in
// which the other one and then the step can be taken, both can be taken the other way round, and lead to the same state up
// to locals that nobody reads any more. That is the one direction that the argument of a reduction needs. A step into an
// error need only be possible first: the run without the other step is shorter, and ends in the same error.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { type Control, failing, finished } from '../../semantics/control.js'
import type { Variable } from '../../xcfa/index.js'
import type { Proof } from '../proof.js'
import type { Steps } from '../steps.js'
import type { Threads } from '../threads.js'
import type { Letter, LetterFormula, Letters } from './letters.js'
import type { Liveness } from './liveness.js'

export class Swaps {
  private readonly numbers = new Map<LetterFormula, number>()
  private readonly known = new Map<Term, Map<string, boolean>>()

  constructor(
    private readonly liveness: Liveness,
    private readonly letters: Letters,
    private readonly steps: Steps,
    private readonly proof: Proof,
    private readonly threads: Threads,
  ) {}

  /** Whether `other` and then `letter`, from a state of the label at the vector, may be exchanged. */
  mayGoFirst(letter: Letter, other: Letter, control: Control, label: Term, place: string): boolean {
    const { letters, steps } = this
    const [afterLetter, afterOther] = [letters.after(control, letter), letters.after(control, other)]
    if (letter.thread === other.thread || (starts(letter) && starts(other))) return false
    if (!letters.at(control).has(letter.key)) return false
    if (failing(afterLetter)) return this.isPossibleFirst(letter, other, control, label, place)
    if (!letters.at(afterLetter).has(other.key)) return false
    const [a, b] = [letters.formula(steps, control, letter), letters.formula(steps, control, other)]
    const a2 = this.awaits(letter, control, afterOther) ? letters.formula(steps, afterOther, letter) : a
    const b2 = this.awaits(other, control, afterLetter) ? letters.formula(steps, afterLetter, other) : b
    if (a === a2 && b === b2 && areDisjoint(a, b)) return true
    const end = letters.after(afterOther, letter)
    const answers = this.known.get(label) ?? new Map<string, boolean>()
    this.known.set(label, answers)
    const key = `${[a, b, a2, b2].map((each) => this.numberOf(each)).join()} ${end.key}`
    let holds = answers.get(key)
    if (holds === undefined) answers.set(key, (holds = this.haveSameEffect({ a, b, a2, b2 }, end, label, place)))
    return holds
  }

  private isPossibleFirst(letter: Letter, other: Letter, control: Control, label: Term, place: string): boolean {
    const { letters, steps } = this
    const [first, b] = [letters.formula(steps, control, letter), letters.formula(steps, control, other)]
    const after = letters.after(control, other)
    const second = this.awaits(letter, control, after) ? letters.formula(steps, after, letter) : first
    const afterB = (term: Term): Term => logic.substitute(term, b.next)
    const premise = logic.and(label, b.guard, afterB(second.guard), [b.facts, afterB(second.facts), first.facts])
    const ranges = steps.factsAbout(premise, first.guard)
    return this.proof.implies(logic.and(premise, ranges), first.guard, place)
  }

  private haveSameEffect(
    { a, b, a2, b2 }: Readonly<Record<'a' | 'b' | 'a2' | 'b2', LetterFormula>>,
    end: Control,
    label: Term,
    place: string,
  ): boolean {
    const [afterA, afterB] = [
      (term: Term) => logic.substitute(term, a.next),
      (term: Term) => logic.substitute(term, b.next),
    ]
    const [last, first] = [(v: Term) => afterB(a2.next.get(v) ?? v), (v: Term) => afterA(b2.next.get(v) ?? v)]
    const changed = [...new Set([...a.next.keys(), ...b.next.keys(), ...a2.next.keys(), ...b2.next.keys()])]
    const same = changed.filter((v) => !this.isDead(v, end)).map((v) => logic.eq(last(v), first(v)))
    // Values that are loaded are values of their types, whichever step comes first.
    const facts = [b.facts, afterB(a2.facts), a.facts, afterA(b2.facts)]
    const premise = logic.and(label, b.guard, afterB(a2.guard), facts)
    const conclusion = logic.and(a.guard, afterA(b2.guard), same)
    const ranges = this.steps.factsAbout(premise, conclusion)
    return this.proof.implies(logic.and(premise, ranges), conclusion, place)
  }

  /** Whether it waits for a thread that may be one of those that have ended in the meantime. */
  private awaits({ edges }: Letter, before: Control, after: Control): boolean {
    const done = new Set(finished(before))
    const ended = finished(after).filter((number) => !done.has(number))
    return edges.some((edge) => {
      if (ended.length === 0 || !hasLabel([edge], 'join')) return false
      const joined = this.threads.joined(edge)
      return !joined || ended.some((number) => after.threads[number]!.template === joined.template)
    })
  }

  private isDead(v: Term, { threads }: Control): boolean {
    const owner = this.steps.ownerOf(v)
    const meaning = this.steps.meaning(v)
    if (owner === undefined || !meaning || 'slots' in meaning) return false
    const at = threads[owner]
    return at !== undefined && this.liveness.isDead(meaning satisfies Variable, at.location)
  }

  private numberOf(formula: LetterFormula): number {
    if (!this.numbers.has(formula)) this.numbers.set(formula, this.numbers.size)
    return this.numbers.get(formula)!
  }
}

const hasLabel = (edges: Letter['edges'], kind: string): boolean =>
  edges.some(({ labels }) => labels.some((label) => label.kind === kind))

const starts = ({ edges }: Letter): boolean => hasLabel(edges, 'start')

/** Neither writes what the other reads or writes. */
const areDisjoint = (a: LetterFormula, b: LetterFormula): boolean => {
  const isApart = (writer: LetterFormula, other: LetterFormula): boolean =>
    [...writer.next.keys()].every((v) => !other.reads.has(v) && !other.next.has(v))
  return isApart(a, b) && isApart(b, a)
}
