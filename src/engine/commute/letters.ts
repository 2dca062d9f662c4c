// The alphabet: a letter is one step of a thread, a whole atomic block being one step. It is a function of the state and
// of its inputs, made from the steps of src/symbolic by substitution. Which letters there are depends on the location
// vector alone; whether one can be taken is its guard's business.

import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import type { Action, Control, ControlFlow } from '../../semantics/control.js'
import type { Transition, Transitions } from '../../symbolic/index.js'
import { type Edge, type Location, type MemoryObject, Unsupported, type Variable } from '../../xcfa/index.js'
import { mapObligation, type Obligation } from '../../xcfa/terms/index.js'

interface LetterInput {
  readonly term: Term
  readonly variable: Variable
}

export interface Letter {
  /** Equal for the same edges of the same thread, whatever the vector. */
  readonly key: string
  /** Equal for equal meanings: a join depends on who has ended, a start on how many threads there are. */
  readonly meaning: string
  readonly thread: number
  readonly edges: readonly Edge[]
  readonly source: Location
  readonly target: Location
  readonly guard: Term
  readonly updates: ReadonlyMap<Term, Term>
  readonly dead: ReadonlySet<Term>
  readonly inputs: readonly LetterInput[]
  readonly obligations: readonly Obligation[]
  readonly reads: ReadonlySet<Term>
  readonly writes: ReadonlySet<Term>
  readonly starts: boolean
  readonly joins: boolean
  /** Its thread has ended after it, so that joins on it succeed. */
  readonly ends: boolean
  /** Leads to the head of a loop: where lockstep hands on. */
  readonly back: boolean
}

/** More paths through an atomic block are not followed one by one. */
const MAX_PATHS = 256
const MAX_BLOCK = 256

export class Alphabet {
  private readonly known = new Map<string, Letter>()
  private readonly vectors = new Map<string, readonly Letter[]>()

  constructor(
    private readonly flow: ControlFlow,
    private readonly transitions: Transitions,
    /** Allocations of these may have any size. */
    private readonly unsized: ReadonlySet<MemoryObject>,
  ) {}

  /** The letters of all threads at a vector. */
  at(control: Control): readonly Letter[] {
    let letters = this.vectors.get(control.key)
    if (!letters) {
      const found: Letter[] = []
      for (const action of this.flow.actions(control)) this.through(control, [action], control, found)
      this.vectors.set(control.key, (letters = found))
    }
    return letters
  }

  /** Those that were met. */
  all(): Iterable<Letter> {
    return this.known.values()
  }

  after(control: Control, letter: Letter): Control {
    return letter.edges.reduce((at, edge) => this.flow.after(at, { thread: letter.thread, edge }), control)
  }

  /** Goes on inside an atomic block: nobody else moves before it is left. */
  private through(first: Control, path: readonly Action[], at: Control, found: Letter[]): void {
    const last = path.at(-1)!
    const next = this.flow.after(at, last)
    const { target } = last.edge
    const goesOn = target.atomic && target.kind === 'plain' && this.flow.edgesFrom(target).length > 0
    if (!goesOn) found.push(this.letter(first, path))
    else {
      if (path.length > MAX_BLOCK || found.length > MAX_PATHS)
        throw new Unsupported('an atomic block with a loop or with too many paths', last.edge.position)
      for (const edge of this.flow.edgesFrom(target))
        this.through(first, [...path, { thread: last.thread, edge }], next, found)
    }
  }

  private letter(first: Control, path: readonly Action[]): Letter {
    const steps: Transition[] = []
    let at = first
    for (const action of path) {
      steps.push(this.transitions.of(at, action))
      at = this.flow.after(at, action)
    }
    const meaning = `${path[0]!.thread}:${steps.map(({ id }) => id).join('.')}`
    let letter = this.known.get(meaning)
    if (!letter) this.known.set(meaning, (letter = this.compose(path, steps, meaning, at)))
    return letter
  }

  private compose(path: readonly Action[], steps: readonly Transition[], meaning: string, after: Control): Letter {
    const guards: Term[] = []
    const updates = new Map<Term, Term>()
    const dead = new Set<Term>()
    const inputs: LetterInput[] = []
    const obligations: Obligation[] = []
    for (const [k, step] of steps.entries()) {
      const now = new Map(updates)
      for (const { term, variable } of step.inputs) {
        const own = k === 0 ? term : logic.variable(`${term.name}~${k}`, term.sort)
        inputs.push({ term: own, variable })
        now.set(term, own)
      }
      const evaluated = (term: Term): Term => logic.substitute(term, now)
      const before = logic.and(guards)
      for (const each of step.obligations) {
        if (each.kind === 'allocation-size' && this.unsized.has(each.object)) continue
        const held = mapObligation(each, (term) => logic.implies(before, evaluated(term)))
        if (held.holds !== logic.TRUE) obligations.push(held)
      }
      guards.push(evaluated(step.guard))
      const changed = [...step.updates].map(([v, value]) => [v, evaluated(value)] as const)
      for (const v of step.dead) {
        dead.add(v)
        updates.delete(v)
      }
      for (const [v, value] of changed) {
        dead.delete(v)
        if (value === v) updates.delete(v)
        else updates.set(v, value)
      }
    }
    const guard = logic.and(guards)
    const { thread } = path[0]!
    const edges = path.map(({ edge }) => edge)
    const target = edges.at(-1)!.target
    const chosen = new Set(inputs.map(({ term }) => term))
    const formulas = [guard, ...updates.values(), ...obligations.map(({ holds }) => holds)]
    const reads = new Set(formulas.flatMap((each) => logic.freeVariables(each)).filter((v) => !chosen.has(v)))
    const has = (kind: string): boolean => edges.some(({ labels }) => labels.some((label) => label.kind === kind))
    return {
      key: `${thread}:${edges.map(({ id }) => id).join('.')}`,
      ...{ meaning, thread, edges, source: edges[0]!.source, target, guard, updates, dead, inputs, obligations },
      ...{ reads, writes: new Set(updates.keys()), starts: has('start'), joins: has('join') },
      ends: target === after.threads[thread]!.template.final,
      back: edges.some(({ back }) => back === true),
    }
  }
}
