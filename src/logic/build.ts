// Constructors of truth values, equality, choice and arrays. They fold constants and normalise lightly, so that many
// questions never reach a solver, and equal formulas written differently are more often the same term.
import { intEquals, intLess, intLessEqual } from './arithmetic.js'
import { type ArraySort, arraySort, BOOL_SORT, type Sort } from './sort.js'
import { application, constant, FALSE, type Term, TRUE } from './term.js'
import { fold, type Value } from './value.js'

export const boolConst = (value: boolean): Term => (value ? TRUE : FALSE)

export const isConstant = (term: Term): boolean => term.op === 'const'

/** Applies an operator; folds if all arguments are constants of sorts that constants have. */
export const applyFolding = (op: Term['op'], sort: Sort, args: readonly Term[], index = 0): Term => {
  if (sort.kind !== 'array' && args.every(isConstant)) {
    const value = fold(
      op,
      sort,
      index,
      args.map((a) => a.value as Value),
      args.map((a) => a.sort),
    )
    if (value !== undefined) return constant(sort, value)
  }
  return application(op, sort, args, index)
}

export const not = (a: Term): Term => {
  switch (a.op) {
    case 'const':
      return boolConst(!a.value)
    case 'not':
      return a.args[0]!
    case '<=':
      return intLess(a.args[1]!, a.args[0]!)
    case '<':
      return intLessEqual(a.args[1]!, a.args[0]!)
    case 'bvult':
      return application('bvule', BOOL_SORT, [a.args[1]!, a.args[0]!])
    case 'bvule':
      return application('bvult', BOOL_SORT, [a.args[1]!, a.args[0]!])
    case 'bvslt':
      return application('bvsle', BOOL_SORT, [a.args[1]!, a.args[0]!])
    case 'bvsle':
      return application('bvslt', BOOL_SORT, [a.args[1]!, a.args[0]!])
    default:
      return application('not', BOOL_SORT, [a])
  }
}

/** A nested conjunction up to this size is flattened; larger ones stay nested, so that adding one costs little. */
const FLATTEN_LIMIT = 32
/** Up to this size every part's complement is looked for; beyond, only the argument of a negation. */
const COMPLEMENT_LIMIT = 8
/** How many stores a read looks through. */
const STORE_LIMIT = 64

const junction = (
  op: 'and' | 'or',
  neutral: Term,
  absorbing: Term,
  parts: readonly (Term | readonly Term[])[],
): Term => {
  const seen = new Set<Term>()
  const add = (part: Term): boolean => {
    if (part === neutral) return true
    if (part === absorbing) return false
    if (part.op === op && part.args.length <= FLATTEN_LIMIT) return part.args.every(add)
    seen.add(part)
    return true
  }
  for (const part of parts) {
    if (Array.isArray(part)) {
      for (const each of part as readonly Term[]) if (!add(each)) return absorbing
    } else if (!add(part as Term)) return absorbing
  }
  if (seen.size === 0) return neutral
  for (const part of seen)
    if ((part.op === 'not' || seen.size <= COMPLEMENT_LIMIT) && seen.has(not(part))) return absorbing
  const args = [...seen].sort((a, b) => a.id - b.id)
  return args.length === 1 ? args[0]! : application(op, BOOL_SORT, args)
}

export const and = (...parts: readonly (Term | readonly Term[])[]): Term => junction('and', TRUE, FALSE, parts)
export const or = (...parts: readonly (Term | readonly Term[])[]): Term => junction('or', FALSE, TRUE, parts)
export const implies = (a: Term, b: Term): Term => or(not(a), b)

/** The conjuncts of a formula, nested ones included. */
export const conjuncts = (formula: Term): readonly Term[] => collect('and', formula)
export const disjuncts = (formula: Term): readonly Term[] => collect('or', formula)

const collect = (op: 'and' | 'or', formula: Term): readonly Term[] => {
  if (formula.op !== op) return formula === (op === 'and' ? TRUE : FALSE) ? [] : [formula]
  const parts = new Set<Term>()
  const entered = new Set<Term>()
  const stack = [formula]
  while (stack.length > 0) {
    const part = stack.pop()!
    if (part.op !== op) parts.add(part)
    else if (!entered.has(part)) {
      entered.add(part)
      for (let i = part.args.length - 1; i >= 0; i--) stack.push(part.args[i]!)
    }
  }
  return [...parts]
}

export const eq = (a: Term, b: Term): Term => {
  if (a.sort !== b.sort) throw new Error(`equality of different sorts: ${a.sort.kind} and ${b.sort.kind}`)
  if (a === b) return TRUE
  if (a.op === 'const' && b.op === 'const') return FALSE
  if (a.op === 'const') return eq(b, a)
  if (b.op === 'const') {
    if (a.sort.kind === 'bool') return b === TRUE ? a : not(a)
    const chosen = equalsChoice(a, b)
    if (chosen) return chosen
  }
  if (a.sort.kind === 'bool' && (a === not(b) || b === not(a))) return FALSE
  if (a.sort.kind === 'int' || a.sort.kind === 'real') return intEquals(a, b)
  return application('=', BOOL_SORT, a.id < b.id ? [a, b] : [b, a])
}

/** `(c ? k1 : k2) = k` of constants is c, its negation, or a truth value. */
const equalsChoice = (a: Term, constantTerm: Term): Term | undefined => {
  if (a.op !== 'ite') return undefined
  const [condition, then, otherwise] = a.args as readonly [Term, Term, Term]
  if (!isConstant(then) || !isConstant(otherwise)) return undefined
  if (then === constantTerm) return condition
  return otherwise === constantTerm ? not(condition) : FALSE
}

export const distinct = (a: Term, b: Term): Term => not(eq(a, b))
export const iff = eq

export const ite = (condition: Term, then: Term, otherwise: Term): Term => {
  if (then.sort !== otherwise.sort) throw new Error('branches of different sorts')
  if (condition === TRUE || then === otherwise) return then
  if (condition === FALSE) return otherwise
  if (condition.op === 'not') return ite(condition.args[0]!, otherwise, then)
  if (then.sort.kind === 'bool') {
    if (then === TRUE) return or(condition, otherwise)
    if (then === FALSE) return and(not(condition), otherwise)
    if (otherwise === TRUE) return or(not(condition), then)
    if (otherwise === FALSE) return and(condition, then)
  }
  if (then.op === 'ite' && then.args[0] === condition) return ite(condition, then.args[1]!, otherwise)
  if (otherwise.op === 'ite' && otherwise.args[0] === condition) return ite(condition, then, otherwise.args[2]!)
  return application('ite', then.sort, [condition, then, otherwise])
}

export const constArray = (sort: ArraySort, element: Term): Term => application('const-array', sort, [element])

/** Reads through stores at constants known to differ; the walk is bounded, deep chains are the solver's. */
export const select = (array: Term, index: Term): Term => {
  const sort = array.sort as ArraySort
  let from = array
  for (let steps = 0; steps < STORE_LIMIT; steps++) {
    if (from.op === 'const-array') return from.args[0]!
    if (from.op !== 'store') break
    if (from.args[1] === index) return from.args[2]!
    if (eq(from.args[1]!, index) !== FALSE) break
    from = from.args[0]!
  }
  return application('select', sort.element, [from, index])
}

export const store = (array: Term, index: Term, element: Term): Term => {
  if (array.op === 'store' && array.args[1] === index) return store(array.args[0]!, index, element)
  if (element.op === 'select' && element.args[0] === array && element.args[1] === index) return array
  if (array.op === 'const-array' && array.args[0] === element) return array
  return application('store', array.sort, [array, index, element])
}

/** The value as a term: arrays as stores into a constant array, in the order of their keys. */
export const valueTerm = (sort: Sort, value: Value): Term => {
  if (sort.kind !== 'array') return constant(sort, value)
  if (typeof value !== 'object' || value.kind !== 'array') throw new Error('not the value of an array')
  let term = constArray(arraySort(sort.index, sort.element), valueTerm(sort.element, value.otherwise))
  for (const key of [...value.entries.keys()].sort()) {
    const entry = value.entries.get(key)!
    term = store(term, valueTerm(sort.index, entry.index), valueTerm(sort.element, entry.value))
  }
  return term
}
