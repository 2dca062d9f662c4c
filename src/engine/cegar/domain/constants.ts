// Variables that the predicates of a state determine: by an equation, or by bounds that meet. They are replaced by their
// values before anything is asked, like variables that are tracked.
import { constant, isConstant, type Term } from '../../../logic/index.js'

interface Bounds {
  readonly low?: bigint
  readonly high?: bigint
}

export const constantsIn = (literals: readonly Term[]): ReadonlyMap<Term, Term> => {
  const constants = new Map<Term, Term>()
  const bounds = new Map<Term, Bounds>()
  const bound = (v: Term, more: Bounds): void => {
    const known = bounds.get(v)
    const low = greatest(known?.low, more.low)
    const high = least(known?.high, more.high)
    bounds.set(v, { ...(low !== undefined && { low }), ...(high !== undefined && { high }) })
    if (low !== undefined && low === high) constants.set(v, constant(v.sort, low))
  }
  for (const literal of literals) {
    const isNegated = literal.op === 'not'
    const atom = isNegated ? literal.args[0]! : literal
    const [a, b] = atom.args
    if (!a || !b) continue
    if (atom.op === '=' && !isNegated) {
      if (a.op === 'var' && isConstant(b)) constants.set(a, b)
      else if (b.op === 'var' && isConstant(a)) constants.set(b, a)
    } else if (atom.op === '<=' && a.sort.kind === 'int') {
      if (a.op === 'var' && isConstant(b)) bound(a, isNegated ? { low: bigintOf(b) + 1n } : { high: bigintOf(b) })
      else if (b.op === 'var' && isConstant(a)) bound(b, isNegated ? { high: bigintOf(a) - 1n } : { low: bigintOf(a) })
    }
  }
  return constants
}

const greatest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a

const least = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a

const bigintOf = (term: Term): bigint => term.value as bigint
