// What a step does, as formulas over the state before it: written here once more, so that an error in an engine's
// version shows. Only the meaning of single labels (xcfa/terms) is shared.

import type { Term } from '../logic/index.js'
import * as logic from '../logic/index.js'
import { type Action, type Control, finished } from '../semantics/control.js'
import {
  byteSize,
  type MemoryObject,
  type Procedure,
  type Program,
  type Region,
  type Type,
  type Variable,
} from '../xcfa/index.js'
import {
  type Encoding,
  execute,
  type Hooks,
  loadTerm,
  type ObligationKind,
  regionTerm,
  symbolicState,
  threadRoom,
  variableTerm,
} from '../xcfa/terms/index.js'
import { addressConstant, atMost, firstMemory, instanceOffset, isAccessible } from './memory.js'

export interface StepFormula {
  /** What decides whether the step can be taken. */
  readonly guard: Term
  /** What holds of the values that it reads and chooses, as values of their types. */
  readonly facts: Term
  /** What changes, over the state before. */
  readonly next: ReadonlyMap<Term, Term>
  /** What the formulas take for granted: each claim must follow from what is known before the step. */
  readonly obligations: readonly Obligation[]
  /** Where its loads and stores go, in order. */
  readonly addresses: readonly Term[]
}

export interface Obligation {
  readonly kind: ObligationKind
  readonly claim: Term
  /** What is allocated, where it is about an allocation. */
  readonly object?: MemoryObject
}

const CHOSEN = 'chosen:'

export class Steps {
  private readonly types = new Map<Term, Type>()
  private readonly named = new Map<string, Term>()
  private readonly meanings = new Map<Term, Variable | Region>()
  private readonly owners = new Map<Term, number>()
  private readonly known = new Map<string, StepFormula>()

  constructor(
    readonly program: Program,
    readonly encoding: Encoding,
    threads: number,
    /** Whether an access outside its region stops the thread. If it goes on, more can happen, and nobody is held up. */
    private readonly accessesStop: boolean,
    /** Whether a start gives a local its first value; otherwise it may have had any before, which lets more happen. */
    private readonly isSet: (template: Procedure, local: Variable) => boolean = () => true,
    /** Regions of which any offset that fits into an address will do. */
    private readonly indexed: ReadonlySet<Region> = new Set(),
  ) {
    for (const v of program.globals) this.variable(v, 0)
    for (const { locals, self } of program.templates.values())
      for (const v of [...locals, self]) for (let n = 0; n < threads; n++) this.variable(v, n)
    for (const r of program.regions) for (let n = 0; n < (r.scope === 'local' ? threads : 1); n++) this.region(r, n)
    for (const object of program.objects)
      if (object.storage === 'heap')
        // Engines have names of their own for it.
        for (const prefix of ['heap', 'allocated'])
          this.named.set(nameInText(`${prefix}:${object.name}#${object.id}`), this.allocated(object))
  }

  /** The variable that a formula of a certificate names. */
  byName(name: string): Term | undefined {
    return this.named.get(name)
  }

  /** The thread to which a variable of a formula belongs; undefined: all of them share it. */
  ownerOf(term: Term): number | undefined {
    return this.owners.get(term)
  }

  /** The variables and memory that a thread has for itself. */
  ownedBy({ locals, self }: Procedure, thread: number): readonly Term[] {
    const regions = this.program.regions.filter(({ scope }) => scope === 'local')
    return [
      ...new Set([
        ...[...locals, self].map((v) => this.variable(v, thread)),
        ...regions.map((r) => this.region(r, thread)),
      ]),
    ]
  }

  /** Whether a variable of a step stands for a value that the step chooses. */
  isChosen({ name }: Term): boolean {
    return name.startsWith(CHOSEN)
  }

  /** The global or region that a variable of a formula stands for. */
  meaning(term: Term): Variable | Region | undefined {
    return this.meanings.get(term)
  }

  /** Values are values of their types. One by one: of formulas that exclude each other `and` would leave no variable. */
  factsAbout(...formulas: readonly Term[]): Term {
    return logic.and(
      formulas.flatMap(logic.freeVariables).map((v) => {
        const type = this.types.get(v)
        return type ? this.encoding.inRange(type, v) : logic.TRUE
      }),
    )
  }

  /** Values before the first step; what is missing may be anything. */
  first(): ReadonlyMap<Term, Term> {
    const { program, encoding } = this
    const values = new Map<Term, Term>()
    for (const v of program.globals)
      if (v.initial !== 'any') values.set(this.variable(v, 0), encoding.constant(v.type, v.initial))
    for (const r of program.regions)
      if (r.scope === 'global') values.set(this.region(r, 0), firstMemory(encoding, r, undefined))
    for (const object of program.objects)
      if (object.storage === 'heap') values.set(this.allocated(object), addressConstant(encoding, 0))
    for (const [term, value] of this.started(program.main, 0, [])) values.set(term, value)
    return values
  }

  /** With one variable for what different edges choose by the same name: ranges of types have a value in common. */
  choosingAlike(term: Term): Term {
    return logic.renameVariables(term, (v) =>
      v.name.startsWith(CHOSEN) ? logic.variable(v.name.replace(/\d+/, 'any'), v.sort) : v,
    )
  }

  of(control: Control, action: Action): StepFormula {
    const { labels } = action.edge
    const has = (kind: string): boolean => labels.some((label) => label.kind === kind)
    const context = `${has('start') ? control.threads.length : ''} ${has('join') ? finished(control).join() : ''}`
    const key = `${action.thread} ${action.edge.id} ${context}`
    let formula = this.known.get(key)
    if (!formula) this.known.set(key, (formula = this.compute(control, action)))
    return formula
  }

  private compute(control: Control, { thread, edge }: Action): StepFormula {
    const { encoding } = this
    const others = new Map<Term, Term>()
    const allocated = (object: MemoryObject): Term => others.get(this.allocated(object)) ?? this.allocated(object)
    const [guards, facts]: [Term[], Term[]] = [[], []]
    const obligations: Obligation[] = []
    const require = (kind: Obligation['kind'], claim: Term, object?: MemoryObject): void => {
      const needed = logic.implies(logic.and(guards, facts), claim)
      if (needed !== logic.TRUE) obligations.push({ kind, claim: needed, ...(object && { object }) })
    }
    const addresses: Term[] = []
    let [created, choices] = [0, 0]
    let access: { readonly address: Term; readonly defined: Term } | undefined
    const hooks: Hooks = {
      fresh: (name, sort) => logic.variable(`${CHOSEN}${edge.id}:${thread}:${choices++}:${name}`, sort),
      start: (label, args, state) => {
        const number = control.threads.length + created++
        const template = this.program.templates.get(label.procedure)!
        const { kind, holds } = threadRoom(this.program, number)
        require(kind, holds)
        for (const [term, value] of this.started(template, number, args)) others.set(term, value)
        return { guard: logic.TRUE, next: state.withValue(label.target, encoding.constant(label.target.type, number)) }
      },
      join: (label, number, state) => ({
        guard: logic.or(finished(control).map((n) => logic.eq(number, encoding.constant(label.thread.type, n)))),
        next: state,
      }),
      allocate: ({ object }) => {
        const before = allocated(object)
        others.set(this.allocated(object), plusOne(encoding, before))
        const last = addressConstant(encoding, (object.instances ?? 1) - 1)
        return { offset: instanceOffset(encoding, object, before), room: atMost(encoding, before, last) }
      },
      free: (_label, _address, state) => ({ guard: logic.TRUE, next: state }),
      access: ({ region, type }, address) => {
        const defined = this.accessesStop ? isAccessible(encoding, region, address, byteSize(type)) : logic.TRUE
        access = { address, defined }
        addresses.push(address)
        return defined
      },
      isIndexed: (region) => this.indexed.has(region),
    }
    let state = symbolicState(
      (v) => this.variable(v, thread),
      (r) => this.region(r, thread),
    )
    for (const label of edge.labels) {
      const step = execute(label, state, encoding, hooks)
      for (const each of step.obligations)
        require(each.kind, each.holds, each.kind === 'allocation-size' ? each.object : undefined)
      if (label.kind === 'load') {
        guards.push(access!.defined)
        facts.push(loadTerm(encoding, label, state.memory(label.region), access!.address).fact)
      } else if (label.kind === 'havoc' && label.range === undefined) facts.push(step.guard)
      else guards.push(step.guard)
      state = step.next
    }
    const next = new Map<Term, Term>(others)
    for (const [v, value] of state.changedVariables) next.set(this.variable(v, thread), value)
    for (const [r, value] of state.changedRegions) next.set(this.region(r, thread), value)
    return { guard: logic.and(guards), facts: logic.and(facts), next, obligations, addresses }
  }

  /** What belongs to a thread when it starts. */
  private started(template: Procedure, number: number, args: readonly Term[]): ReadonlyMap<Term, Term> {
    const { encoding } = this
    const values = new Map<Term, Term>()
    for (const v of template.locals)
      if (this.isSet(template, v)) values.set(this.variable(v, number), encoding.constant(v.type, 0))
    template.parameters.forEach((v, i) => {
      if (args[i]) values.set(this.variable(v, number), args[i])
    })
    values.set(this.variable(template.self, number), encoding.constant(template.self.type, number))
    for (const r of this.program.regions)
      if (r.scope === 'local') values.set(this.region(r, number), firstMemory(encoding, r, number))
    return values
  }

  private variable(v: Variable, thread: number): Term {
    const term = variableTerm(v, thread, this.encoding)
    if (!this.types.has(term)) {
      this.types.set(term, v.type)
      this.named.set(nameInText(term.name), term)
      this.meanings.set(term, v)
      if (v.scope === 'local') this.owners.set(term, thread)
    }
    return term
  }

  private region(r: Region, thread: number): Term {
    const term = regionTerm(r, thread, this.encoding)
    this.named.set(nameInText(term.name), term)
    this.meanings.set(term, r)
    if (r.scope === 'local') this.owners.set(term, thread)
    return term
  }

  /** How many instances of a heap object there are. */
  private allocated(object: MemoryObject): Term {
    return logic.variable(`instances:${object.name}#${object.id}`, this.encoding.addressSort)
  }
}

const plusOne = (encoding: Encoding, term: Term): Term =>
  encoding.arithmetic === 'int' ? logic.add(term, logic.intConst(1)) : logic.bvAdd(term, addressConstant(encoding, 1))

/** As a name comes back from SMT-LIB text, where two characters cannot be quoted. */
const nameInText = (name: string): string => name.replaceAll('|', '!').replaceAll('\\', '/')
