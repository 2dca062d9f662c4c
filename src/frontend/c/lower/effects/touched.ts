// What the evaluation of an expression may read and write, calls included: C does not say in which order operands and
// arguments are evaluated, and that matters only where one of them changes what another one reads or changes.
import { isLibrary } from '../../../../xcfa/index.js'
import type { CExpr, CFunction, CProgram, CStatement, CType, CVariable } from '../../ast.js'
import { unqualified } from '../../check/types.js'
import { calleeOf } from './callee.js'
import { subexpressions } from './purity.js'
import { expressionsOf, substatements } from './written-first.js'

export interface Touched {
  readonly reads: Set<CVariable>
  readonly writes: Set<CVariable>
  /** Through pointers: which kinds of scalars (C11 6.5p7: an object is accessed by its type, or by characters). */
  readonly readsMemory: Set<string>
  readonly writesMemory: Set<string>
  /** It has places that jumps lead to: it cannot be lowered twice. */
  isUnique: boolean
  readonly calls: Set<CFunction>
  /** Local variables of a function that hold nothing but what it allocated itself. */
  readonly fresh: ReadonlySet<CVariable>
}

const nothing = (): Touched => ({
  reads: new Set(),
  writes: new Set(),
  readsMemory: new Set(),
  writesMemory: new Set(),
  isUnique: false,
  calls: new Set(),
  fresh: new Set(),
})

const known = new WeakMap<CExpr, Touched>()

/** Of evaluating the expression. */
export const touchedBy = (e: CExpr): Touched => {
  let touched = known.get(e)
  if (!touched) known.set(e, (touched = withCalls(collect(e, nothing()))))
  return touched
}

/** Of finding out where an lvalue is. */
export const touchedByAddress = (lvalue: CExpr): Touched => withCalls(collectAddress(lvalue, nothing()))

const collect = (e: CExpr, into: Touched): Touched => {
  switch (e.kind) {
    case 'load':
      access(e.lvalue, 'reads', into)
      return into
    case 'address':
      collectAddress(e.lvalue, into)
      return into
    case 'assign':
      access(e.target, 'writes', into)
      break
    case 'compoundAssign':
    case 'increment':
      access(e.target, 'reads', into)
      access(e.target, 'writes', into)
      break
    case 'call':
      ofCallee(e.callee, into)
      break
    case 'builtin':
      ofBuiltin(e, into)
      break
    case 'statements':
      into.isUnique = true
      for (const statement of e.body) ofStatement(statement, into)
      break
    default:
  }
  for (const child of subexpressions(e)) collect(child, into)
  return into
}

const collectAddress = (lvalue: CExpr, into: Touched): Touched => {
  switch (lvalue.kind) {
    case 'variable':
    case 'function':
    case 'string':
      return into
    case 'deref':
      return collect(lvalue.pointer, into)
    case 'member':
      return collectAddress(lvalue.record, into)
    default:
      return collect(lvalue, into)
  }
}

const access = (lvalue: CExpr, kind: 'reads' | 'writes', into: Touched): void => {
  const base = baseOf(lvalue)
  if (base?.kind === 'variable') into[kind].add(base.variable)
  else if (!isFresh(lvalue, into)) into[kind === 'reads' ? 'readsMemory' : 'writesMemory'].add(scalarKind(lvalue.type))
  collectAddress(lvalue, into)
}

/** The variable that an lvalue is a part of: of s.x and a[i] that is s and a. */
const baseOf = (lvalue: CExpr): (CExpr & { readonly kind: 'variable' }) | undefined => {
  switch (lvalue.kind) {
    case 'variable':
      return lvalue
    case 'member':
      return baseOf(lvalue.record)
    case 'deref':
    case 'pointerAdd':
      return baseOf(lvalue.pointer)
    case 'address':
      return baseOf(lvalue.lvalue)
    default:
      return undefined
  }
}

/** Atomic operations change what their first argument points to, and may use what the others do. */
const ofBuiltin = (e: CExpr & { readonly kind: 'builtin' }, into: Touched): void => {
  const [object] = e.args
  if (!object || !/^(__atomic_|__c11_atomic_|atomic_|__sync_)/.test(e.name) || /fence|synchronize/.test(e.name)) return
  const lvalue = object.kind === 'address' ? object.lvalue : undefined
  const base = lvalue && baseOf(lvalue)
  if (base) into.reads.add(base.variable)
  else into.readsMemory.add(ANY)
  if (/load/.test(e.name)) return
  if (base) into.writes.add(base.variable)
  else into.writesMemory.add(ANY)
}

// ---- calls

const ofCallee = (callee: CExpr, into: Touched): void => {
  const fn = calleeOf(callee)
  if (fn && isAllocator(fn)) return
  if (fn) into.calls.add(fn)
  else {
    // Whatever a pointer leads to may use any memory; what it does to scalars without an address is not followed.
    into.readsMemory.add(ANY)
    into.writesMemory.add(ANY)
  }
}

const bodies = new WeakMap<CFunction, Touched>()

/** What the body of a function does, without what it calls. */
const ofBody = (fn: CFunction): Touched => {
  let touched = bodies.get(fn)
  if (!touched) {
    bodies.set(fn, (touched = { ...nothing(), fresh: fn.body ? freshPointers(fn.body) : new Set() }))
    if (fn.body) ofStatement(fn.body, touched)
  }
  return touched
}

/** With what the calls do that outlives them. The library's own state is nobody's business. */
const withCalls = (touched: Touched): Touched => {
  // The set grows while it is walked.
  for (const fn of touched.calls) {
    const body = ofBody(fn)
    for (const variable of body.reads) if (outlives(variable)) touched.reads.add(variable)
    for (const variable of body.writes) if (outlives(variable)) touched.writes.add(variable)
    for (const kind of body.readsMemory) touched.readsMemory.add(kind)
    for (const kind of body.writesMemory) touched.writesMemory.add(kind)
    for (const callee of body.calls) touched.calls.add(callee)
  }
  return touched
}

const outlives = ({ storage, position }: CVariable): boolean => storage !== 'auto' && !isLibrary(position)

const ofStatement = (s: CStatement, into: Touched): void => {
  for (const e of expressionsOf(s)) collect(e, into)
  for (const child of substatements(s)) ofStatement(child, into)
}

/** Whether the lvalue is in a block that the function has just allocated: nobody else knows it. */
const isFresh = (lvalue: CExpr, { fresh }: Pick<Touched, 'fresh'>): boolean => {
  switch (lvalue.kind) {
    case 'member':
      return isFresh(lvalue.record, { fresh })
    case 'deref':
      return isFreshPointer(lvalue.pointer, fresh)
    default:
      return false
  }
}

const isFreshPointer = (e: CExpr, fresh: ReadonlySet<CVariable>): boolean => {
  switch (e.kind) {
    case 'cast':
      return isFreshPointer(e.operand, fresh)
    case 'pointerAdd':
      return isFreshPointer(e.pointer, fresh)
    case 'load':
      return e.lvalue.kind === 'variable' && fresh.has(e.lvalue.variable)
    default:
      return false
  }
}

const ALLOCATORS = new Set(['malloc', 'calloc', 'aligned_alloc'])

/** What the library keeps about its blocks is nothing that a program sees. */
const isAllocator = ({ name, body }: CFunction): boolean => ALLOCATORS.has(name) && (!body || isLibrary(body.position))

const isAllocation = (e: CExpr): boolean => {
  if (e.kind === 'cast') return isAllocation(e.operand)
  if (e.kind !== 'call') return false
  const fn = calleeOf(e.callee)
  return fn !== undefined && isAllocator(fn)
}

const freshPointers = (body: CStatement): ReadonlySet<CVariable> => {
  const sources = new Map<CVariable, CExpr[]>()
  const add = (variable: CVariable, source: CExpr): void => {
    sources.set(variable, [...(sources.get(variable) ?? []), source])
  }
  const inExpression = (e: CExpr): void => {
    if (e.kind === 'assign' && e.target.kind === 'variable') add(e.target.variable, e.value)
    if ((e.kind === 'compoundAssign' || e.kind === 'increment') && e.target.kind === 'variable')
      add(e.target.variable, e)
    for (const child of subexpressions(e)) inExpression(child)
  }
  const inStatement = (s: CStatement): void => {
    if (s.kind === 'declare') for (const part of s.initializer ?? []) add(s.variable, part.value)
    expressionsOf(s).forEach(inExpression)
    substatements(s).forEach(inStatement)
  }
  inStatement(body)
  const isPrivate = ({ storage, addressTaken }: CVariable): boolean => storage === 'auto' && !addressTaken
  return new Set([...sources].filter(([v, all]) => isPrivate(v) && all.every(isAllocation)).map(([v]) => v))
}

// ---- conflicts

/** Anything: characters, records, and what atomic operations and unknown functions touch. */
const ANY = 'any'

const scalarKind = (type: CType): string => {
  const plain = unqualified(type)
  switch (plain.kind) {
    case 'int':
      return plain.width <= 8 ? ANY : `int${plain.width}`
    case 'float':
      return `float${plain.width}`
    case 'pointer':
      return 'pointer'
    case 'array':
      return scalarKind(plain.of)
    default:
      return ANY
  }
}

const meets = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && (a.has(ANY) || b.has(ANY) || [...a].some((kind) => b.has(kind)))

/** Whether the order of the two evaluations may matter. */
export const conflict = (a: Touched, b: Touched, pointedTo: ReadonlySet<CVariable>): boolean =>
  disturbs(a, b, pointedTo) || disturbs(b, a, pointedTo)

const disturbs = (a: Touched, b: Touched, pointedTo: ReadonlySet<CVariable>): boolean => {
  const used = (variable: CVariable): boolean => b.reads.has(variable) || b.writes.has(variable)
  const memory = new Set([...b.readsMemory, ...b.writesMemory])
  const isReached = (variable: CVariable, by: ReadonlySet<string>): boolean =>
    pointedTo.has(variable) && meets(by, new Set([scalarKind(variable.type)]))
  if ([...a.writes].some((variable) => used(variable) || isReached(variable, memory))) return true
  return meets(a.writesMemory, memory) || [...b.reads, ...b.writes].some((v) => isReached(v, a.writesMemory))
}

/** Variables that pointers may lead to: their address is used for more than an access to one of their own elements. */
export const pointedToIn = ({ functions, variables }: CProgram): ReadonlySet<CVariable> => {
  const found = new Set<CVariable>()
  const inExpression = (e: CExpr): void => {
    if (e.kind === 'address') {
      const base = baseOf(e.lvalue)
      if (base) found.add(base.variable)
    }
    if (e.kind === 'deref') inElement(e.pointer)
    else for (const child of subexpressions(e)) inExpression(child)
    if (e.kind === 'statements') e.body.forEach(inStatement)
  }
  /** The pointer of an access: of a[i] only the index is of interest. */
  const inElement = (pointer: CExpr): void => {
    if (pointer.kind === 'pointerAdd') {
      inElement(pointer.pointer)
      inExpression(pointer.index)
    } else if (pointer.kind === 'address') subexpressions(pointer.lvalue).forEach(inElement)
    else inExpression(pointer)
  }
  const inStatement = (s: CStatement): void => {
    expressionsOf(s).forEach(inExpression)
    substatements(s).forEach(inStatement)
  }
  for (const { body } of functions.values()) if (body) inStatement(body)
  for (const { initializer } of variables) for (const part of initializer ?? []) inExpression(part.value)
  return found
}

/** Whether other threads can notice in which order the two read. */
export const readsShared = (a: Touched): boolean =>
  a.readsMemory.size > 0 || [...a.reads].some(({ storage, addressTaken }) => storage === 'static' || addressTaken)
