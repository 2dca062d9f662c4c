// Hash-consed terms: equal terms are the same object, so comparing and caching by identity or id costs nothing.
// The intern table is module state that cannot be observed. Every walk over terms is iterative: they may be deep.
import { BOOL_SORT, type Sort } from './sort.js'
import { type Value, valueKey } from './value.js'

/** Operators by their SMT-LIB names; floating point rounds to nearest even, conversions to integers truncate. */
export type Operator =
  | 'const'
  | 'var'
  | 'not'
  | 'and'
  | 'or'
  | '='
  | 'ite'
  | '+'
  | '*'
  | 'div'
  | 'mod'
  | '<='
  | '<'
  | 'to_real'
  | 'bvadd'
  | 'bvmul'
  | 'bvneg'
  | 'bvnot'
  | 'bvand'
  | 'bvor'
  | 'bvxor'
  | 'bvudiv'
  | 'bvurem'
  | 'bvsdiv'
  | 'bvsrem'
  | 'bvshl'
  | 'bvlshr'
  | 'bvashr'
  | 'bvult'
  | 'bvule'
  | 'bvslt'
  | 'bvsle'
  | 'concat'
  | 'extract'
  | 'zero_extend'
  | 'sign_extend'
  | 'bv2nat'
  | 'int2bv'
  | 'select'
  | 'store'
  | 'const-array'
  | 'fp.add'
  | 'fp.sub'
  | 'fp.mul'
  | 'fp.div'
  | 'fp.neg'
  | 'fp.lt'
  | 'fp.leq'
  | 'fp.eq'
  | 'fp.isNaN'
  | 'fp.from_bits'
  | 'fp.to_bits'
  | 'fp.from_fp'
  | 'fp.from_signed'
  | 'fp.from_unsigned'
  | 'fp.to_signed'
  | 'fp.to_unsigned'

export interface Term {
  readonly id: number
  readonly op: Operator
  readonly sort: Sort
  readonly args: readonly Term[]
  /** extract: high * 65536 + low; extensions: how many bits; otherwise 0. */
  readonly index: number
  /** Of a variable; otherwise empty. */
  readonly name: string
  /** Of a constant. */
  readonly value: Value | undefined
}

class Node implements Term {
  /** Next term in the same bucket of the intern table. */
  next: Node | undefined = undefined
  free: readonly Term[] | undefined = undefined
  constructor(
    readonly id: number,
    readonly op: Operator,
    readonly sort: Sort,
    readonly args: readonly Term[],
    readonly index: number,
    readonly name: string,
    readonly value: Value | undefined,
  ) {}
}

const NO_TERMS: readonly Term[] = []
let created = 0
let buckets: (Node | undefined)[] = new Array(1 << 12).fill(undefined)
let applications = 0
const constants = new Map<string, Term>()
const variables = new Map<string, Term>()
const operatorHash = new Map<Operator, number>()

const hashOf = (op: Operator, sort: Sort, args: readonly Term[], index: number): number => {
  let operator = operatorHash.get(op)
  if (operator === undefined) operatorHash.set(op, (operator = operatorHash.size + 1))
  let hash = Math.imul(operator, 0x9e3779b1) ^ Math.imul(sort.id, 0x85ebca6b) ^ Math.imul(index, 0xc2b2ae35)
  for (const arg of args) hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + arg.id
  hash = Math.imul(hash ^ (hash >>> 13), 0x297a2d39)
  return (hash ^ (hash >>> 16)) >>> 0
}

const sameApplication = (node: Node, op: Operator, sort: Sort, args: readonly Term[], index: number): boolean => {
  if (node.op !== op || node.sort !== sort || node.index !== index || node.args.length !== args.length) return false
  for (let i = 0; i < args.length; i++) if (node.args[i] !== args[i]) return false
  return true
}

const grow = (): void => {
  const old = buckets
  buckets = new Array(old.length * 2).fill(undefined)
  for (let node of old) {
    while (node) {
      const next: Node | undefined = node.next
      const slot = hashOf(node.op, node.sort, node.args, node.index) & (buckets.length - 1)
      node.next = buckets[slot]
      buckets[slot] = node
      node = next
    }
  }
}

/** The application of an operator as it is, without simplification: constructors of build.ts are the way in. */
export const application = (op: Operator, sort: Sort, args: readonly Term[], index = 0): Term => {
  const hash = hashOf(op, sort, args, index)
  for (let node = buckets[hash & (buckets.length - 1)]; node; node = node.next)
    if (sameApplication(node, op, sort, args, index)) return node
  if (++applications > buckets.length) grow()
  const slot = hash & (buckets.length - 1)
  const node = new Node(created++, op, sort, args, index, '', undefined)
  node.next = buckets[slot]
  buckets[slot] = node
  return node
}

/** A free constant of the logic; two variables of one name and different sorts are different. */
export const variable = (name: string, sort: Sort): Term => {
  const key = `${sort.id} ${name}`
  let term = variables.get(key)
  if (!term) variables.set(key, (term = new Node(created++, 'var', sort, NO_TERMS, 0, name, undefined)))
  return term
}

/** A constant of a sort that is not an array (those are written with constArray and store). */
export const constant = (sort: Sort, value: Value): Term => {
  const key = `${sort.id} ${valueKey(value)}`
  let term = constants.get(key)
  if (!term) constants.set(key, (term = new Node(created++, 'const', sort, NO_TERMS, 0, '', value)))
  return term
}

export const TRUE = constant(BOOL_SORT, true)
export const FALSE = constant(BOOL_SORT, false)

/** Every subterm once, arguments before what they are arguments of. `enter` false skips a term and what is below. */
export const postorder = (
  roots: readonly Term[],
  visit: (term: Term) => void,
  enter: (term: Term) => boolean = () => true,
): void => {
  const done = new Set<Term>()
  const stack: Term[] = []
  for (const root of roots) {
    stack.push(root)
    while (stack.length > 0) {
      const term = stack[stack.length - 1]!
      if (done.has(term) || !enter(term)) {
        stack.pop()
        continue
      }
      let ready = true
      for (let i = term.args.length - 1; i >= 0; i--) {
        const arg = term.args[i]!
        if (!done.has(arg) && enter(arg)) {
          stack.push(arg)
          ready = false
        }
      }
      if (!ready) continue
      stack.pop()
      done.add(term)
      visit(term)
    }
  }
}

/** The variables of a term, in the order of their creation. Cached. */
export const freeVariables = (term: Term): readonly Term[] => {
  const node = term as Node
  if (node.free) return node.free
  const found = new Set<Term>()
  postorder(
    [term],
    (t) => {
      if (t.op === 'var') found.add(t)
      else if ((t as Node).free) for (const v of (t as Node).free!) found.add(v)
    },
    (t) => {
      const free = t === term ? undefined : (t as Node).free
      if (free) for (const v of free) found.add(v)
      return !free
    },
  )
  return (node.free = [...found].sort((a, b) => a.id - b.id))
}

/** Number of different subterms. */
export const size = (term: Term): number => {
  let count = 0
  postorder([term], () => count++)
  return count
}
