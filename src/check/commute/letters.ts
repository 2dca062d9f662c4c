// Steps of threads as the proof counts them: a single edge, or all edges of an atomic block by one path through it. Which
// there are depends on the location vector; what one does is composed from the formulas of its edges.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Action, Control, ControlFlow } from '../../semantics/control.js'
import type { Edge, MemoryObject } from '../../xcfa/index.js'
import type { ObligationKind } from '../../xcfa/terms/index.js'
import { Undecided } from '../proof.js'
import type { StepFormula, Steps } from '../steps.js'

export interface Letter {
  readonly key: string
  readonly thread: number
  readonly edges: readonly Edge[]
}

export interface LetterFormula {
  readonly guard: Term
  readonly facts: Term
  /** What changes, over the state before and what is chosen. */
  readonly next: ReadonlyMap<Term, Term>
  readonly obligations: readonly {
    readonly kind: ObligationKind
    readonly claim: Term
    readonly object?: MemoryObject
  }[]
  readonly reads: ReadonlySet<Term>
}

/** Longer paths through an atomic block are taken for a loop. */
const MAX_BLOCK = 256
const MAX_PATHS = 1024

export const letterKey = (thread: number, edges: readonly number[]): string => `${thread}:${edges.join('.')}`

export class Letters {
  private readonly vectors = new Map<string, ReadonlyMap<string, Letter>>()
  private readonly numbers = new Map<StepFormula, number>()
  private readonly known = new Map<string, LetterFormula>()

  constructor(private readonly flow: ControlFlow) {}

  at(control: Control): ReadonlyMap<string, Letter> {
    let letters = this.vectors.get(control.key)
    if (!letters) {
      const found: Letter[] = []
      for (const action of this.flow.actions(control)) this.goOn(action, [action.edge], found)
      letters = new Map(found.map((letter) => [letter.key, letter]))
      this.vectors.set(control.key, letters)
    }
    return letters
  }

  private goOn({ thread }: Action, path: readonly Edge[], found: Letter[]): void {
    const { target, position } = path.at(-1)!
    const onward = target.atomic && target.kind === 'plain' ? this.flow.edgesFrom(target) : []
    if (onward.length === 0)
      found.push({
        key: letterKey(
          thread,
          path.map(({ id }) => id),
        ),
        thread,
        edges: path,
      })
    if (path.length > MAX_BLOCK || found.length > MAX_PATHS)
      throw new Undecided(`an atomic block with a loop or with too many paths at ${position.file}:${position.line}`)
    for (const edge of onward) this.goOn({ thread, edge }, [...path, edge], found)
  }

  after(control: Control, { thread, edges }: Letter): Control {
    return edges.reduce((at, edge) => this.flow.after(at, { thread, edge }), control)
  }

  /** Depends on the vector where it starts threads or waits for one. */
  formula(steps: Steps, control: Control, letter: Letter): LetterFormula {
    const taken: StepFormula[] = []
    let at = control
    for (const edge of letter.edges) {
      const action = { thread: letter.thread, edge }
      taken.push(steps.of(at, action))
      at = this.flow.after(at, action)
    }
    const key = `${letter.key} ${taken.map((step) => this.numberOf(step)).join()}`
    let formula = this.known.get(key)
    if (!formula) this.known.set(key, (formula = composed(taken)))
    return formula
  }

  private numberOf(step: StepFormula): number {
    if (!this.numbers.has(step)) this.numbers.set(step, this.numbers.size)
    return this.numbers.get(step)!
  }
}

const composed = (steps: readonly StepFormula[]): LetterFormula => {
  const [guards, facts]: [Term[], Term[]] = [[], []]
  const next = new Map<Term, Term>()
  const obligations: LetterFormula['obligations'][number][] = []
  for (const step of steps) {
    const now = new Map(next)
    const evaluated = (term: Term): Term => logic.substitute(term, now)
    for (const each of step.obligations) {
      const claim = logic.implies(logic.and(guards, facts), evaluated(each.claim))
      if (claim !== logic.TRUE) obligations.push({ ...each, claim })
    }
    guards.push(evaluated(step.guard))
    facts.push(evaluated(step.facts))
    for (const [v, value] of step.next) next.set(v, evaluated(value))
  }
  for (const [v, value] of next) if (v === value) next.delete(v)
  const [guard, fact] = [logic.and(guards), logic.and(facts)]
  const reads = new Set([guard, fact, ...next.values()].flatMap((each) => logic.freeVariables(each)))
  return { guard, facts: fact, next, obligations, reads }
}
