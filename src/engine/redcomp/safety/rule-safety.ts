// RuleSafety (redcomp.txt, Figure 2): the clauses S1 to S7 over assertions IR_i, LStep_i, IStep_i, thread by thread.
//
// Departures. IR_i is a relation a location of thread i, over what thread i sees: V_G, its own live locals, and where the
// other threads are, but not their locals: that is an abstraction, sound for TRUE. LStep_i is a relation for each pair of
// a block's beginning and a location inside it. IStep_j is not a relation of its own: its only clauses are S4 and S5, so
// that they are unfolded in S6. A thread's IR begins where it is started, not at init. A template of which there are any
// number of instances is one thread i with symbolic number; in S6 it also meets a renamed copy of itself. V_G has auxiliary
// variables besides (ghosts.ts). Threads that never run at the same time do not interfere.
import { and, eq, intConst, not, substitute, type Term, TRUE, variable } from '../../../logic/index.js'
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

const primed = (term: Term): Term => variable(`${term.name}'`, term.sort)

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
        if (!this.isObserver(thread, location)) continue
        for (const summary of summaries) this.interference(thread, location, summary)
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

  // ---- S1 to S5, S7

  /** Clauses of thread i alone. What comes back are its interfering steps, for S6. */
  private ownClauses(thread: Thread): readonly Summary[] {
    const { template } = thread
    if (template === this.space.threads[0]!.template) this.initially(thread)
    const steps = this.stepsByThread[thread.index]!
    const summaries: Summary[] = []
    const entered: { readonly begin: Location; readonly at: Location }[] = []
    const seen = new Set<string>()
    const enter = (begin: Location, at: Location): void => {
      const key = `${begin.id} ${at.id}`
      if (!seen.has(key)) entered.push({ begin, at })
      seen.add(key)
    }
    for (const step of steps) {
      if (isIn(step.edge.source)) continue
      const { source } = step.edge
      const body = [atom(this.reach(thread, source))]
      const next = this.leave(step, source, body, NOTHING, 'S5', (at) => {
        enter(source, at)
        return { assertion: this.block(thread, source, at), name: 'S2' }
      })
      if (next) summaries.push(next)
    }
    for (const { begin, at } of entered)
      for (const step of steps) {
        if (step.edge.source !== at) continue
        const renamed = new Map(
          [...this.shared, ...this.space.own(thread).map(({ term }) => term)].map((t) => [t, primed(t)]),
        )
        const body = [atom(this.block(thread, begin, at))]
        const next = this.leave(step, begin, body, renamed, 'S4', (target) => {
          enter(begin, target)
          return { assertion: this.block(thread, begin, target), name: 'S3' }
        })
        if (next) summaries.push(next)
      }
    return summaries
  }

  private initially(thread: Thread): void {
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

  /** One step at the end of `body`: into a block, out of it, or to an error. `renamed` says what the state is there. */
  private leave(
    step: Step,
    begin: Location,
    body: readonly Atom[],
    renamed: Values,
    name: string,
    into: (at: Location) => { readonly assertion: Assertion; readonly name: string },
  ): Summary | undefined {
    const { thread, edge } = step
    const { target } = edge
    const known = this.counts.facts([{ thread, location: begin }])
    const guard = and(substitute(step.guard, renamed), known)
    const now = (term: Term): Term => substitute(term, renamed)
    for (const { kind, holds } of owedBy(step, this.options.overflow))
      this.goal(body, and(known, not(now(holds))), kind)
    if (target.kind === 'error') {
      this.goal(body, guard, 'S7')
      return undefined
    }
    if (isIn(target)) {
      const after = this.after(step, renamed)
      if (step.started.length > 0) throw new Unsupported('starting a thread inside an atomic block', edge.position)
      const { assertion, name: rule } = into(target)
      const values = new Map<Term, Term>()
      for (const term of [...this.shared, ...liveWith(this.space, thread, target, this.hasOwners)])
        values.set(primed(term), after.get(term) ?? now(term))
      this.add({ head: atom(assertion, values), body, constraint: guard, name: rule })
      return undefined
    }
    const started = step.started.map((child) => child.thread)
    const after = new Map([
      ...this.after(step, renamed),
      ...this.counts.after({ thread, location: begin }, target, started),
    ])
    if (!this.isTerminal(thread, target)) {
      const head = this.reach(thread, target)
      const values = new Map(head.terms.map((term) => [term, after.get(term) ?? now(term)]))
      this.add({ head: atom(head, values), body, constraint: guard, name })
    }
    for (const child of step.started) {
      const head = this.reach(child.thread, child.thread.template.initial)
      const own = this.space.counter(thread)
      const values = new Map(head.terms.map((term) => [term, child.values.get(term) ?? after.get(term) ?? now(term)]))
      values.set(own, this.space.code(target))
      this.add({ head: atom(head, values), body, constraint: and(guard, child.guard), name: 'S1' })
    }
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
  private isTerminal(_: Thread, location: Location): boolean {
    return location.kind === 'final' || location.kind === 'halt'
  }

  private isObserver(thread: Thread, location: Location): boolean {
    return (
      !this.isTerminal(thread, location) && location.kind === 'plain' && !isIn(location) && this.reachable.has(location)
    )
  }

  // ---- S6

  /** IR_i(V) and IStep_j(V, V') imply IR_i(V'). */
  private interference(
    thread: Thread,
    location: Location,
    { step, begin, body, renamed, guard, after }: Summary,
  ): void {
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
              .flatMap(({ term }) => [[term, other2(term)] as const, [primed(term), primed(other2(term))] as const]),
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

const other2 = (term: Term): Term => variable(`other ${term.name}`, term.sort)

export const atom = ({ relation, terms }: Assertion, values: Values = NOTHING): Atom => ({
  relation,
  args: terms.map((term) => values.get(term) ?? term),
})
