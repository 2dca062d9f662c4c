// An action as a formula, once for each edge and thread: what must hold to take it, and what everything is afterwards
// as terms over what it was before. Posts, weakest preconditions and path formulas are all made from it. Threads that
// start get their parameters here; joins know which threads have ended.
import type { Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import { initialMemory, reservedInstances } from '../symbolic/initial.js'
import type { Edge, Label, Location, MemoryObject, Procedure, Program, Region, Type, Variable } from '../xcfa/index.js'
import { liveLocals } from '../xcfa/passes/live.js'
import {
  type Encoding,
  executeAll,
  type Hooks,
  type Obligation,
  obligationsUnder,
  regionTerm,
  symbolicState,
  threadRoom,
  variableTerm,
} from '../xcfa/terms/index.js'

/** More cells than this are left arbitrary at first, which only adds behaviour. */
const MAX_INITIAL_CELLS = 256

export interface Transition {
  readonly id: number
  readonly guard: Term
  /** What changes: a variable or region, and its value afterwards over the variables before. */
  readonly next: ReadonlyMap<Term, Term>
  /** Variables of the acting thread that nobody reads any more: no state says anything about them. */
  readonly dead: ReadonlySet<Term>
  /** What the step chooses, in the order of its havoc labels, with the type of each. */
  readonly choices: readonly { readonly term: Term; readonly type: Type }[]
  /** What it takes for granted. */
  readonly obligations: readonly Obligation[]
  /** Addresses of its loads and stores, in order, over the variables before. */
  readonly addresses: readonly Term[]
}

/** What an action depends on besides its edge: who acts, how many threads there are, which have ended. */
export interface ActionContext {
  readonly thread: number
  readonly template: Procedure
  readonly threads: number
  readonly finished: readonly number[]
}

interface StartedThread {
  readonly number: number
  readonly values: ReadonlyMap<Term, Term>
}

export class Transitions {
  private readonly known = new Map<Edge, Map<string, Transition>>()
  private readonly live = new Map<Procedure, ReadonlyMap<Location, ReadonlySet<Variable>>>()
  private readonly types = new Map<Term, Type>()
  private readonly variables = new Map<Term, Variable>()
  private readonly regions = new Map<Term, Region>()
  private created = 0

  constructor(
    readonly program: Program,
    readonly encoding: Encoding,
  ) {}

  /** The program's first state as a transition from nowhere. */
  initial(): Transition {
    const next = new Map<Term, Term>()
    for (const v of this.program.globals)
      if (v.initial !== 'any') next.set(this.variable(v, 0), this.encoding.constant(v.type, v.initial))
    for (const region of this.program.regions) {
      if (region.scope === 'local') continue
      const first = this.firstMemory(region, undefined)
      if (first) next.set(this.region(region, 0), first)
    }
    for (const object of this.program.objects)
      if (object.storage === 'heap') next.set(this.heapCount(object), this.addressConstant(0))
    for (const [term, value] of this.firstLocals(this.program.main, 0, [])) next.set(term, value)
    return {
      id: this.created++,
      guard: logic.TRUE,
      next,
      dead: new Set(),
      choices: [],
      obligations: [],
      addresses: [],
    }
  }

  of(edge: Edge, context: ActionContext): Transition {
    const key = contextKey(edge, context)
    let byKey = this.known.get(edge)
    if (!byKey) this.known.set(edge, (byKey = new Map()))
    let transition = byKey.get(key)
    if (!transition) byKey.set(key, (transition = this.create(edge, context)))
    return transition
  }

  /** The value of a variable lies in its type: a fact as long as no signed operation has left its type. */
  fact(variable: Term): Term {
    const type = this.types.get(variable)
    return type ? this.encoding.inRange(type, variable) : logic.TRUE
  }

  /** What a term of a state stands for; undefined for choices and counters. */
  meaning(term: Term): Variable | Region | undefined {
    return this.variables.get(term) ?? this.regions.get(term)
  }

  variable(v: Variable, thread: number): Term {
    const term = variableTerm(v, thread, this.encoding)
    if (!this.types.has(term)) {
      this.types.set(term, v.type)
      this.variables.set(term, v)
    }
    return term
  }

  region(r: Region, thread: number): Term {
    const term = regionTerm(r, thread, this.encoding)
    this.regions.set(term, r)
    return term
  }

  private create(edge: Edge, context: ActionContext): Transition {
    const { thread } = context
    const choices: Term[] = []
    const started: StartedThread[] = []
    const counts = new Map<Term, Term>()
    const addresses: Term[] = []
    const hooks = this.hooks(context, choices, started, counts, addresses)
    const state = symbolicState(
      (v) => this.variable(v, thread),
      (r) => this.region(r, thread),
    )
    const { guard, next, obligations: met } = executeAll(edge.labels, state, this.encoding, hooks)
    const rooms = started.map(({ number }) => threadRoom(this.program, number))
    const obligations = [...met, ...obligationsUnder(guard, rooms)]
    const changes = new Map<Term, Term>()
    const dead = this.deadAfter(edge, context)
    for (const [v, value] of next.changedVariables) {
      const term = this.variable(v, thread)
      if (value !== term && !dead.has(term)) changes.set(term, value)
    }
    for (const [r, value] of next.changedRegions) changes.set(this.region(r, thread), value)
    for (const { values } of started) for (const [term, value] of values) changes.set(term, value)
    for (const [term, value] of counts) changes.set(term, value)
    const havocs = edge.labels.filter((label) => label.kind === 'havoc')
    const typed = havocs.map(({ target }, i) => ({ term: choices[i]!, type: target.type }))
    return { id: this.created++, guard, next: changes, dead, choices: typed, obligations, addresses }
  }

  private hooks(
    context: ActionContext,
    choices: Term[],
    started: StartedThread[],
    counts: Map<Term, Term>,
    addresses: Term[],
  ): Hooks {
    return {
      access: (_label, address) => {
        addresses.push(address)
        return logic.TRUE
      },
      fresh: (name, sort) => {
        const term = logic.variable(`choice:${name}!${choices.length}`, sort)
        choices.push(term)
        return term
      },
      start: (label, args, state) => {
        const number = context.threads + started.length
        const template = this.program.templates.get(label.procedure)!
        started.push({ number, values: this.firstLocals(template, number, args) })
        return {
          guard: logic.TRUE,
          next: state.withValue(label.target, this.encoding.constant(label.target.type, number)),
        }
      },
      join: (label, number, state) => ({
        guard: logic.or(context.finished.map((f) => logic.eq(number, this.encoding.constant(label.thread.type, f)))),
        next: state,
      }),
      allocate: ({ object }) => {
        const count = this.heapCount(object)
        const before = counts.get(count) ?? count
        counts.set(count, this.plus(before, 1))
        return { offset: this.times(before, object.stride), room: this.below(before, object.instances ?? 1) }
      },
      // Lives end without a trace: what was freed may still be used here, which only adds behaviour.
      free: (_label, _address, state) => ({ guard: logic.TRUE, next: state }),
    }
  }

  /** Locals of a thread as it starts, as far as they are read: parameters as passed, everything else zero. */
  private firstLocals(template: Procedure, number: number, args: readonly Term[]): ReadonlyMap<Term, Term> {
    const values = new Map<Term, Term>()
    const live = this.liveAt(template, template.initial)
    for (const local of live)
      if (local !== template.self) values.set(this.variable(local, number), this.encoding.constant(local.type, 0))
    template.parameters.forEach((parameter, i) => {
      const value = args[i]
      if (value && live.has(parameter)) values.set(this.variable(parameter, number), value)
    })
    values.set(this.variable(template.self, number), this.encoding.constant(template.self.type, number))
    for (const region of this.program.regions) {
      if (region.scope !== 'local') continue
      const first = this.firstMemory(region, number)
      if (first) values.set(this.region(region, number), first)
    }
    return values
  }

  /** Undefined: anything. */
  private firstMemory(region: Region, owner: number | undefined): Term | undefined {
    const policy = { owner, instances: reservedInstances(owner), maxCells: MAX_INITIAL_CELLS }
    const { value, arbitrary } = initialMemory(this.encoding, region, policy)
    return value === arbitrary ? undefined : value
  }

  private liveAt(template: Procedure, location: Location): ReadonlySet<Variable> {
    let live = this.live.get(template)
    if (!live) this.live.set(template, (live = liveLocals(template)))
    return live.get(location) ?? new Set()
  }

  private deadAfter(edge: Edge, { thread, template }: ActionContext): ReadonlySet<Term> {
    const ends = edge.target.kind === 'halt' || edge.target.kind === 'error'
    const live = ends ? new Set<Variable>() : this.liveAt(template, edge.target)
    return new Set([...template.locals, template.self].filter((v) => !live.has(v)).map((v) => this.variable(v, thread)))
  }

  private heapCount(object: MemoryObject): Term {
    return logic.variable(`heap:${object.name}#${object.id}`, this.encoding.addressSort)
  }

  private pointerWidth(): 32 | 64 {
    return this.program.dataModel === 'ilp32' ? 32 : 64
  }

  private addressConstant(value: number): Term {
    return this.encoding.constant({ kind: 'pointer', width: this.pointerWidth() }, value)
  }

  private plus(a: Term, b: number): Term {
    return this.encoding.arithmetic === 'int'
      ? logic.add(a, logic.intConst(b))
      : logic.bvAdd(a, this.addressConstant(b))
  }

  private below(a: Term, b: number): Term {
    return this.encoding.arithmetic === 'int' ? logic.lt(a, logic.intConst(b)) : logic.bvUlt(a, this.addressConstant(b))
  }

  private times(a: Term, factor: number): Term {
    return this.encoding.arithmetic === 'int'
      ? logic.mul(a, logic.intConst(factor))
      : logic.bvMul(a, this.addressConstant(factor))
  }
}

const contextKey = (edge: Edge, { thread, threads, finished }: ActionContext): string => {
  const has = (kind: Label['kind']) => edge.labels.some((label) => label.kind === kind)
  return `${thread}${has('start') ? `/${threads}` : ''}${has('join') ? `:${finished.join(',')}` : ''}`
}
