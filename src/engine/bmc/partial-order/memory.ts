// Memory without an array theory: a read of a region is a variable of its own with an address, a write an address with
// a value and a condition. What an event stored before it reads again is found in its own stores. Terms share parts, so
// that each part is looked at once for an address.
import { eq, FALSE, ite, or, postorder, select, store, type Term, TRUE } from '../../../logic/index.js'
import { rebuild } from '../../../logic/rewrite.js'

/** Replaces reads of base arrays by what `read` says, looking through stores and choices. */
export const withoutSelects = (roots: readonly Term[], read: (array: Term, address: Term) => Term): readonly Term[] => {
  const done = new Map<Term, Term>()
  const found = new Map<Term, Map<Term, Term>>()
  const readFrom = (array: Term, address: Term): Term => {
    let known = found.get(address)
    if (!known) found.set(address, (known = new Map()))
    let value = known.get(array)
    if (!value) known.set(array, (value = look(array, address)))
    return value
  }
  const look = (array: Term, address: Term): Term => {
    if (array.op === 'store') {
      const [inner, at, value] = array.args as readonly [Term, Term, Term]
      const same = eq(address, at)
      return same === TRUE ? value : ite(same, value, readFrom(inner, address))
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

/**
 * The writes in an array term over a base: for each address that is stored to, whether it was and what is there in the
 * end. Two addresses that turn out to be the same have the same value.
 */
export const writesOf = (array: Term): readonly RegionWrite[] => {
  const parts: Term[] = []
  const seen = new Set<Term>()
  const visit = (part: Term): void => {
    if (seen.has(part)) return
    seen.add(part)
    if (part.op === 'store') visit(part.args[0]!)
    if (part.op === 'ite') for (const branch of part.args.slice(1)) visit(branch)
    parts.push(part)
  }
  visit(array)
  const addresses = new Set(parts.flatMap((part) => (part.op === 'store' ? [part.args[1]!] : [])))
  return [...addresses].map((address) => ({ address, ...contentAt(array, address, parts) }))
}

/** `parts`: those of the array, inner ones first. */
const contentAt = (array: Term, address: Term, parts: readonly Term[]): { condition: Term; value: Term } => {
  const contents = new Map<Term, { readonly condition: Term; readonly value: Term | undefined }>()
  for (const part of parts) {
    if (part.op === 'store') {
      const [inner, at, value] = part.args as readonly [Term, Term, Term]
      const [same, before] = [eq(at, address), contents.get(inner)!]
      const now = before.value && same !== TRUE ? ite(same, value, before.value) : value
      contents.set(part, same === FALSE ? before : { condition: or(same, before.condition), value: now })
    } else if (part.op === 'ite') {
      const [choice, a, b] = [part.args[0]!, contents.get(part.args[1]!)!, contents.get(part.args[2]!)!]
      const value = a.value && b.value ? ite(choice, a.value, b.value) : (a.value ?? b.value)
      contents.set(part, { condition: ite(choice, a.condition, b.condition), value })
    } else contents.set(part, { condition: FALSE, value: undefined })
  }
  const { condition, value } = contents.get(array)!
  return { condition, value: value! }
}
