// What the evaluation of an expression may read and write, calls included: C does not say in which order operands and
// arguments are evaluated, and that matters only where one of them changes what another one reads or changes.
import type { CExpr, CFunction, CStatement, CVariable } from '../ast.js'
import { calleeOf } from './callee.js'
import { subexpressions } from './purity.js'
import { expressionsOf, substatements } from './written-first.js'

export interface Touched {
  readonly reads: Set<CVariable>
  readonly writes: Set<CVariable>
  /** Through pointers. */
  readsMemory: boolean
  writesMemory: boolean
  /** It has places that jumps lead to: it cannot be lowered twice. */
  isUnique: boolean
  readonly calls: Set<CFunction>
}

const nothing = (): Touched => ({
  reads: new Set(),
  writes: new Set(),
  readsMemory: false,
  writesMemory: false,
  isUnique: false,
  calls: new Set(),
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
  else into[kind === 'reads' ? 'readsMemory' : 'writesMemory'] = true
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
  else into.readsMemory = true
  if (/load/.test(e.name)) return
  if (base) into.writes.add(base.variable)
  else into.writesMemory = true
}

// ---- calls

const ofCallee = (callee: CExpr, into: Touched): void => {
  const fn = calleeOf(callee)
  if (fn) into.calls.add(fn)
  else {
    // Whatever a pointer leads to may use any memory; what it does to scalars without an address is not followed.
    into.readsMemory = true
    into.writesMemory = true
  }
}

const bodies = new WeakMap<CFunction, Touched>()

/** What the body of a function does, without what it calls. */
const ofBody = (fn: CFunction): Touched => {
  let touched = bodies.get(fn)
  if (!touched) {
    bodies.set(fn, (touched = nothing()))
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
    touched.readsMemory ||= body.readsMemory
    touched.writesMemory ||= body.writesMemory
    for (const callee of body.calls) touched.calls.add(callee)
  }
  return touched
}

const outlives = ({ storage, position }: CVariable): boolean => storage !== 'auto' && !position.file.startsWith('<')

const ofStatement = (s: CStatement, into: Touched): void => {
  for (const e of expressionsOf(s)) collect(e, into)
  for (const child of substatements(s)) ofStatement(child, into)
}

// ---- conflicts

/** Whether the order of the two evaluations may matter. */
export const conflict = (a: Touched, b: Touched): boolean => disturbs(a, b) || disturbs(b, a)

const disturbs = (a: Touched, b: Touched): boolean => {
  const used = (variable: CVariable): boolean => b.reads.has(variable) || b.writes.has(variable)
  if ([...a.writes].some((variable) => used(variable) || (variable.addressTaken && usesMemory(b)))) return true
  return a.writesMemory && (usesMemory(b) || [...b.reads, ...b.writes].some(({ addressTaken }) => addressTaken))
}

const usesMemory = ({ readsMemory, writesMemory }: Touched): boolean => readsMemory || writesMemory

/** Whether other threads can notice in which order the two read. */
export const readsShared = (a: Touched): boolean =>
  a.readsMemory || [...a.reads].some(({ storage, addressTaken }) => storage === 'static' || addressTaken)
