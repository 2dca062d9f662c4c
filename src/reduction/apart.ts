// Why two accesses of one region cannot meet although their addresses are not constants: each thread touches its own
// copy of a thread-local object, or the addresses leave different remainders (fields of the elements of an array).
// Remainders are found flow-insensitively for a thread's variables. Pointers do not wrap (types.ts; C11 6.5.6p8), so who
// relies on this assumes valid dereferences; integers do, which leaves remainders of powers of two.
import { gcd } from '../logic/gcd.js'
import {
  type BinaryOp,
  type Expr,
  isSigned,
  type MemoryAccess,
  type Procedure,
  type Type,
  type Variable,
} from '../xcfa/index.js'
import { liveAt } from '../xcfa/passes/inline/liveness.js'
import { written } from '../xcfa/passes/labels.js'

/** Of the values that are `rest` plus a multiple of `modulus`; 0: `rest` itself. */
interface Residue {
  readonly rest: number
  readonly modulus: number
}

export type Residues = ReadonlyMap<Variable, Residue>

const ANY: Residue = { rest: 0, modulus: 1 }

/** Different instances of threads; `residues` as each template has them. */
export const areApart = (a: MemoryAccess, mine: Residues, b: MemoryAccess, others: Residues): boolean => {
  const [x, y] = [residueOf(a.address, mine), residueOf(b.address, others)]
  const modulus = gcd(x.modulus, y.modulus)
  if (modulus === 0) return false
  const distance = positive(x.rest - y.rest, modulus)
  return distance >= b.size && modulus - distance >= a.size
}

/** Both are of the executing thread's own copy of one object. */
export const areOwnCopies = (a: MemoryAccess, one: Instance, b: MemoryAccess, other: Instance): boolean => {
  const object = ownCopy(a, one)
  return object !== undefined && object === ownCopy(b, other)
}

interface Instance {
  readonly template: Procedure
  readonly number: number | undefined
}

const ownCopy = ({ address, size, region }: MemoryAccess, { template, number }: Instance) => {
  const at = multipleOf(address, template.self)
  if (!at) return undefined
  return region.slots.find(({ object }) => {
    if (object.storage !== 'thread') return false
    const isOwn = at.factor === object.stride || (at.factor === 0 && number !== undefined)
    const offset = at.constant - object.base - (at.factor === 0 ? (number ?? 0) * object.stride : 0)
    return isOwn && offset >= 0 && offset + size <= object.size
  })?.object
}

/** The expression as `constant` plus `factor` times the variable. */
const multipleOf = (e: Expr, variable: Variable): { constant: number; factor: number } | undefined => {
  switch (e.kind) {
    case 'const':
      return typeof e.value === 'number' ? { constant: e.value, factor: 0 } : undefined
    case 'var':
      return e.variable === variable ? { constant: 0, factor: 1 } : undefined
    case 'cast': {
      const inner = multipleOf(e.arg, variable)
      return e.arg.kind === 'var' || inner?.factor === 0 ? inner : undefined
    }
    case 'binary': {
      const [left, right] = [multipleOf(e.left, variable), multipleOf(e.right, variable)]
      if (!left || !right) return undefined
      if (e.op === 'add') return { constant: left.constant + right.constant, factor: left.factor + right.factor }
      if (e.op !== 'mul' || right.factor !== 0) return undefined
      return { constant: left.constant * right.constant, factor: left.factor * right.constant }
    }
    default:
      return undefined
  }
}

// ---- remainders

export const residuesOf = (template: Procedure): Residues => {
  const residues = new Map<Variable, Residue>()
  for (const variable of [...template.parameters, template.self, ...(liveAt(template).get(template.initial) ?? [])])
    residues.set(variable, ANY)
  const labels = template.edges.flatMap((edge) => edge.labels)
  for (let changed = true; changed; ) {
    changed = false
    for (const label of labels)
      for (const target of written(label)) {
        const value = label.kind === 'assign' ? residueOf(label.value, residues, true) : ANY
        const known = residues.get(target)
        const joined = known && value ? join(known, value) : (value ?? known)
        if (!joined || (known && joined.rest === known.rest && joined.modulus === known.modulus)) continue
        residues.set(target, joined)
        changed = true
      }
  }
  return residues
}

function residueOf(e: Expr, residues: Residues): Residue
/** `growing`: undefined where a variable has no value yet. */
function residueOf(e: Expr, residues: Residues, growing: true): Residue | undefined
function residueOf(e: Expr, residues: Residues, growing?: true): Residue | undefined {
  const of = (part: Expr): Residue | undefined =>
    growing ? residueOf(part, residues, growing) : residueOf(part, residues)
  switch (e.kind) {
    case 'const':
      return isNumber(e.type) && typeof e.value === 'number' ? { rest: e.value, modulus: 0 } : ANY
    case 'var':
      if (e.variable.scope === 'global') return ANY
      return residues.get(e.variable) ?? (growing ? undefined : ANY)
    case 'cast': {
      const inner = of(e.arg)
      return inner && converted(inner, e.arg.type, e.type)
    }
    case 'ite': {
      const [one, other] = [of(e.then), of(e.else)]
      return one && other ? join(one, other) : (one ?? other)
    }
    case 'binary': {
      const [left, right] = [of(e.left), of(e.right)]
      return left && right && wrapped(combined(e.op, left, right), e)
    }
    default:
      return ANY
  }
}

/** Multiples of what has 32 bits do not wrap in 64, nor does what is known to be small. */
const wrapped = (residue: Residue, e: Expr & { readonly kind: 'binary' }): Residue => {
  if (e.type.kind === 'pointer' || isSmall(residue)) return residue
  const isIndexed = e.op === 'mul' && e.left.kind === 'cast' && widthOf(e.left.arg.type) <= 32 && widthOf(e.type) === 64
  return isIndexed && e.right.kind === 'const' && Math.abs(Number(e.right.value)) < 2 ** 30
    ? residue
    : ofWrapped(residue)
}

/** A conversion keeps the bits that fit: of truth values and floats, and of few bits, nothing is known. */
const converted = (residue: Residue, from: Type, to: Type): Residue => {
  if (!isNumber(from) || !isNumber(to) || widthOf(from) < 8 || widthOf(to) < 8) return ANY
  const isSame =
    widthOf(from) === widthOf(to) &&
    (from.kind === 'pointer' || to.kind === 'pointer' || isSigned(from) === isSigned(to))
  return isSame || isSmall(residue) ? residue : ofWrapped(residue)
}

const isNumber = (type: Type): boolean => type.kind === 'int' || type.kind === 'pointer'

const isSmall = ({ rest, modulus }: Residue): boolean => modulus === 0 && rest >= 0 && rest < 128

const ofWrapped = ({ rest, modulus }: Residue): Residue => normal(rest, gcd(modulus, 256))

const widthOf = (type: Type): number => (type.kind === 'int' || type.kind === 'pointer' ? type.width : 1)

const combined = (op: BinaryOp, left: Residue, right: Residue): Residue => {
  switch (op) {
    case 'add':
      return normal(left.rest + right.rest, gcd(left.modulus, right.modulus))
    case 'sub':
      return normal(left.rest - right.rest, gcd(left.modulus, right.modulus))
    case 'mul':
      if (right.modulus === 0) return normal(left.rest * right.rest, left.modulus * Math.abs(right.rest))
      return left.modulus === 0 ? combined(op, right, left) : ANY
    default:
      return ANY
  }
}

const join = (a: Residue, b: Residue): Residue =>
  normal(a.rest, gcd(gcd(a.modulus, b.modulus), Math.abs(a.rest - b.rest)))

/** Exact as long as numbers are safe. */
const normal = (rest: number, modulus: number): Residue =>
  Number.isSafeInteger(rest) && Number.isSafeInteger(modulus)
    ? { rest: modulus === 0 ? rest : positive(rest, modulus), modulus }
    : ANY

const positive = (value: number, modulus: number): number => ((value % modulus) + modulus) % modulus
