// The steps of a program whose threads are numbered in the order of their starts, as cegar and impact take them: for an
// action at a location vector its guard and, for everything that it changes, the value after it over the values before.
// Steps are functions of the state and of their inputs, so that weakest preconditions are plain substitutions.
import type { Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import { type Action, type Control, finished } from '../semantics/control.js'
import type { Edge, Location, MemoryObject, Procedure, Program, Region, Type, Variable } from '../xcfa/index.js'
import { liveLocals } from '../xcfa/passes/live.js'
import {
  addressConstant,
  type Encoding,
  type Obligation,
  regionTerm,
  threadRoom,
  variableTerm,
} from '../xcfa/terms/index.js'
import { hitsInstance } from './addresses.js'
import { type Initial, initialMemory, initialVariable, reservedInstances } from './initial.js'
import { allocatedVariable, inputVariable } from './names.js'
import { type Access, countedInstances, type Input, type StepPolicy, stepOf } from './step.js'

export interface TransitionPolicy {
  /** What an access that hits no object does: it stops its thread, or goes on, which only adds behaviour. */
  readonly strays: 'stop' | 'proceed'
  /** Whether states say what locals hold that nobody reads any more. */
  readonly locals: 'all' | 'live'
  /** More cells of memory than this are left arbitrary at first. */
  readonly maxInitialCells: number
  /** Regions of which any offset that fits into an address will do; none if absent. */
  readonly indexed?: (program: Program) => ReadonlySet<Region>
}

export interface Transition {
  readonly id: number
  readonly guard: Term
  /** What changes: a variable, region or counter, and its value afterwards. */
  readonly updates: ReadonlyMap<Term, Term>
  /** Variables of the acting thread that nobody reads any more, where states say nothing about them. */
  readonly dead: ReadonlySet<Term>
  readonly inputs: readonly Input[]
  readonly obligations: readonly Obligation[]
  /** Loads and stores in order. */
  readonly accesses: readonly Access[]
}

export class Transitions {
  /** A step was made of which an access may stop its thread. */
  mayStop = false
  private readonly known = new Map<Edge, Map<string, Transition>>()
  private readonly live = new Map<Procedure, ReadonlyMap<Location, ReadonlySet<Variable>>>()
  private readonly types = new Map<Term, Type>()
  private readonly meanings = new Map<Term, Variable | Region>()
  private readonly arbitrary = new Map<Term, Initial>()
  private readonly indexed: ReadonlySet<Region>
  private created = 0
  /** Everything that there is before the first step, with its value. */
  readonly initials: ReadonlyMap<Term, Initial>

  constructor(
    readonly program: Program,
    readonly encoding: Encoding,
    private readonly policy: TransitionPolicy,
  ) {
    this.indexed = policy.indexed?.(program) ?? new Set()
    const initials = new Map<Term, Initial>()
    for (const v of program.globals) initials.set(this.variable(v, 0), initialVariable(v, encoding))
    for (const r of program.regions)
      if (r.scope === 'global') initials.set(this.region(r, 0), certain(this.firstMemory(r, undefined)))
    for (const object of program.objects)
      if (object.storage === 'heap') initials.set(this.counter(object), certain(addressConstant(encoding, 0)))
    for (const [term, value] of this.threadStart(program.main, 0, [])) initials.set(term, certain(value))
    this.initials = initials
  }

  /** The program's first state as a step from nowhere. What may be anything has no value in it. */
  first(): Transition {
    const updates = new Map<Term, Term>()
    for (const [term, { value }] of this.initials) if (value.op !== 'var') updates.set(term, value)
    return {
      ...{ id: this.created++, guard: logic.TRUE, updates, dead: new Set<Term>() },
      ...{ inputs: [], obligations: [], accesses: [] },
    }
  }

  /** The value at the very beginning; of what a thread brings along the contents that may be anything. */
  initial(term: Term): Initial {
    const known = this.initials.get(term) ?? this.arbitrary.get(term)
    if (!known) throw new Error(`no initial value of ${term.name}`)
    return known
  }

  /** What is known of values that may be anything at first. */
  initialFacts(): readonly Term[] {
    return [...this.initials.values()].map(({ fact }) => fact).filter((fact) => fact !== logic.TRUE)
  }

  of(control: Control, action: Action): Transition {
    let byContext = this.known.get(action.edge)
    if (!byContext) this.known.set(action.edge, (byContext = new Map()))
    const key = this.contextOf(control, action)
    let step = byContext.get(key)
    if (!step) byContext.set(key, (step = this.compute(control, action)))
    return step
  }

  /** The value of a variable lies in its type: a fact as long as every obligation was met. */
  inRange(variable: Term): Term {
    const type = this.types.get(variable)
    return type ? this.encoding.inRange(type, variable) : logic.TRUE
  }

  /** That the program variables of a formula have values of their types. */
  rangesOf(formula: Term): Term {
    return logic.and(logic.freeVariables(formula).map((v) => this.inRange(v)))
  }

  /** What a term of a state stands for; undefined for inputs and counters. */
  meaning(term: Term): Variable | Region | undefined {
    return this.meanings.get(term)
  }

  variable(v: Variable, thread: number): Term {
    const term = variableTerm(v, thread, this.encoding)
    if (!this.types.has(term)) {
      this.types.set(term, v.type)
      this.meanings.set(term, v)
    }
    return term
  }

  region(r: Region, thread: number): Term {
    const term = regionTerm(r, thread, this.encoding)
    this.meanings.set(term, r)
    return term
  }

  /** What a step depends on besides its edge. */
  private contextOf(control: Control, { thread, edge }: Action): string {
    let key = `${thread}`
    const stops = this.policy.strays === 'stop'
    for (const { kind } of edge.labels) {
      if (kind === 'start' || (stops && (kind === 'load' || kind === 'store'))) key += ` n${control.threads.length}`
      if (kind === 'join') key += ` j${finished(control).join(',')}`
    }
    return key
  }

  private compute(control: Control, { thread, edge }: Action): Transition {
    const { encoding, policy, program } = this
    const before = control.threads.length
    const after = before + edge.labels.filter(({ kind }) => kind === 'start').length
    const ended = finished(control)
    const own = (v: Variable): Term => this.variable(v, thread)
    const stepPolicy: StepPolicy = {
      encoding,
      value: own,
      memory: (r) => this.region(r, thread),
      input: inputVariable,
      allocate: countedInstances(encoding, (object) => this.counter(object)),
      start: ({ label }, index) => ({
        number: encoding.constant(label.target.type, before + index),
        guard: logic.TRUE,
        room: threadRoom(program, before + index),
      }),
      join: (label, number) => logic.or(ended.map((n) => logic.eq(number, encoding.constant(label.thread.type, n)))),
      valid:
        policy.strays === 'stop'
          ? (label, address, counters) =>
              hitsInstance(encoding, label, address, after, (object) => counters.value(this.counter(object)))
          : undefined,
      isIndexed: (region) => this.indexed.has(region),
    }
    const step = stepOf(edge.labels, stepPolicy)
    if (step.mayStop) this.mayStop = true
    const dead = this.deadAfter(edge, thread, control.threads[thread]!.template)
    const updates = new Map<Term, Term>()
    const change = (term: Term, value: Term): void => {
      if (value !== term && !dead.has(term)) updates.set(term, value)
    }
    for (const [v, value] of step.variables) change(own(v), value)
    for (const [r, value] of step.memories) change(this.region(r, thread), value)
    for (const [index, { label, args }] of step.starts.entries()) {
      const template = program.templates.get(label.procedure)!
      for (const [term, value] of this.threadStart(template, before + index, args)) change(term, value)
    }
    for (const [term, value] of step.counters) change(term, value)
    const { guard, inputs, obligations, accesses } = step
    return { id: this.created++, guard, updates, dead, inputs, obligations, accesses }
  }

  /** What belongs to a thread when it starts: parameters as passed, other locals zero. */
  private threadStart(template: Procedure, number: number, args: readonly Term[]): ReadonlyMap<Term, Term> {
    const { encoding } = this
    const values = new Map<Term, Term>()
    const matters = this.policy.locals === 'live' ? this.liveAt(template, template.initial) : new Set(template.locals)
    for (const v of matters) values.set(this.variable(v, number), encoding.constant(v.type, 0))
    template.parameters.forEach((v, i) => {
      if (args[i] && (matters.has(v) || this.policy.locals === 'all')) values.set(this.variable(v, number), args[i])
    })
    values.set(this.variable(template.self, number), encoding.constant(template.self.type, number))
    for (const r of this.program.regions)
      if (r.scope === 'local') values.set(this.region(r, number), this.firstMemory(r, number))
    return values
  }

  private firstMemory(region: Region, owner: number | undefined): Term {
    const initialPolicy = { owner, instances: reservedInstances(owner), maxCells: this.policy.maxInitialCells }
    const { value, arbitrary } = initialMemory(this.encoding, region, initialPolicy)
    if (arbitrary) this.arbitrary.set(arbitrary, certain(arbitrary))
    return value
  }

  private liveAt(template: Procedure, location: Location): ReadonlySet<Variable> {
    let live = this.live.get(template)
    if (!live) this.live.set(template, (live = liveLocals(template)))
    return live.get(location) ?? new Set()
  }

  private deadAfter(edge: Edge, thread: number, template: Procedure): ReadonlySet<Term> {
    if (this.policy.locals === 'all') return NOTHING
    const ends = edge.target.kind === 'halt' || edge.target.kind === 'error'
    const live = ends ? new Set<Variable>() : this.liveAt(template, edge.target)
    return new Set([...template.locals, template.self].filter((v) => !live.has(v)).map((v) => this.variable(v, thread)))
  }

  /** How many instances of a heap object there are. */
  private counter(object: MemoryObject): Term {
    return allocatedVariable(object, this.encoding)
  }
}

const NOTHING: ReadonlySet<Term> = new Set()

const certain = (value: Term): Initial => ({ value, fact: logic.TRUE })
