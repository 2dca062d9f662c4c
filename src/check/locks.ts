// Freedom of data races without exploring anything, for certificates that claim no more than that: every two accesses
// that could race belong to threads that never run at the same time, are made with a common lock held, or go to the
// threads' own copies. Written once more and more simply than the engine's analysis, so that an error there shows; what
// this one cannot show is left open.
import {
  type Access,
  type Edge,
  type Expr,
  isAtomicStep,
  type Label,
  type Location,
  labelAccesses,
  type MemoryObject,
  type Procedure,
  type Program,
  sameExpr,
  type Variable,
  varExpr,
  variablesOf,
} from '../xcfa/index.js'
import { outgoing, written } from '../xcfa/passes/index.js'
import { openObligation, owedWithoutValues } from '../xcfa/terms/index.js'
import { Instances } from './instances.js'
import { joinedAll } from './joined-all.js'
import { isLinear, type Threads, threadsOf, valueAt } from './threads.js'

interface Place {
  readonly template: Procedure
  readonly edge: Edge
  readonly label: number
  readonly access: Access
  readonly held: ReadonlySet<Variable>
}

/** Two accesses that may race as far as this tells, or nothing: then none do. */
export const mayRaceSomewhere = (program: Program): string | undefined => {
  const owed = owedWithoutValues(program)
  if (owed) return `${textOf(owed.edge)}: ${openObligation(owed.kind)}`
  const many = [...program.templates.values()].filter((t) => t !== program.main)
  const ended = new Map(many.map((template) => [template, joinedAll(program, template)]))
  const threads = threadsOf(program, ended)
  const held = locksHeld(program, threads)
  const instances = new Map(many.map((template) => [template, Instances.of(program, template, held)]))
  const areApart = (a: Place, b: Place): boolean => {
    const isMain = a.template === program.main
    if (!isMain && b.template !== program.main && a.template !== b.template) return false
    return instances.get(isMain ? b.template : a.template)?.areApart(a, b) ?? false
  }
  const places = [...program.templates.values()].flatMap((template) => placesOf(template, held))
  for (const [i, a] of places.entries())
    for (const b of places.slice(i))
      if (mayRace(a, b, threads) && !areApart(a, b)) return `${textOf(a.edge)} and ${textOf(b.edge)}`
  return undefined
}

const textOf = ({ text, position }: Edge): string => `${text} at ${position.file}:${position.line}`

const placesOf = (template: Procedure, held: ReadonlyMap<Location, ReadonlySet<Variable>>): readonly Place[] =>
  template.edges
    .filter((edge) => held.has(edge.source))
    .flatMap((edge) =>
      edge.labels.flatMap((each, label) =>
        labelAccesses(each, isAtomicStep(edge)).map((access) => ({
          // What a block does inside is next to a thread before it, where less may be held.
          ...{ template, edge, label, access, held: edge.source.atomic ? new Set<Variable>() : held.get(edge.source)! },
        })),
      ),
    )

const mayRace = (a: Place, b: Place, threads: Threads): boolean => {
  if (a.template === b.template && threads.isSingle(a.template)) return false
  if (!touchTheSame(a.access, b.access)) return false
  if ([...a.held].some((lock) => b.held.has(lock))) return false
  if (areOfDifferentThreads(a, b, threads) || isLeftByJoined(a, b) || isLeftByJoined(b, a)) return false
  return (
    threads.mayRun(b.template, a.template, a.edge, a.label) && threads.mayRun(a.template, b.template, b.edge, b.label)
  )
}

const touchTheSame = (a: Access, b: Access): boolean => {
  if (!(a.write || b.write) || (a.atomic && b.atomic)) return false
  if (a.kind === 'variable') return b.kind === 'variable' && a.variable === b.variable
  if (a.kind !== 'memory' || b.kind !== 'memory' || a.region !== b.region || a.region.scope === 'local') return false
  if (a.address.kind !== 'const' || b.address.kind !== 'const') return true
  const [x, y] = [Number(a.address.value), Number(b.address.value)]
  return x < y + b.size && y < x + a.size
}

// ---- copies of threads

/** Each access goes to the copy of one thread, and these are two threads. */
const areOfDifferentThreads = (a: Place, b: Place, threads: Threads): boolean => {
  const [mine, theirs] = [copyOf(a, threads), copyOf(b, threads)]
  return mine !== undefined && theirs !== undefined && (mine !== theirs || a.template === b.template)
}

/** The template to whose thread's own copy an access goes: the thread's that makes it, or that main has joined. */
const copyOf = ({ template, edge, label, access }: Place, threads: Threads): Procedure | undefined => {
  if (access.kind !== 'memory') return undefined
  const objects = [...new Set(access.region.slots.map(({ object }) => object))]
  const [object] = objects
  if (!object || objects.length > 1 || object.storage !== 'thread') return undefined
  if (isCopy(access.address, access.size, object, template.self)) return template
  const joined = threads.joined(edge)
  const isAfter = edge.labels.slice(0, label).some(({ kind }) => kind === 'join')
  return joined && isAfter && isCopy(access.address, access.size, object, joined.handle) ? joined.template : undefined
}

/**
 * What the thread left that was just joined, beside a thread's own copy: that one has ended, or has another number. The
 * number is whatever the join was given.
 */
const isLeftByJoined = ({ edge, label, access }: Place, { template, access: other }: Place): boolean => {
  if (access.kind !== 'memory' || other.kind !== 'memory') return false
  const join = edge.labels.slice(0, label).findLast((each) => each.kind === 'join')
  const [object, ...others] = new Set(access.region.slots.map((slot) => slot.object))
  if (join?.kind !== 'join' || !object || others.length > 0 || object.storage !== 'thread') return false
  if (edge.labels.slice(edge.labels.indexOf(join), label).some((each) => written(each).length > 0)) return false
  const number: Variable = { id: -1, name: 'joined', type: join.thread.type, scope: 'local', initial: 0 }
  const address = replaced(access.address, join.thread, number)
  return isCopy(address, access.size, object, number) && isCopy(other.address, other.size, object, template.self)
}

/** With a variable in the place of all that is like `part`. */
const replaced = (e: Expr, part: Expr, by: Variable): Expr => {
  if (sameExpr(e, part)) return varExpr(by)
  if (e.kind === 'cast') return { ...e, arg: replaced(e.arg, part, by) }
  return e.kind === 'binary' ? { ...e, left: replaced(e.left, part, by), right: replaced(e.right, part, by) } : e
}

/** base + number * stride + something inside. */
const isCopy = (
  address: Expr,
  size: number,
  { base, stride, size: whole }: MemoryObject,
  number: Variable,
): boolean => {
  if ([...variablesOf(address)].some((v) => v !== number) || !isLinear(address, number)) return false
  const [first, second] = [valueAt(address, number, 0), valueAt(address, number, 1)]
  return second - first === stride && first >= base && first + size <= base + whole
}

// ---- locks

/**
 * For each location that is reached the locks that a thread certainly holds there. A lock is a variable that nobody
 * writes but who finds it zero and makes it something else in one step, or who holds it: then it is not zero while
 * somebody does, and nobody else can get it.
 */
const locksHeld = (program: Program, threads: Threads): ReadonlyMap<Location, ReadonlySet<Variable>> => {
  const held = new Map<Location, ReadonlySet<Variable>>()
  for (const template of program.templates.values()) addHeld(template, held)
  const improper = new Set<Variable>()
  for (const template of program.templates.values())
    for (const edge of template.edges)
      for (const [label, each] of edge.labels.entries())
        for (const lock of written(each))
          if (!acquired(edge, template).has(lock) && !held.get(edge.source)?.has(lock))
            if (template !== program.main || someoneElse(program, threads, edge, label)) improper.add(lock)
  return new Map([...held].map(([location, locks]) => [location, new Set([...locks].filter((l) => !improper.has(l)))]))
}

const someoneElse = (program: Program, threads: Threads, edge: Edge, label: number): boolean =>
  [...program.templates.values()].some(
    (other) => (other !== program.main || !threads.isSingle(other)) && threads.mayRun(other, program.main, edge, label),
  )

const addHeld = (template: Procedure, held: Map<Location, ReadonlySet<Variable>>): void => {
  const from = outgoing(template.edges)
  held.set(template.initial, new Set())
  const work = [template.initial]
  for (let location = work.pop(); location; location = work.pop())
    for (const edge of from.get(location) ?? []) {
      const lost = new Set(edge.labels.flatMap((label) => written(label)))
      const after = new Set([...[...held.get(location)!].filter((l) => !lost.has(l)), ...acquired(edge, template)])
      const known = held.get(edge.target)
      const met = known ? new Set([...known].filter((lock) => after.has(lock))) : after
      if (known && met.size === known.size) continue
      held.set(edge.target, met)
      work.push(edge.target)
    }
}

/** Globals that the edge finds zero and leaves as something else: written once, after the test. */
const acquired = ({ labels }: Edge, { self }: Procedure): ReadonlySet<Variable> => {
  const found = new Set<Variable>()
  const copies = new Map<Variable, Variable>()
  const zero = new Set<Variable>()
  const writes = new Map<Variable, number>()
  for (const label of labels) {
    if (label.kind === 'assume') {
      const tested = testedForZero(label.condition)
      const original = tested && (copies.get(tested) ?? tested)
      if (original && !writes.has(original)) zero.add(original)
    }
    for (const target of written(label)) {
      writes.set(target, (writes.get(target) ?? 0) + 1)
      copies.delete(target)
      found.delete(target)
      if (zero.has(target) && writes.get(target) === 1 && isNotZero(label, self)) found.add(target)
    }
    if (label.kind === 'assign' && label.value.kind === 'var' && !writes.has(label.value.variable))
      copies.set(label.target, label.value.variable)
  }
  return new Set([...found].filter((variable) => variable.scope === 'global'))
}

const testedForZero = (condition: Expr): Variable | undefined => {
  if (condition.kind !== 'compare' || condition.op !== 'eq') return undefined
  const { left, right } = condition
  if (left.kind === 'var' && right.kind === 'const' && Number(right.value) === 0) return left.variable
  if (right.kind === 'var' && left.kind === 'const' && Number(left.value) === 0) return right.variable
  return undefined
}

/** A constant other than zero, or the number of the thread plus one. */
const isNotZero = (label: Label, self: Variable): boolean => {
  if (label.kind !== 'assign') return false
  const { value } = label
  if (value.kind === 'const') return Number(value.value) !== 0
  return (
    [...variablesOf(value)].every((v) => v === self) &&
    isLinear(value, self) &&
    valueAt(value, self, 0) === 1 &&
    valueAt(value, self, 1) === 2
  )
}
