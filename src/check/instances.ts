// What any number of instances of one thread have for themselves, worked out from cuts of main's graph: a way from one
// start to the next that avoids all steps of a variable, or none. For a proof without races; whatever is not of the
// simplest form is left open.
import { gcd } from '../logic/gcd.js'
import {
  type Access,
  asSum,
  type Edge,
  type Expr,
  type Label,
  type Linear,
  linearOf,
  type Procedure,
  type Program,
  type Sum,
  symbolOf,
  type Variable,
} from '../xcfa/index.js'
import { written } from '../xcfa/passes/index.js'
import { expressionsOf, mentions } from '../xcfa/passes/labels.js'
import { addedBy, type Definition, definitionsOf, reaches, type Start, startOf } from './definitions.js'
import { isTicket, type Locks } from './tickets.js'

/** An access of a thread of the template, on an edge. */
export interface InstanceAccess {
  readonly template: Procedure
  readonly edge: Edge
  readonly access: Access
}

const writes = ({ labels }: Edge, variable: Variable): boolean => labels.some((l) => written(l).includes(variable))

export class Instances {
  private readonly main: Procedure
  /** Symbols of which no two instances have the same value, with what their distances are multiples of. */
  private readonly unique = new Map<string, number>()

  private constructor(
    private readonly program: Program,
    private readonly template: Procedure,
    private readonly start: Start,
    private readonly locks: Locks,
  ) {
    this.main = program.main
  }

  static of(program: Program, template: Procedure, locks: Locks): Instances | undefined {
    const start = startOf(program, template)
    return start && new Instances(program, template, start, locks)
  }

  /** Of two instances, or of an instance and main: their accesses touch different bytes. */
  areApart(a: InstanceAccess, b: InstanceAccess): boolean {
    if (a.access.kind !== 'memory' || b.access.kind !== 'memory' || a.edge.source.atomic || b.edge.source.atomic)
      return false
    const isOwn = (each: InstanceAccess): boolean =>
      each.template === this.template && each.access.kind === 'memory' && this.isOwnObject(each.access.address, 0)
    if (isOwn(a) && (isOwn(b) || this.isBeforeStart(b))) return true
    if (isOwn(b) && this.isBeforeStart(a)) return true
    const [x, y] = [this.addressOf(a), this.addressOf(b)]
    if (!x || !y) return false
    const stride = this.stride(x, y)
    const distance = x.constant - y.constant
    return stride !== undefined && stride + distance >= b.access.size && stride - distance >= a.access.size
  }

  /** By how much two sums differ at least that differ in one value which no two instances have. */
  private stride(a: Sum, b: Sum): number | undefined {
    const own = [...a.parts.values()].filter(({ symbol }) => this.unique.has(symbol))
    const isSame =
      a.parts.size === b.parts.size && [...a.parts].every(([key, p]) => b.parts.get(key)?.coefficient === p.coefficient)
    const size = own[0] ? Math.abs(own[0].coefficient) * this.unique.get(own[0].symbol)! : 0
    return isSame && own.length === 1 && size <= 1024 ? size : undefined
  }

  private addressOf({ template, edge, access }: InstanceAccess): Sum | undefined {
    if (access.kind !== 'memory') return undefined
    const value = (v: Variable): Linear | undefined =>
      template === this.main ? this.inMain(v, edge, 0) : this.inInstance(v, 0)
    return asSum(linearOf(access.address, value, this.wide))
  }

  private get wide(): number {
    return this.program.dataModel === 'ilp32' ? 32 : 64
  }

  // ---- values

  private inInstance(variable: Variable, depth: number): Linear | undefined {
    if (depth > 8) return undefined
    if (variable.scope === 'global') return this.isFixed(variable) ? this.symbol(variable) : undefined
    const [only, ...others] = definitionsOf(this.template, variable)
    const place = this.template.parameters.indexOf(variable)
    if (place >= 0) return only ? undefined : this.argument(place)
    if (only?.label.kind !== 'assign' || others.length > 0) return undefined
    const { value } = only.label
    if (value.kind === 'var' && value.variable.scope === 'global' && !this.isFixed(value.variable)) {
      const ticket = { program: this.program, template: this.template, start: this.start.edge, locks: this.locks }
      return isTicket(ticket, variable, value.variable, only.edge) ? this.uniqueSymbol(variable, 1) : undefined
    }
    return linearOf(value, (v) => this.inInstance(v, depth + 1), this.wide)
  }

  private argument(place: number): Linear | undefined {
    const argument = this.start.label.args[place]
    return argument && linearOf(argument, (v) => this.inMain(v, this.start.edge, 0), this.wide)
  }

  private inMain(variable: Variable, edge: Edge, depth: number): Linear | undefined {
    if (this.isFixed(variable)) return this.symbol(variable)
    if (depth > 8 || variable.scope === 'global' || writes(edge, variable)) return undefined
    if (this.isDistinct(variable) && (edge === this.start.edge || this.hasMoved(variable, edge)))
      return this.uniqueSymbol(variable, this.distance(variable))
    const [only, ...others] = definitionsOf(this.main, variable)
    if (only?.label.kind !== 'assign' || others.length > 0 || this.isStale(only, edge)) return undefined
    return linearOf(only.label.value, (v) => this.inMain(v, edge, depth + 1), this.wide)
  }

  /** Something that the definition reads may be written before the edge is taken. */
  private isStale({ label, edge: from }: Definition, to: Edge): boolean {
    const isRead = (v: Variable): boolean => expressionsOf(label).some((e) => mentions(e, v))
    const changes = this.main.edges.filter((edge) => edge.labels.some((l) => written(l).some(isRead)))
    const avoiding = (edge: Edge): boolean => edge === from
    return changes.some(
      (edge) =>
        edge === from ||
        (reaches(this.main, from.target, edge.source, avoiding) &&
          reaches(this.main, edge.target, to.source, avoiding)),
    )
  }

  private symbol(variable: Variable): Linear | undefined {
    return symbolOf(`v${variable.id}`, variable.type, this.wide)
  }

  /** Pointers do not wrap: their distances are multiples of their steps. */
  private distance(variable: Variable): number {
    const labels = this.between(variable).flatMap((edge) => edge.labels.filter((l) => written(l).includes(variable)))
    const steps = labels.map((label) => addedBy(label, variable)!)
    return variable.type.kind === 'pointer' ? steps.reduce((all, step) => gcd(all, step), 0) : 1
  }

  private uniqueSymbol(variable: Variable, distance: number): Linear | undefined {
    this.unique.set(`v${variable.id}`, distance)
    return this.symbol(variable)
  }

  // ---- main

  private isAfter(edge: Edge): boolean {
    return edge === this.start.edge || reaches(this.main, this.start.edge.target, edge.source)
  }

  /** Nobody writes it once an instance may run. */
  isFixed(variable: Variable): boolean {
    if (variable.scope === 'local' && !this.main.locals.includes(variable)) return false
    return [...this.program.templates.values()].every((owner) =>
      owner.edges.every((edge) => !writes(edge, variable) || (owner === this.main && !this.isAfter(edge))),
    )
  }

  /** No two instances are started with the same value: each way from one start to the next has a step, all in one direction. */
  isDistinct(variable: Variable): boolean {
    const { edge: start } = this.start
    if (writes(start, variable) || !isWide(variable)) return false
    const between = this.between(variable)
    return (
      between.every((edge) => this.direction(edge, variable) === this.direction(between[0]!, variable)) &&
      between.every((edge) => this.direction(edge, variable) !== 0) &&
      !reaches(this.main, start.target, start.source, (edge) => between.includes(edge))
    )
  }

  /** Edges on ways from one start to the next that write the variable. */
  private between(variable: Variable): readonly Edge[] {
    const { source } = this.start.edge
    const isNext = (edge: Edge): boolean => this.isAfter(edge) && reaches(this.main, edge.target, source)
    return this.main.edges.filter((edge) => writes(edge, variable) && isNext(edge))
  }

  /** 1 or -1: all labels of the edge that write the variable are steps that way; otherwise 0. */
  private direction({ labels }: Edge, variable: Variable): number {
    const steps = labels.filter((l) => written(l).includes(variable)).map((l) => addedBy(l, variable) ?? 0)
    const [first] = steps
    const isSmall = variable.type.kind === 'pointer' || steps.every((step) => Math.abs(step) <= 4)
    return first !== undefined && isSmall && steps.every((s) => Math.sign(s) === Math.sign(first))
      ? Math.sign(first)
      : 0
  }

  /** On every way from a start to the edge there is a step, and nothing but steps in the direction of those between starts. */
  private hasMoved(variable: Variable, to: Edge): boolean {
    const { edge: start } = this.start
    const all = this.main.edges.filter((edge) => writes(edge, variable) && this.isAfter(edge))
    const before = all.filter((edge) => reaches(this.main, edge.target, to.source))
    const between = all.find((edge) => reaches(this.main, edge.target, start.source))
    const direction = between && this.direction(between, variable)
    return (
      direction !== undefined &&
      before.every((edge) => this.direction(edge, variable) === direction) &&
      !reaches(this.main, start.target, to.source, (edge) => before.includes(edge))
    )
  }

  // ---- own objects

  private isOwnObject(e: Expr, depth: number): boolean {
    if (depth > 8) return false
    if (e.kind === 'cast') return e.type.kind === 'pointer' && this.isOwnObject(e.arg, depth + 1)
    if (e.kind === 'binary')
      return e.type.kind === 'pointer' && ['add', 'sub'].includes(e.op) && this.isOwnObject(e.left, depth + 1)
    if (e.kind !== 'var') return false
    const [only, ...others] = definitionsOf(this.template, e.variable)
    const place = this.template.parameters.indexOf(e.variable)
    if (place >= 0) return !only && this.given(place) !== undefined
    return only?.label.kind === 'assign' && others.length === 0 && this.isOwnObject(only.label.value, depth + 1)
  }

  /** A variable of main whose object was allocated for this instance: what it points to goes nowhere else. */
  private given(place: number): Definition | undefined {
    const argument = this.start.label.args[place]
    if (argument?.kind !== 'var') return undefined
    const { variable } = argument
    const [only, ...others] = definitionsOf(this.main, variable)
    if (only?.label.kind !== 'allocate' || others.length > 0) return undefined
    const isAllocation = (edge: Edge): boolean => edge === only.edge
    const goesOn = reaches(this.main, this.start.edge.target, this.start.edge.source, isAllocation)
    const leaks = this.main.edges.some(({ labels }) =>
      labels.some((label) => label !== this.start.label && givesAway(label, variable)),
    )
    const isTwice = this.start.label.args.filter((other) => mentions(other, variable)).length > 1
    return goesOn || leaks || isTwice ? undefined : only
  }

  /** Main uses what it allocated, before it gives it to the instance. */
  private isBeforeStart({ template, edge, access }: InstanceAccess): boolean {
    if (template !== this.main || access.kind !== 'memory') return false
    return this.start.label.args.some((argument, place) => {
      const only = this.given(place)
      if (!only || argument.kind !== 'var' || !isBasedOn(access.address, argument.variable)) return false
      return (
        edge !== this.start.edge && !reaches(this.main, this.start.edge.target, edge.source, (e) => e === only.edge)
      )
    })
  }
}

const isWide = ({ type }: Variable): boolean => type.kind === 'pointer' || (type.kind === 'int' && type.width >= 32)

/** Anything but an address that is accessed or compared. */
const givesAway = (label: Label, variable: Variable): boolean => {
  switch (label.kind) {
    case 'load':
    case 'free':
    case 'assume':
      return false
    case 'store':
      return mentions(label.value, variable)
    default:
      return expressionsOf(label).some((e) => mentions(e, variable))
  }
}

const isBasedOn = (e: Expr, variable: Variable): boolean => {
  if (e.kind === 'cast') return isBasedOn(e.arg, variable)
  if (e.kind === 'binary') return ['add', 'sub'].includes(e.op) && isBasedOn(e.left, variable)
  return e.kind === 'var' && e.variable === variable
}
