// What an edge of the forest does to data: the operations that label it (esst.txt, rule E1), and their meaning as a
// guard and a substitution, so that SP_op(f) implies p exactly if f and the guard imply p with the substitution made.
import type { Term } from '../../logic/index.js'
import * as logic from '../../logic/index.js'
import { initialMemory, type PathPolicy, type PathStep, stepOf } from '../../symbolic/index.js'
import type { Edge, Expr, Label, MemoryObject, Procedure, Program, Region, Value, Variable } from '../../xcfa/index.js'
import { constant, Unsupported, varExpr } from '../../xcfa/index.js'
import {
  addressInRegion,
  type Encoding,
  freshNames,
  type Hooks,
  type Obligation,
  obligationsUnder,
  regionTerm,
  variableTerm,
} from '../../xcfa/terms/index.js'
import { byteSize } from '../../xcfa/types.js'

/** Steps of one or two threads (a start initialises the new one) that count as one operation. */
export type Operation = readonly PathStep[]

export interface Transition {
  readonly guard: Term
  /** Variables that change, with what they become, over the values before. */
  readonly substitution: ReadonlyMap<Term, Term>
  /** What it takes for granted, with the guard before it. */
  readonly obligations: readonly Obligation[]
}

type Fresh = Hooks['fresh']

/** Values of variables that are known, by their term. */
export type Known = (v: Variable, thread: number) => Value | undefined

export class Operations {
  /** The type of every variable that a term was made for. */
  readonly types = new Map<Term, Variable['type']>()
  private readonly transfers: Variable[] = []

  constructor(
    readonly program: Program,
    readonly encoding: Encoding,
  ) {}

  /** First values: of globals and memory, and of main's registers. */
  initial(): { readonly operation: Operation; readonly memory: Term } {
    const globals = this.program.globals.flatMap((v): Label[] =>
      v.initial === 'any' ? [] : [{ kind: 'assign', target: v, value: constant(v.type, v.initial) }],
    )
    const operation = [{ thread: 0, labels: [...globals, ...firstLabels(this.program.main, 0)] }]
    return { operation, memory: logic.and(this.program.regions.map((region) => this.initialMemory(region))) }
  }

  /** A primitive whose value is known is an assignment of that value; with what its arguments must be for that. */
  primitive(
    thread: number,
    { target }: Label & { readonly kind: 'primitive' },
    value: number,
    conditions: readonly Label[],
  ): Operation {
    const assigned: readonly Label[] = target ? [{ kind: 'assign', target, value: constant(target.type, value) }] : []
    return [{ thread, labels: [...conditions, ...assigned] }]
  }

  /** The value of an expression of a thread. */
  valueOf(e: Expr, thread: number, known: Known): Term {
    return this.encoding.term(e, (v) => {
      const value = known(v, thread)
      return value === undefined ? this.variable(v, thread) : this.encoding.constant(v.type, value)
    })
  }

  /** The arguments pass through variables of their own: each step speaks of one thread. */
  start(thread: number, label: Label & { readonly kind: 'start' }, started: number): Operation {
    if (started >= MAX_THREADS) unsupported(`more than ${MAX_THREADS} threads in the engine esst`)
    const template = this.program.templates.get(label.procedure)!
    const pairs = template.parameters.flatMap((parameter, i) => {
      const arg = label.args[i]
      return arg ? [{ parameter, arg, transfer: this.transfer(i, parameter) }] : []
    })
    const given = pairs.map(({ arg, transfer }): Label => ({ kind: 'assign', target: transfer, value: arg }))
    const taken = pairs.map(
      ({ parameter, arg, transfer }): Label => ({
        kind: 'assign',
        target: parameter,
        value: arg.kind === 'const' ? arg : varExpr(transfer),
      }),
    )
    const number: Label = { kind: 'assign', target: label.target, value: constant(label.target.type, started) }
    return [
      { thread, labels: [...given.filter((_, i) => pairs[i]!.arg.kind !== 'const'), number] },
      { thread: started, labels: [...firstLabels(template, started), ...taken] },
    ]
  }

  private transfer(index: number, { type }: Variable): Variable {
    const known = this.transfers.find((v) => v.name === `argument ${index}` && v.type === type)
    if (known) return known
    const id = -1 - this.transfers.length
    const fresh: Variable = { id, name: `argument ${index}`, type, scope: 'global', initial: 0 }
    this.transfers.push(fresh)
    return fresh
  }

  variable(v: Variable, thread: number): Term {
    const term = variableTerm(v, thread, this.encoding)
    this.types.set(term, v.type)
    return term
  }

  /** How steps are taken: what the scheduler does is no part of them. */
  policy(fresh: Fresh): PathPolicy {
    const { encoding } = this
    return {
      encoding,
      input: (_, name, sort) => fresh(name, sort),
      valid: ({ region, type }, address) =>
        addressInRegion(encoding, region, address, byteSize(type), () => MAX_THREADS),
      allocate: (object) => unsupported('dynamic memory in the engine esst', object),
      start: () => unsupported('starts beside those of the scheduler'),
      join: () => unsupported('joins beside those of the scheduler'),
    }
  }

  /** `prefix` tells values from outside apart from those of another step. */
  transition(operation: Operation, known: Known, prefix = ''): Transition {
    const fresh = freshNames(prefix)
    let substitution: ReadonlyMap<Term, Term> = new Map()
    const guards: Term[] = []
    const obligations: Obligation[] = []
    for (const { thread, labels } of operation) {
      const before = substitution
      const step = stepOf(labels, {
        ...this.policy(fresh),
        value: (v) => {
          const value = known(v, thread)
          const term = this.variable(v, thread)
          return value === undefined || before.has(term)
            ? (before.get(term) ?? term)
            : this.encoding.constant(v.type, value)
        },
        memory: (r) => before.get(regionTerm(r, thread, this.encoding)) ?? regionTerm(r, thread, this.encoding),
      })
      const after = new Map(before)
      for (const [v, value] of step.variables) after.set(this.variable(v, thread), value)
      for (const [r, value] of step.memories) after.set(regionTerm(r, thread, this.encoding), value)
      obligations.push(...obligationsUnder(logic.and(guards), step.obligations))
      guards.push(step.guard)
      substitution = after
    }
    return { guard: logic.and(guards), substitution, obligations }
  }

  /** In its type: for integers, where the sort does not say so. */
  range(term: Term): Term {
    const type = this.types.get(term)
    return type ? this.encoding.inRange(type, term) : logic.TRUE
  }

  /** Memory that nobody wrote: declared values, zeros; anything where an object begins with anything. */
  private initialMemory(region: Region): Term {
    const instances = ({ storage }: MemoryObject): readonly number[] =>
      storage === 'static' ? [0] : Array.from({ length: MAX_THREADS }, (_, k) => k)
    const policy = { owner: undefined, instances, maxCells: MAX_INITIAL_CELLS }
    const { value, arbitrary } = initialMemory(this.encoding, region, policy)
    return arbitrary ? logic.TRUE : logic.eq(regionTerm(region, 0, this.encoding), value)
  }
}

/** Objects of threads have so many instances at most. */
const MAX_THREADS = 64
/** More cells than this are left arbitrary at first. */
const MAX_INITIAL_CELLS = 4096

const unsupported = (what: string, { position }: Partial<MemoryObject> = {}): never => {
  throw new Unsupported(what, position ?? { file: '', line: 1, column: 1 })
}

/** Registers begin as 0. */
const firstLabels = (template: Procedure, thread: number): readonly Label[] => [
  ...template.locals.map((v): Label => ({ kind: 'assign', target: v, value: constant(v.type, 0) })),
  { kind: 'assign', target: template.self, value: constant(template.self.type, thread) },
]

export const schedulingLabel = (edge: Edge): Extract<Label, { kind: 'primitive' | 'start' }> | undefined =>
  edge.labels.find((label) => label.kind === 'primitive' || label.kind === 'start')
