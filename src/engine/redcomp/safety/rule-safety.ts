// RuleSafety (redcomp.txt, Figure 2): the clauses S1 to S7 over assertions IR_i, LStep_i, IStep_i, thread by thread.
//
// Departures. IR_i is a relation a location of thread i, over what thread i sees: V_G, its own live locals, and where the
// other threads are, but not their locals: that is an abstraction, sound for TRUE. LStep_i is a relation for each pair of
// a block's beginning and a location inside it. IStep_j is not a relation of its own: its only clauses are S4 and S5, so
// that they are unfolded in S6. A thread's IR begins where it is started, not at init. A template of which there are any
// number of instances is one thread i with symbolic number; in S6 it also meets a renamed copy of itself. V_G has auxiliary
// variables besides (ghosts.ts). Threads that never run at the same time do not interfere.
import { and, eq, intConst, not, primed, substitute, type Term, TRUE, variable } from '../../../logic/index.js'
import { type Parallel, parallelThreads } from '../../../reduction/movers-parallel.js'
import type { Atom, Relation, Rule } from '../../../smt/index.js'
import { type Edge, type Location, Unsupported } from '../../../xcfa/index.js'
import type { Thread } from '../program/specialise.js'
import { type StateSpace, type StateVariable, UNSTARTED } from '../program/state.js'
import { owedBy, type Step, stepsOf } from '../program/steps.js'
import { type Counts, countsOf, liveWith, NO_COUNTS, ownersOf, withOwners } from './ghosts.js'

export interface SafetyOptions {
  /** Overflow of signed operations is a goal, too: an error of the program as a model, not of the program. */
  readonly overflow: boolean
  /** Whether a thread's assertion says where the others are. */
  readonly counters: boolean
  /** Whether it says who changed a lock last, and how many instances are where (ghosts.ts). */
  readonly owners: boolean
  readonly counts: boolean
}

export interface SafetyClauses {
  readonly rules: readonly Rule[]
  /** IR_i at a location. */
  readonly reachable: ReadonlyMap<Location, Assertion>
  readonly steps: readonly Step[]
}

/** A relation with the state variables that its parameters stand for. */
export interface Assertion {
  readonly relation: Relation
  readonly terms: readonly Term[]
}

type Values = ReadonlyMap<Term, Term>

const NOTHING: Values = new Map()

/** Inside a reducible block, or an atomic block of the program. */
export const isIn = (location: Location): boolean => location.atomic && location.kind === 'plain'

export const ruleSafety = (space: StateSpace, options: SafetyOptions): SafetyClauses => {
  const clauses = new Clauses(space, options)
  clauses.generate()
  return { rules: clauses.rules, reachable: clauses.reachable, steps: clauses.steps }
}

class Clauses {
  readonly rules: Rule[] = []
  readonly reachable = new Map<Location, Assertion>()
  readonly steps: readonly Step[]
  private readonly stepsByThread: readonly (readonly Step[])[]
  /** LStep by its beginning and its location. */
  private readonly inside = new Map<
    string,
    { readonly assertion: Assertion; readonly begin: Location; readonly at: Location }
  >()
  private readonly sharedVariables: readonly StateVariable[]
  private readonly shared: readonly Term[]
  private readonly counts: Counts
  private readonly hasOwners: boolean
  private readonly parallel: Parallel

  constructor(
    private readonly space: StateSpace,
    private readonly options: SafetyOptions,
  ) {
    this.parallel = parallelThreads(space.threads)
    const plain = space.threads.map((thread) => stepsOf(space, thread))
    const owners = options.owners ? ownersOf(space, plain.flat()) : []
    this.hasOwners = owners.length > 0
    this.stepsByThread = plain.map((steps) => steps.map((step) => withOwners(space, step, owners)))
    this.steps = this.stepsByThread.flat()
    this.sharedVariables = [...space.shared, ...owners.map(({ owner }) => owner)]
    this.shared = this.sharedVariables.map(({ term }) => term)
    this.counts = options.counts ? countsOf(space, (l) => !isIn(l) && l.kind !== 'error') : NO_COUNTS
  }

  generate(): void {
    const summaries = this.space.threads.flatMap((thread) => this.ownClauses(thread))
    for (const thread of this.space.threads)
      for (const location of thread.template.locations) {
        if (!this.isObserver(location)) continue
        for (const summary of summaries) this.s6(thread, location, summary)
      }
  }

  // ---- assertions

  /** Program counters of the others that thread i sees. */
  private counters(thread: Thread): readonly Term[] {
    if (!this.options.counters) return []
    return this.space.threads.filter((t) => t !== thread && t.number !== undefined).map((t) => this.space.counter(t))
  }

  private view(thread: Thread, location: Location): readonly Term[] {
    const own = liveWith(this.space, thread, location, this.hasOwners)
    return [...this.shared, ...own, ...this.counters(thread), ...this.counts.terms]
  }

  private reach(thread: Thread, location: Location): Assertion {
    let assertion = this.reachable.get(location)
    if (!assertion) {
      const terms = this.view(thread, location)
      const name = `IR_${thread.index}_${this.space.code(location).value}`
      assertion = { relation: { name, sorts: terms.map((t) => t.sort) }, terms }
      this.reachable.set(location, assertion)
    }
    return assertion
  }

  private block(thread: Thread, begin: Location, at: Location): Assertion {
    const name = `LStep_${thread.index}_${this.space.code(begin).value}_${this.space.code(at).value}`
    let known = this.inside.get(name)
    if (!known) {
      const after = [...this.shared, ...liveWith(this.space, thread, at, this.hasOwners)].map(primed)
      const terms = [...this.view(thread, begin), ...after]
      known = { assertion: { relation: { name, sorts: terms.map((t) => t.sort) }, terms }, begin, at }
      this.inside.set(name, known)
    }
    return known.assertion
  }

  // ---- the rules, one function each

  /** S1 to S5 and S7 for thread i alone. What comes back are its interfering steps, for S6. */
  private ownClauses(thread: Thread): readonly Summary[] {
    if (thread.template === this.space.threads[0]!.template) this.s1(thread)
    const steps = this.stepsByThread[thread.index]!
    const summaries: Summary[] = []
    const entered = new Map<string, { readonly begin: Location; readonly at: Location }>()
    const follow = (step: Step, from: From): void => {
      this.owed(step, from)
      const { target } = step.edge
      if (target.kind === 'error') this.s7(step, from)
      else if (isIn(target)) {
        const key = `${from.begin.id} ${target.id}`
        if (!entered.has(key)) entered.set(key, { begin: from.begin, at: target })
        if (from.isInside) this.s3(step, from)
        else this.s2(step, from)
      } else summaries.push(from.isInside ? this.s4(step, from) : this.s5(step, from))
    }
    for (const step of steps) if (!isIn(step.edge.source)) follow(step, this.outside(thread, step.edge.source))
    // More pairs are entered on the way, and this goes through them, too.
    for (const { begin, at } of entered.values())
      for (const step of steps) if (step.edge.source === at) follow(step, this.insideOf(thread, begin, at))
    return summaries
  }

  /** S1: init(V) implies IR_i(V). */
  private s1(thread: Thread): void {
    const values = new Map<Term, Term>()
    const ranges: Term[] = []
    for (const { term, initial, range } of [...this.sharedVariables, ...this.space.own(thread)])
      if (initial) values.set(term, initial)
      else ranges.push(range)
    for (const [count, first] of this.counts.initial) values.set(count, first)
    for (const counter of this.counters(thread)) values.set(counter, intConst(UNSTARTED))
    const head = this.reach(thread, thread.template.initial)
    this.rules.push({ head: atom(head, values), body: [], constraint: and(ranges), name: 'S1' })
  }

  /** S1 of a thread whose IR begins where it is started: by a step to `after`. */
  private s1Started({ thread, edge, started }: Step, { body, renamed }: From, guard: Term, after: Values): void {
    for (const child of started) {
      const head = this.reach(child.thread, child.thread.template.initial)
      const now = (term: Term): Term => child.values.get(term) ?? after.get(term) ?? substitute(term, renamed)
      const values = new Map(head.terms.map((term) => [term, now(term)]))
      values.set(this.space.counter(thread), this.space.code(edge.target))
      this.add({ head: atom(head, values), body, constraint: and(guard, child.guard), name: 'S1' })
    }
  }

  /** S2: IR_i(V) and a step into a block imply LStep_i(V, V'). */
  private s2(step: Step, from: From): void {
    this.intoBlock(step, from, 'S2')
  }

  /** S3: LStep_i(V, V') and a step inside the block imply LStep_i(V, V''). */
  private s3(step: Step, from: From): void {
    this.intoBlock(step, from, 'S3')
  }

  /** S4: LStep_i(V, V') and a step out of the block are a step of thread i, IStep_i(V, V''). */
  private s4(step: Step, from: From): Summary {
    return this.interferingStep(step, from, 'S4')
  }

  /** S5: IR_i(V) and a step outside of blocks are a step of thread i, IStep_i(V, V'). */
  private s5(step: Step, from: From): Summary {
    return this.interferingStep(step, from, 'S5')
  }

  /** S7: no state of IR_i or LStep_i has a step to an error. */
  private s7(step: Step, from: From): void {
    this.goal(from.body, this.guardOf(step, from), 'S7')
  }

  /** Beyond the paper: what a step takes for granted holds where it is taken. */
  private owed(step: Step, { begin, body, renamed }: From): void {
    const known = this.counts.facts([{ thread: step.thread, location: begin }])
    for (const { kind, holds } of owedBy(step, this.options.overflow))
      this.goal(body, and(known, not(substitute(holds, renamed))), kind)
  }

  // ---- what the rules are made of

  /** A step begins at a location outside of blocks, with IR_i(V). */
  private outside(thread: Thread, begin: Location): From {
    return { begin, body: [atom(this.reach(thread, begin))], renamed: NOTHING, isInside: false }
  }

  /** A step begins inside a block, with LStep_i(V, V'), and its state is called V'. */
  private insideOf(thread: Thread, begin: Location, at: Location): From {
    const terms = [...this.shared, ...this.space.own(thread).map(({ term }) => term)]
    const renamed = new Map(terms.map((term) => [term, primed(term)]))
    return { begin, body: [atom(this.block(thread, begin, at))], renamed, isInside: true }
  }

  private guardOf({ thread, guard }: Step, { begin, renamed }: From): Term {
    return and(substitute(guard, renamed), this.counts.facts([{ thread, location: begin }]))
  }

  private intoBlock(step: Step, from: From, name: 'S2' | 'S3'): void {
    const { thread, edge } = step
    const { begin, body, renamed } = from
    if (step.started.length > 0) throw new Unsupported('starting a thread inside an atomic block', edge.position)
    const after = this.after(step, renamed)
    const values = new Map<Term, Term>()
    for (const term of [...this.shared, ...liveWith(this.space, thread, edge.target, this.hasOwners)])
      values.set(primed(term), after.get(term) ?? substitute(term, renamed))
    const head = atom(this.block(thread, begin, edge.target), values)
    this.add({ head, body, constraint: this.guardOf(step, from), name })
  }

  /** IStep_i is no relation of its own: its own effect on IR_i is here, that on others is S6. */
  private interferingStep(step: Step, from: From, name: 'S4' | 'S5'): Summary {
    const { thread, edge } = step
    const { begin, body, renamed } = from
    const guard = this.guardOf(step, from)
    const started = step.started.map((child) => child.thread)
    const counted = this.counts.after({ thread, location: begin }, edge.target, started)
    const after = new Map([...this.after(step, renamed), ...counted])
    if (!this.isTerminal(edge.target)) {
      const head = this.reach(thread, edge.target)
      const values = new Map(head.terms.map((term) => [term, after.get(term) ?? substitute(term, renamed)]))
      this.add({ head: atom(head, values), body, constraint: guard, name })
    }
    this.s1Started(step, from, guard, after)
    return { step, begin, body, renamed, guard, after }
  }

  private after({ changes }: Step, renamed: Values): Values {
    return new Map([...changes].map(([term, value]) => [term, substitute(value, renamed)]))
  }

  private goal(body: readonly Atom[], constraint: Term, name: string): void {
    this.add({ head: undefined, body, constraint, name })
  }

  private add(rule: Rule): void {
    if (rule.constraint.op !== 'const' || rule.constraint === TRUE) this.rules.push(rule)
  }

  /** Nothing is ever asked of the thread there. */
  private isTerminal(location: Location): boolean {
    return location.kind === 'final' || location.kind === 'halt'
  }

  private isObserver(location: Location): boolean {
    return location.kind === 'plain' && !isIn(location) && this.reachable.has(location)
  }

  /** S6: IR_i(V) and IStep_j(V, V') imply IR_i(V'). */
  private s6(thread: Thread, location: Location, { step, begin, body, renamed, guard, after }: Summary): void {
    const other = step.thread
    if (other === thread && thread.number !== undefined) return
    const at = (source: Location): Edge => ({ ...step.edge, source, labels: [] })
    if (!this.parallel.together(at(location), thread, at(begin), other)) return
    const mine = this.reach(thread, location)
    const myCounter = this.space.counter(thread)
    const itsCounter = this.space.counter(other)
    const seesCounter = mine.terms.includes(itsCounter)
    const changes = mine.terms.some((term) => after.has(term) || (renamed.has(term) && this.shared.includes(term)))
    if (!changes && !seesCounter) return
    // A copy of the other thread's variables, where it is of the same kind.
    const copies =
      other === thread
        ? new Map(
            this.space
              .own(other)
              .flatMap(({ term }) => [[term, ofOther(term)] as const, [primed(term), primed(ofOther(term))] as const]),
          )
        : NOTHING
    const place = new Map([...copies, [myCounter, this.space.code(location)]])
    const placed = (term: Term): Term => substitute(term, place)
    const before = new Map([[itsCounter, this.space.code(begin)]])
    const both = this.counts.facts([
      { thread, location },
      { thread: other, location: begin },
    ])
    const constraint = and(placed(guard), this.different(thread, other, copies), both)
    const values = new Map<Term, Term>()
    for (const term of mine.terms) {
      const isShared = this.shared.includes(term)
      const value = after.get(term) ?? (isShared ? substitute(term, renamed) : term)
      values.set(term, isShared || after.has(term) ? placed(value) : value)
    }
    values.set(itsCounter, this.space.code(step.edge.target))
    this.add({
      head: atom(mine, values),
      body: [atom(mine, before), ...body.map((a) => ({ ...a, args: a.args.map(placed) }))],
      constraint,
      name: 'S6',
    })
  }

  /** Two instances without a fixed number have different ones. */
  private different(a: Thread, b: Thread, copies: Values): Term {
    if (a.number !== undefined || b.number !== undefined) return TRUE
    const [first, second] = [a, b].map((t) => this.space.value(t, t.template.self)) as [Term, Term]
    return not(eq(first, substitute(second, copies)))
  }
}

/** Where a step begins. */
interface From {
  /** Where its block begins, or itself. */
  readonly begin: Location
  readonly body: readonly Atom[]
  /** What the state is called there. */
  readonly renamed: Values
  readonly isInside: boolean
}

/** A step that others see: a transition, or a whole block. */
interface Summary {
  readonly step: Step
  readonly begin: Location
  readonly body: readonly Atom[]
  /** What the state is called before the last step of it. */
  readonly renamed: Values
  readonly guard: Term
  readonly after: Values
}

const ofOther = (term: Term): Term => variable(`other ${term.name}`, term.sort)

export const atom = ({ relation, terms }: Assertion, values: Values = NOTHING): Atom => ({
  relation,
  args: terms.map((term) => values.get(term) ?? term),
})
