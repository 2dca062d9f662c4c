// A bounded proof, found again: the program is unrolled (unrolled.ts), and one formula says which events happen, when, and
// from which write each read has its value. Safe if no error happens, and complete if no thread comes to a place where the
// unrolling stops; how far to unroll is worked out here. Written without the engine's reductions, blocks and ranges: events
// are edges, shared memory is read and written as a whole, and time is a number for each place outside atomic blocks.
//
// Executions are prefixes: a thread may stop anywhere but inside an atomic block. Events of different threads that touch
// the same variable, one of them writing, never happen at the same moment, so that any order of the others is as good.
import * as logic from '../../logic/index.js'
import { and, eq, implies, not, or, substitute, type Term, TRUE } from '../../logic/index.js'
import type { Control, ThreadControl } from '../../semantics/control.js'
import type { Smt } from '../../smt/index.js'
import type { Program } from '../../xcfa/index.js'
import { createEncoding } from '../../xcfa/terms/index.js'
import { Undecided } from '../proof.js'
import { type StepFormula, Steps } from '../steps.js'
import { type Event, type Instance, type Place, type Unrolled, unrolled } from './unrolled.js'

const BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128]
const MAX_CLAUSES = 1_500_000

export interface Time {
  /** Milliseconds; none: it is up. */
  readonly left: () => number
}

export type BoundedAnswer =
  | { readonly kind: 'safe'; readonly bound: number; readonly events: number }
  | { readonly kind: 'unsafe'; readonly why: string }

/** Throws `Undecided` where it cannot say. */
export const provedWithinBound = (program: Program, smt: Smt, time: Time): BoundedAnswer => {
  for (const bound of BOUNDS) {
    const found = atBound(program, smt, bound, time)
    if (found) return found
  }
  throw new Undecided(`more than ${BOUNDS.at(-1)} rounds of loops`)
}

/** Undefined: the bound is too small. */
const atBound = (program: Program, smt: Smt, bound: number, { left }: Time): BoundedAnswer | undefined => {
  const stopped = (): string | undefined => (left() > 0 ? undefined : 'time is up')
  const whole = unrolled(program, bound)
  const formula = new Execution(program, whole, stopped)
  const constraints = formula.constraints()
  const isPossible = (goal: Term): boolean => {
    const reason = stopped()
    if (reason) throw new Undecided(reason)
    if (goal === logic.FALSE) return false
    const solver = smt.solver({ once: true, timeoutMs: Math.ceil(left()) })
    try {
      for (const clause of [...constraints, goal]) solver.add(clause)
      const status = solver.check()
      if (status === 'unknown') throw new Undecided(stopped() ?? `the solver gave up: ${solver.reason()}`)
      return status === 'sat'
    } finally {
      solver.dispose()
    }
  }
  const errors = whole.instances.flatMap(({ places }) => places.filter(({ location }) => location.kind === 'error'))
  const failed = or(errors.map((place) => formula.reached(place)))
  const unmet = or(formula.unmet())
  const further = or(whole.cuts.map((place) => formula.reached(place)))
  if (!isPossible(or(failed, unmet, further))) return { kind: 'safe', bound, events: whole.events.length }
  if (isPossible(failed)) return { kind: 'unsafe', why: 'an error is reached' }
  if (isPossible(unmet)) throw new Undecided('more may be allocated than is reserved')
  return undefined
}

interface Access {
  readonly event: Event
  readonly value: Term
}

class Execution {
  private readonly steps: Steps
  private readonly width: number
  private readonly first: ReadonlyMap<Term, Term>
  private readonly clauses: Term[] = []
  private readonly reads = new Map<Term, Access[]>()
  private readonly writes = new Map<Term, Access[]>()
  private readonly obligations: Term[] = []
  /** Events that take something for granted. */
  private readonly probed = new Set<Event>()
  /** Values of a thread's own variables at a place. */
  private readonly own = new Map<Place, ReadonlyMap<Term, Term>>()
  private readonly after = new Map<Event, ReadonlyMap<Term, Term>>()
  private readonly reachable = new Map<Place, ReadonlySet<Place>>()

  constructor(
    program: Program,
    private readonly whole: Unrolled,
    private readonly stopped: () => string | undefined,
  ) {
    const encoding = createEncoding('bv', { pointerWidth: program.dataModel === 'ilp32' ? 32 : 64 })
    const threads = 1 + Math.max(...whole.instances.map(({ number }) => number))
    for (const { storage, instances, name } of program.objects)
      if (storage === 'thread' && instances !== undefined && instances < threads)
        throw new Undecided(`addresses of ${name} are reserved for ${instances} threads only`)
    this.steps = new Steps(program, encoding, threads, true)
    this.first = this.steps.first()
    const places = whole.instances.reduce((sum, instance) => sum + instance.places.length, 0)
    this.width = Math.ceil(Math.log2(places + 2)) + 1
  }

  constraints(): readonly Term[] {
    for (const instance of this.whole.instances) this.thread(instance)
    for (const [variable, reads] of this.reads) this.shared(variable, reads, this.writes.get(variable) ?? [])
    return this.clauses
  }

  /** Each may happen if what is reserved is not enough. */
  unmet(): readonly Term[] {
    return this.obligations
  }

  reached(place: Place): Term {
    const { startedBy } = place.instance
    if (place.incoming.length > 0) return or(place.incoming.map((event) => this.taken(event)))
    return startedBy ? this.taken(startedBy) : TRUE
  }

  private add(...clauses: readonly Term[]): void {
    for (const clause of clauses) if (clause !== TRUE) this.clauses.push(clause)
    if (this.clauses.length > MAX_CLAUSES) throw new Undecided(`a formula of more than ${MAX_CLAUSES} clauses`)
  }

  private taken({ id }: Event): Term {
    return logic.variable(`taken:${id}`, TRUE.sort)
  }

  /** The event is looked at, whether it can happen or not: what it reads has a meaning then, too. */
  private tried({ id }: Event): Term {
    return logic.variable(`tried:${id}`, TRUE.sort)
  }

  private clock({ entry }: Place): Term {
    return logic.variable(`clock:${entry.id}`, logic.bvSort(this.width))
  }

  // ---- one thread

  private thread(instance: Instance): void {
    const reason = this.stopped()
    if (reason) throw new Undecided(reason)
    for (const place of instance.places) {
      this.own.set(place, this.valuesAt(place))
      for (const event of place.outgoing) this.event(event)
      this.choice(place)
    }
    const { startedBy } = instance
    const [first] = instance.places
    if (startedBy) this.add(logic.bvUlt(this.clock(startedBy.source), this.clock(first!)))
  }

  /** At most one of its events happens, and one does where a block goes on. */
  private choice({ location, isCut, outgoing, ...place }: Place): void {
    for (const [i, a] of outgoing.entries())
      for (const b of outgoing.slice(i + 1)) this.add(not(and(this.taken(a), this.taken(b))))
    if (location.atomic && location.kind === 'plain' && !isCut)
      this.add(implies(this.reached({ location, isCut, outgoing, ...place }), or(outgoing.map((e) => this.taken(e)))))
  }

  private valuesAt(place: Place): ReadonlyMap<Term, Term> {
    const { instance, incoming } = place
    const variables = this.steps.ownedBy(instance.template, instance.number)
    if (incoming.length === 0) {
      const given = instance.startedBy ? this.after.get(instance.startedBy)! : this.first
      return new Map(variables.map((v) => [v, given.get(v) ?? this.renamed(v, `first:${place.id}`)]))
    }
    const before = incoming.map((event) => ({ event, values: this.after.get(event)! }))
    return new Map(
      variables.map((v) => {
        const values = before.map(({ values }) => values.get(v)!)
        if (values.every((value) => value === values[0])) return [v, values[0]!]
        const merged = this.renamed(v, `at:${place.id}`)
        for (const { event, values: known } of before) this.add(implies(this.taken(event), eq(merged, known.get(v)!)))
        return [v, merged]
      }),
    )
  }

  private renamed(v: Term, where: string): Term {
    return logic.variable(`${v.name}@${where}`, v.sort)
  }

  private event(event: Event): void {
    const { source, target } = event
    const own = this.own.get(source)!
    const happens = this.taken(event)
    const touched = new Map<Term, Term>()
    /** Own variables by their values here, shared ones by what is read, choices by a name for this event. */
    const now = (term: Term): Term =>
      substitute(term, new Map(logic.freeVariables(term).map((v) => [v, this.valueIn(event, v, own, touched)])))
    const { step, waits } = this.formulaOf(event)
    const goesOn = waits ? or(waits.map(({ guard, hasEnded }) => and(now(guard), hasEnded))) : now(step.guard)
    this.add(implies(happens, and(this.reached(source), goesOn, now(step.facts))))
    if (step.obligations.length > 0) {
      const tried = this.tried(event)
      this.probed.add(event)
      this.add(implies(tried, this.reached(source)))
      for (const { claim } of step.obligations) this.obligations.push(and(tried, not(now(claim))))
    }
    const after = new Map(own)
    for (const [v, value] of step.next) {
      const owner = this.steps.ownerOf(v)
      if (owner === undefined) this.access(this.writes, v, { event, value: now(value) })
      else after.set(v, now(value))
    }
    this.after.set(event, after)
    if (target.entry === target) this.add(implies(happens, logic.bvUlt(this.clock(source), this.clock(target))))
  }

  private valueIn(event: Event, v: Term, own: ReadonlyMap<Term, Term>, touched: Map<Term, Term>): Term {
    const mine = own.get(v)
    if (mine) return mine
    let value = touched.get(v)
    if (!value) {
      value = this.renamed(v, `in:${event.id}`)
      touched.set(v, value)
      if (!this.steps.isChosen(v)) this.access(this.reads, v, { event, value })
    }
    return value
  }

  private access(accesses: Map<Term, Access[]>, variable: Term, access: Access): void {
    const known = accesses.get(variable)
    if (known) known.push(access)
    else accesses.set(variable, [access])
  }

  /** The step; of one that waits for a thread, a guard for each that it may be, with when that one has ended. */
  private formulaOf({ edge, source }: Event): {
    readonly step: StepFormula
    readonly waits?: readonly { readonly guard: Term; readonly hasEnded: Term }[]
  } {
    const action = { thread: source.instance.number, edge }
    const has = (wanted: string): boolean => edge.labels.some(({ kind }) => kind === wanted)
    const step = this.steps.of(controlOf(source, undefined), action)
    if (!has('join')) return { step }
    if (has('start')) throw new Undecided('a step that starts one thread and waits for another')
    const ends = this.whole.instances
      .filter((instance) => instance !== source.instance)
      .flatMap((instance) => instance.places.filter(({ location }) => location === instance.template.final))
    const waits = ends.map((end) => ({
      guard: this.steps.of(controlOf(source, end.instance), action).guard,
      hasEnded: and(this.reached(end), logic.bvUlt(this.clock(end), this.clock(source))),
    }))
    return { step, waits }
  }

  // ---- shared memory

  /** Each read has the value of the last write before it. */
  private shared(variable: Term, reads: readonly Access[], writes: readonly Access[]): void {
    const initial = this.first.get(variable) ?? this.renamed(variable, 'first')
    for (const [i, a] of writes.entries())
      for (const b of writes.slice(i + 1))
        this.add(or(not(this.both(a, b)), this.before(a.event, b.event), this.before(b.event, a.event)))
    for (const [i, read] of reads.entries()) {
      const happens = this.probed.has(read.event)
        ? or(this.taken(read.event), this.tried(read.event))
        : this.taken(read.event)
      const from = (k: number | 'first'): Term => logic.variable(`from:${variable.name}:${i}:${k}`, TRUE.sort)
      const others = writes.filter(
        ({ event }) => event !== read.event && this.before(event, read.event) !== logic.FALSE,
      )
      this.add(
        implies(
          happens,
          or(
            from('first'),
            others.map((_, k) => from(k)),
          ),
        ),
      )
      this.add(implies(from('first'), eq(read.value, initial)))
      for (const other of writes)
        if (other.event !== read.event)
          this.add(
            or(not(from('first')), not(happens), not(this.taken(other.event)), this.before(read.event, other.event)),
          )
      for (const [k, write] of others.entries()) {
        const source = from(k)
        this.add(implies(source, and(this.taken(write.event), this.before(write.event, read.event))))
        this.add(implies(source, eq(read.value, write.value)))
        for (const other of writes) {
          if (other === write || other.event === read.event) continue
          const isElsewhere = or(this.before(other.event, write.event), this.before(read.event, other.event))
          this.add(or(not(source), not(happens), not(this.taken(other.event)), isElsewhere))
        }
      }
    }
  }

  private both(a: Access, b: Access): Term {
    return and(this.taken(a.event), this.taken(b.event))
  }

  /** Whether one event comes before the other, if both happen. */
  private before(a: Event, b: Event): Term {
    if (a.source.instance !== b.source.instance) return logic.bvUlt(this.clock(a.source), this.clock(b.source))
    return this.leadsTo(a.target, b.source) ? TRUE : logic.FALSE
  }

  private leadsTo(from: Place, to: Place): boolean {
    let found = this.reachable.get(from)
    if (!found) {
      const seen = new Set([from])
      for (const { outgoing } of seen) for (const { target } of outgoing) seen.add(target)
      this.reachable.set(from, (found = seen))
    }
    return found.has(to)
  }
}

/** As many threads as were started on the way here, of which at most one has ended: all that a step asks of control. */
const controlOf = ({ starts, location, instance }: Place, ended: Instance | undefined): Control => {
  const { template } = instance
  const alive = (number: number): ThreadControl => ({ number, template, location })
  const threads = ended
    ? [{ number: ended.number, template: ended.template, location: ended.template.final }]
    : Array.from({ length: starts + 1 }, (_, number) => alive(number))
  return { threads, key: '' }
}
