// Steps as formulas: for an action at a location vector its guard R and, for every program variable that it changes,
// the value after it as a term over the values before it. Steps are functions of the state and of their inputs
// (havocked values), which is what makes weakest preconditions plain substitutions.

import type { Sort, Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { type Action, type Control, finished } from '../../semantics/control.js'
import { type Initial, initialMemory, initialVariable, reservedInstances } from '../../symbolic/initial.js'
import {
  byteSize,
  type Label,
  type Load,
  type MemoryObject,
  POINTER,
  type Procedure,
  type Program,
  type Region,
  type Store,
  type Type,
  type Variable,
} from '../../xcfa/index.js'
import {
  addressInRegion,
  type Encoding,
  executeAll,
  type Hooks,
  type Obligation,
  obligationsUnder,
  regionTerm,
  symbolicState,
  threadRoom,
  variableTerm,
} from '../../xcfa/terms/index.js'

export interface MemoryUse {
  readonly region: Region
  readonly address: Term
  readonly size: number
  readonly write: boolean
}

export interface Transition {
  /** Conjuncts of the guard, over program variables and inputs. */
  readonly guards: readonly Term[]
  /** Program variables that change: their values after the step. */
  readonly updates: ReadonlyMap<Term, Term>
  /** One for each havoc label, in order. */
  readonly inputs: readonly Input[]
  /** What it takes for granted. */
  readonly obligations: readonly Obligation[]
  /** Accesses to regions that other threads may see, with addresses over the state before the step. */
  readonly uses: readonly MemoryUse[]
  /** Addresses of all loads and stores, in order, over the state before the step. */
  readonly addresses: readonly Term[]
}

export interface Input {
  readonly term: Term
  readonly variable: Variable
}

type StartLabel = Extract<Label, { kind: 'start' }>

/** Up to so many instances an address is compared with each; beyond, only with the whole range. */
const FEW_INSTANCES = 8
/** More cells than this are left arbitrary at first. */
const MAX_INITIAL_CELLS = 4096

/** The steps of a program in an arithmetic, computed once for each action and what it needs to know of the vector. */
export class Transitions {
  /** An access was seen whose address is not known to be valid. */
  checksAddresses = false
  private readonly cache = new Map<string, Transition>()
  private readonly initials = new Map<Term, Initial>()
  private readonly types = new Map<Term, Type>()
  private readonly edgeNumbers = new Map<object, number>()

  constructor(
    readonly program: Program,
    readonly encoding: Encoding,
  ) {
    for (const v of program.globals) this.initials.set(this.variable(v, 0), initialVariable(v, encoding))
    for (const r of program.regions)
      if (r.scope === 'global')
        this.initials.set(this.region(r, 0), { value: this.firstMemory(r, undefined), fact: logic.TRUE })
    for (const object of program.objects)
      if (object.storage === 'heap') this.initials.set(this.counter(object), { value: this.count(0), fact: logic.TRUE })
    for (const [term, value] of this.threadStart(program.main, 0, []))
      this.initials.set(term, { value, fact: logic.TRUE })
  }

  /** The value of a program variable at the very beginning. */
  initial(term: Term): Initial {
    const known = this.initials.get(term)
    if (!known) throw new Error(`no initial value of ${term.name}`)
    return known
  }

  /** What is known of values that may be anything at first. */
  initialFacts(): readonly Term[] {
    return [...this.initials.values()].map(({ fact }) => fact).filter((fact) => fact !== logic.TRUE)
  }

  of(control: Control, action: Action): Transition {
    const key = this.keyOf(control, action)
    let transition = this.cache.get(key)
    if (!transition) this.cache.set(key, (transition = this.compute(control, action)))
    return transition
  }

  variable(v: Variable, thread: number): Term {
    const term = variableTerm(v, thread, this.encoding)
    this.types.set(term, v.type)
    return term
  }

  /** That the program variables of a formula have values of their types. */
  rangesOf(formula: Term): Term {
    return logic.and(
      logic.freeVariables(formula).map((v) => {
        const type = this.types.get(v)
        return type ? this.encoding.inRange(type, v) : logic.TRUE
      }),
    )
  }

  region(r: Region, thread: number): Term {
    return regionTerm(r, thread, this.encoding)
  }

  private keyOf(control: Control, { thread, edge }: Action): string {
    let number = this.edgeNumbers.get(edge)
    if (number === undefined) this.edgeNumbers.set(edge, (number = this.edgeNumbers.size))
    let key = `${thread} ${number}`
    for (const label of edge.labels) {
      if (label.kind === 'start') key += ` s${control.threads.length}`
      if (label.kind === 'join') key += ` j${finished(control).join(',')}`
      if (label.kind === 'load' || label.kind === 'store') key += ` m${control.threads.length}`
    }
    return key
  }

  private compute(control: Control, { thread, edge }: Action): Transition {
    const inputs: Input[] = []
    const uses: MemoryUse[] = []
    const addresses: Term[] = []
    const others = new Map<Term, Term>()
    let threads = control.threads.length
    const starts = edge.labels.filter((label) => label.kind === 'start').length
    const havocked = edge.labels.flatMap((label) => (label.kind === 'havoc' ? [label.target] : []))
    const hooks: Hooks = {
      fresh: (name: string, sort: Sort) => {
        const term = logic.variable(`input:${inputs.length}:${name}`, sort)
        inputs.push({ term, variable: havocked[inputs.length]! })
        return term
      },
      start: (label: StartLabel, args, state) => {
        const number = threads++
        const template = this.program.templates.get(label.procedure)!
        for (const [term, value] of this.threadStart(template, number, args)) others.set(term, value)
        const value = this.encoding.constant(label.target.type, number)
        return { guard: logic.TRUE, next: state.withValue(label.target, value) }
      },
      join: (label, number, state) => ({
        guard: logic.or(finished(control).map((n) => logic.eq(number, this.encoding.constant(label.thread.type, n)))),
        next: state,
      }),
      allocate: ({ object }) => {
        const counter = this.counter(object)
        const before = others.get(counter) ?? counter
        others.set(counter, this.plus(before, this.count(1)))
        const last = this.count((object.instances ?? 1) - 1)
        return { offset: this.times(before, object.stride), room: this.atMost(before, last) }
      },
      // Freed memory stays readable: more executions than there are, and a counterexample is replayed.
      free: (_label, _address, state) => ({ guard: logic.TRUE, next: state }),
      access: (label, address) => {
        const { region } = label
        addresses.push(address)
        if (region.scope === 'global')
          uses.push({ region, address, size: byteSize(label.type), write: label.kind === 'store' })
        const valid = this.mayAccess(label, address, control.threads.length + starts, others)
        if (valid !== logic.TRUE) this.checksAddresses = true
        return valid
      },
    }
    const state = symbolicState(
      (v) => this.variable(v, thread),
      (r) => this.region(r, thread),
    )
    const { guard, next, obligations } = executeAll(edge.labels, state, this.encoding, hooks)
    const rooms = Array.from({ length: starts }, (_, i) => threadRoom(this.program, control.threads.length + i))
    const updates = new Map<Term, Term>()
    const change = (term: Term, value: Term): void => {
      if (value !== term) updates.set(term, value)
    }
    for (const [v, value] of next.changedVariables) change(this.variable(v, thread), value)
    for (const [r, value] of next.changedRegions) change(this.region(r, thread), value)
    for (const [term, value] of others) change(term, value)
    return {
      guards: logic.conjuncts(guard),
      updates,
      inputs,
      obligations: [...obligations, ...obligationsUnder(guard, rooms)],
      uses,
      addresses,
    }
  }

  /** The values of all that belongs to a thread when it starts. */
  private threadStart(template: Procedure, number: number, args: readonly Term[]): ReadonlyMap<Term, Term> {
    const { encoding } = this
    const values = new Map<Term, Term>()
    for (const v of template.locals) values.set(this.variable(v, number), encoding.constant(v.type, 0))
    template.parameters.forEach((v, i) => {
      if (args[i]) values.set(this.variable(v, number), args[i])
    })
    values.set(this.variable(template.self, number), encoding.constant(template.self.type, number))
    for (const r of this.program.regions)
      if (r.scope === 'local') values.set(this.region(r, number), this.firstMemory(r, number))
    return values
  }

  private firstMemory(region: Region, owner: number | undefined): Term {
    const policy = { owner, instances: reservedInstances(owner), maxCells: MAX_INITIAL_CELLS }
    const { value, arbitrary } = initialMemory(this.encoding, region, policy)
    // What memory holds at first where it may be anything: it is that for ever.
    if (arbitrary) this.initials.set(arbitrary, { value: arbitrary, fact: logic.TRUE })
    return value
  }

  // ---- addresses and the heap

  /** How many instances of a heap object there are. */
  private counter(object: MemoryObject): Term {
    return logic.variable(`allocated:${object.name}#${object.id}`, this.encoding.addressSort)
  }

  private count(value: number): Term {
    return this.encoding.constant(POINTER[this.pointerWidth()], value)
  }

  private pointerWidth(): 32 | 64 {
    const { addressSort } = this.encoding
    return addressSort.kind === 'bv' && addressSort.width === 32 ? 32 : 64
  }

  private plus(a: Term, b: Term): Term {
    return this.encoding.arithmetic === 'int' ? logic.add(a, b) : logic.bvAdd(a, b)
  }

  private times(a: Term, factor: number): Term {
    return this.encoding.arithmetic === 'int'
      ? logic.mul(logic.intConst(factor), a)
      : logic.bvMul(a, this.count(factor))
  }

  private atMost(a: Term, b: Term): Term {
    return this.encoding.arithmetic === 'int' ? logic.le(a, b) : logic.bvUle(a, b)
  }

  /** The access hits a live instance; of objects with many, only that it lies in their range. */
  private mayAccess(
    { region, type }: Load | Store,
    address: Term,
    threads: number,
    others: ReadonlyMap<Term, Term>,
  ): Term {
    const size = byteSize(type)
    const instances = (object: MemoryObject): number => (object.storage === 'thread' ? threads : 1)
    const many = (object: MemoryObject): boolean =>
      object.storage === 'heap' || (object.storage === 'thread' && threads > FEW_INSTANCES)
    const few = { ...region, slots: region.slots.filter(({ object }) => !many(object)) }
    const exact = few.slots.length === 0 ? logic.FALSE : addressInRegion(this.encoding, few, address, size, instances)
    const ranges = [...new Set(region.slots.map((slot) => slot.object))].filter(many).map((object) => {
      const counter = this.counter(object)
      const live = object.storage === 'heap' ? (others.get(counter) ?? counter) : this.count(threads)
      const end = this.plus(this.count(object.base), this.times(live, object.stride))
      return logic.and(this.atMost(this.count(object.base), address), logic.not(this.atMost(end, address)))
    })
    return logic.or(exact, ranges)
  }
}
