// Memory without an array theory: a read of a region is a variable of its own with an address, a write an address with
// a value and a condition. What an event stored before it reads again is found in its own stores.
import { and, eq, ite, not, postorder, select, store, type Term, TRUE } from '../../../logic/index.js'
import { rebuild } from '../../../logic/rewrite.js'

/** Replaces reads of base arrays by what `read` says, looking through stores and choices. */
export const withoutSelects = (roots: readonly Term[], read: (array: Term, address: Term) => Term): readonly Term[] => {
  const done = new Map<Term, Term>()
  const readFrom = (array: Term, address: Term): Term => {
    if (array.op === 'store') {
      const [inner, at, value] = array.args as readonly [Term, Term, Term]
      return ite(eq(address, at), value, readFrom(inner, address))
    }
    if (array.op === 'ite') {
      const [condition, a, b] = array.args as readonly [Term, Term, Term]
      return ite(condition, readFrom(a, address), readFrom(b, address))
    }
    return array.op === 'var' ? read(array, address) : select(array, address)
  }
  postorder(roots, (term) => {
    const args = term.args.map((arg) => done.get(arg)!)
    if (term.op === 'select') done.set(term, readFrom(args[0]!, args[1]!))
    else if (term.op === 'store') done.set(term, store(args[0]!, args[1]!, args[2]!))
    else done.set(term, args.every((arg, i) => arg === term.args[i]) ? term : rebuild(term, args))
  })
  return roots.map((root) => done.get(root)!)
}

export interface RegionWrite {
  readonly condition: Term
  readonly address: Term
  readonly value: Term
}

/** The writes in an array term over a base; of two to one address in the same event, the later counts. */
export const writesOf = (array: Term, condition: Term = TRUE): readonly RegionWrite[] => {
  if (array.op === 'store') {
    const [inner, address, value] = array.args as readonly [Term, Term, Term]
    const earlier = writesOf(inner, condition).map((w) => ({
      ...w,
      condition: and(w.condition, not(eq(w.address, address))),
    }))
    return [...earlier, { condition, address, value }]
  }
  if (array.op === 'ite') {
    const [choice, a, b] = array.args as readonly [Term, Term, Term]
    return [...writesOf(a, and(condition, choice)), ...writesOf(b, and(condition, not(choice)))]
  }
  return []
}
