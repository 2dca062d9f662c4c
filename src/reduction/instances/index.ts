// Which memory the instances of one thread have for themselves, of which there are any number: `&a[i]` or `i` as their
// argument, an object that was allocated for each, a slot by a ticket. Two instances, or main and an instance, cannot meet
// if their addresses are the same but for a value that no two of them have (docs/any-number.md). Pointers stay within
// their objects, so that who relies on this assumes valid dereferences.
import {
  asSum,
  type Edge,
  type Expr,
  type Label,
  type Linear,
  type Location,
  linearOf,
  type MemoryAccess,
  type Procedure,
  type Sum,
  symbolOf,
  type Variable,
} from '../../xcfa/index.js'
import { outgoing, written } from '../../xcfa/passes/index.js'
import { liveAt } from '../../xcfa/passes/inline/liveness.js'
import { read } from '../../xcfa/passes/labels.js'
import { freshAt } from '../fresh.js'
import type { Lock, MoverThread } from '../movers.js'
import { edgesAfter, onlyStart, type Start, type Stepping, steppingOf } from './starts.js'
import { isTicket } from './tickets.js'

export interface Instances {
  /** An access on an edge of one instance, and one of another instance, or of main (by their threads), never meet. */
  areApart(a: MemoryAccess, edge: Edge, thread: MoverThread, b: MemoryAccess, other: Edge, owner: MoverThread): boolean
}

export const instancesOf = (
  threads: readonly MoverThread[],
  held: (location: Location) => ReadonlySet<Lock>,
): Instances => {
  const main = threads[0]!
  const known = new Map<MoverThread, Template | undefined>()
  const templateOf = (thread: MoverThread): Template | undefined => {
    if (!known.has(thread)) known.set(thread, Template.of(threads, thread, held))
    return known.get(thread)
  }
  return {
    areApart: (a, edge, thread, b, other, owner) => {
      if (thread !== owner && thread !== main && owner !== main) return false
      const many = thread === main ? owner : thread
      const template = many.number === undefined ? templateOf(many) : undefined
      if (!template) return false
      const [x, y] = [[a, edge, thread] as const, [b, other, owner] as const]
      const formOf = ([access, at, by]: typeof x): Form | undefined =>
        by === main ? template.formInMain(access, at) : template.formOf(access, at)
      const [first, second] = [formOf(x), formOf(y)]
      return first !== undefined && second !== undefined && template.differ(first, a.size, second, b.size)
    },
  }
}

/** Where an access goes: into the instance's own object, or to an address. */
type Form = { readonly kind: 'own object' } | Sum

/** Longer chains of definitions are not followed. */
const MAX_DEPTH = 12

class Template {
  private readonly wide: number
  private readonly afterStart: ReadonlySet<Edge>
  private readonly steppings = new Map<Variable, Stepping | undefined>()
  private readonly definitions: ReadonlyMap<Variable, readonly Definition[]>
  private readonly inMain: ReadonlyMap<Variable, readonly Definition[]>
  /** By symbol: two values of it that instances have differ, by a multiple of a number. */
  private readonly distances = new Map<string, number>()

  private constructor(
    private readonly threads: readonly MoverThread[],
    private readonly template: Procedure,
    private readonly start: Start,
    private readonly held: (location: Location) => ReadonlySet<Lock>,
  ) {
    this.afterStart = edgesAfter(this.main, start.edge)
    this.definitions = definitionsIn(template)
    this.inMain = definitionsIn(this.main)
    const pointer = [...template.parameters, ...this.main.locals].find(({ type }) => type.kind === 'pointer')
    this.wide = pointer?.type.kind === 'pointer' ? pointer.type.width : 64
  }

  static of(
    threads: readonly MoverThread[],
    { template }: MoverThread,
    held: (location: Location) => ReadonlySet<Lock>,
  ): Template | undefined {
    const templates = threads.map((each) => each.template)
    const start = onlyStart(templates, templates[0]!, template.name)
    return start && new Template(threads, template, start, held)
  }

  private get main(): Procedure {
    return this.threads[0]!.template
  }

  differ(a: Form, size: number, b: Form, otherSize: number): boolean {
    if (a.kind === 'own object' || b.kind === 'own object') return a.kind === b.kind
    const sameParts =
      a.parts.size === b.parts.size &&
      [...a.parts].every(([key, { coefficient }]) => b.parts.get(key)?.coefficient === coefficient)
    const unique = [...a.parts.values()].filter(({ symbol }) => this.distances.has(symbol))
    const [only] = unique
    if (!sameParts || unique.length !== 1 || !only) return false
    const stride = Math.abs(only.coefficient) * this.distances.get(only.symbol)!
    // In 32 bits, four million instances with larger strides come back to where they began.
    if (this.wide === 32 && stride > 1024) return false
    const offset = a.constant - b.constant
    return stride + offset >= otherSize && stride - offset >= size
  }

  // ---- in an instance

  formOf({ address }: MemoryAccess, edge: Edge): Form | undefined {
    if (this.isOwnObject(address, 0)) return { kind: 'own object' }
    // Of a local that is written more than once nothing is known, so that it does not matter where in the edge this is.
    return edge.source.atomic ? undefined : asSum(linearOf(address, (v) => this.valueOf(v, 0), this.wide))
  }

  private valueOf(variable: Variable, depth: number): Linear | undefined {
    if (depth > MAX_DEPTH) return undefined
    if (variable.scope === 'global') return this.isFixed(variable) ? this.symbol(variable) : undefined
    const defined = this.definitions.get(variable) ?? []
    const place = this.template.parameters.indexOf(variable)
    if (place >= 0) return defined.length > 0 ? undefined : this.argument(place, variable)
    const [only, ...others] = defined
    if (!only || others.length > 0) return undefined
    const { label } = only
    if (label.kind === 'load') return this.fixedCell(label)
    if (label.kind !== 'assign') return undefined
    const { value } = label
    if (value.kind === 'var' && value.variable.scope === 'global' && !this.isFixed(value.variable))
      return this.ticket(variable, value.variable, only.edge)
    return linearOf(value, (v) => this.valueOf(v, depth + 1), this.wide)
  }

  private argument(place: number, parameter: Variable): Linear | undefined {
    const { edge, label } = this.start
    const argument = label.args[place]
    if (!argument) return undefined
    const value = linearOf(argument, (v) => this.valueInMain(v, edge, 0), this.wide)
    const sameWidth =
      'width' in argument.type && 'width' in parameter.type && argument.type.width === parameter.type.width
    return sameWidth ? value : undefined
  }

  /** An object that main allocated for this instance, and told nobody else about. */
  private isOwnObject(e: Expr, depth: number): boolean {
    if (depth > MAX_DEPTH) return false
    if (e.kind === 'cast') return e.type.kind === 'pointer' && this.isOwnObject(e.arg, depth + 1)
    if (e.kind === 'binary')
      return e.type.kind === 'pointer' && (e.op === 'add' || e.op === 'sub') && this.isOwnObject(e.left, depth + 1)
    if (e.kind !== 'var') return false
    const place = this.template.parameters.indexOf(e.variable)
    const [only, ...others] = this.definitions.get(e.variable) ?? []
    if (place >= 0) {
      const argument = this.start.label.args[place]
      const fresh = freshAt(this.main).get(this.start.edge.source)
      const isFirst = this.start.edge.labels[0] === this.start.label
      const isGivenOnce = this.start.label.args.filter((other) => other.kind !== 'const').length === 1
      return !only && isFirst && isGivenOnce && argument?.kind === 'var' && (fresh?.has(argument.variable) ?? false)
    }
    return only?.label.kind === 'assign' && others.length === 0 && this.isOwnObject(only.label.value, depth + 1)
  }

  private ticket(variable: Variable, cell: Variable, edge: Edge): Linear | undefined {
    const edges = this.threads.flatMap(({ template }) =>
      template.edges.flatMap((each) =>
        (template !== this.main || this.isAfterStart(each)) && touches(each, cell) ? [{ edge: each, template }] : [],
      ),
    )
    if (!isTicket(variable, cell, edge, this.template, { edges, held: this.held })) return undefined
    const symbol = `ticket ${variable.id}`
    this.distances.set(symbol, 1)
    return symbolOf(symbol, variable.type, this.wide)
  }

  // ---- in main

  /** Of main at an edge: what instances were given differs from it. */
  formInMain({ address }: MemoryAccess, edge: Edge): Form | undefined {
    if (edge.source.atomic) return undefined
    return asSum(linearOf(address, (v) => this.valueInMain(v, edge, 0), this.wide))
  }

  /** A value of main when it takes an edge. */
  private valueInMain(variable: Variable, edge: Edge, depth: number): Linear | undefined {
    if (depth > MAX_DEPTH) return undefined
    if (this.isFixed(variable)) return this.symbol(variable)
    if (variable.scope === 'global') return undefined
    const stepping = this.stepping(variable)
    if (stepping?.differsAt(edge)) {
      this.distances.set(symbolName(variable), stepping.distance)
      return this.symbol(variable)
    }
    const [only, ...others] = this.inMain.get(variable) ?? []
    if (!only || others.length > 0 || only.edge === edge) return undefined
    if (only.label.kind === 'load') return this.fixedCell(only.label)
    if (only.label.kind !== 'assign' || !this.isUnchanged(only, edge)) return undefined
    return linearOf(only.label.value, (v) => this.valueInMain(v, edge, depth + 1), this.wide)
  }

  /** Nothing that a definition depends on is written between it and the edge. */
  private isUnchanged({ label, edge: from, variables }: Definition, to: Edge): boolean {
    const edges = outgoing(this.main.edges)
    const between = new Set([from.target])
    for (const location of between)
      for (const edge of edges.get(location) ?? []) {
        if (edge === from || edge === to) continue
        between.add(edge.target)
      }
    const isWritten = this.main.edges.some(
      (edge) =>
        edge !== to &&
        edge !== from &&
        between.has(edge.source) &&
        edge.labels.some((l) => written(l).some((v) => variables.has(v))),
    )
    const inFrom = from.labels.slice(from.labels.indexOf(label) + 1)
    return !isWritten && !inFrom.some((l) => written(l).some((v) => variables.has(v)))
  }

  private stepping(variable: Variable): Stepping | undefined {
    if (!this.steppings.has(variable)) this.steppings.set(variable, steppingOf(this.main, this.start, variable))
    return this.steppings.get(variable)
  }

  // ---- fixed

  private isAfterStart(edge: Edge): boolean {
    return edge === this.start.edge || this.afterStart.has(edge)
  }

  private isFixed(variable: Variable): boolean {
    const isOfMain = variable.scope === 'global' || this.main.locals.includes(variable)
    return (
      isOfMain &&
      this.threads.every(({ template }) =>
        template.edges.every(
          (edge) =>
            (template === this.main && !this.isAfterStart(edge)) ||
            !edge.labels.some((l) => written(l).includes(variable)),
        ),
      )
    )
  }

  /** What is loaded from a constant address of memory that nobody writes any more. */
  private fixedCell({ region, address, type }: Extract<Label, { kind: 'load' }>): Linear | undefined {
    const isFixed = this.threads.every(({ template }) =>
      template.edges.every(
        (edge) =>
          (template === this.main && !this.isAfterStart(edge)) ||
          !edge.labels.some((l) => (l.kind === 'store' && l.region === region) || l.kind === 'free'),
      ),
    )
    const isHeap = region.slots.some(({ object }) => object.storage !== 'static')
    if (!isFixed || isHeap || address.kind !== 'const') return undefined
    return symbolOf(`cell ${region.id} ${String(address.value)}`, type, this.wide)
  }

  private symbol(variable: Variable): Linear | undefined {
    return symbolOf(symbolName(variable), variable.type, this.wide)
  }
}

const symbolName = ({ id }: Variable): string => `v${id}`

const touches = ({ labels }: Edge, variable: Variable): boolean =>
  labels.some((label) => written(label).includes(variable) || read(label).has(variable))

/** A label that writes a variable, and the variables that it reads. */
interface Definition {
  readonly edge: Edge
  readonly label: Label
  readonly variables: ReadonlySet<Variable>
}

/** All that write a local; what may be read before it is written is written twice. */
const definitionsIn = (procedure: Procedure): ReadonlyMap<Variable, readonly Definition[]> => {
  const found = new Map<Variable, Definition[]>()
  for (const edge of procedure.edges)
    for (const label of edge.labels)
      for (const variable of written(label))
        found.set(variable, [...(found.get(variable) ?? []), { edge, label, variables: read(label) }])
  for (const variable of liveAt(procedure).get(procedure.initial) ?? []) {
    const all = found.get(variable)
    if (all && !procedure.parameters.includes(variable)) found.set(variable, [...all, ...all])
  }
  return found
}
