// Addresses in a normal form: the base, the terms that vary, then one constant. So a[3].x is one constant, and a[i].x
// is a plus i times the size plus the offset of x.
import { add, binary, constant, type Expr, intType } from '../../index.js'

/** The same address with all constants of its sum in one. */
export const normalAddress = (e: Expr): Expr => {
  if (e.type.kind !== 'pointer' || e.kind !== 'binary') return e
  let bytes: Expr = constant(intType(e.type.width, true), 0)
  const terms: Expr[] = []
  let base: Expr = e
  // build.ts writes p - c as p + (-c), so sums are all that matters.
  while (base.kind === 'binary' && base.op === 'add') {
    const parts = summands(base.right)
    for (const part of parts) if (part.kind === 'const') bytes = add(bytes, part)
    terms.unshift(...parts.filter((part) => part.kind !== 'const'))
    base = base.left
  }
  const plus = (sum: Expr, term: Expr): Expr => add(sum, term)
  // The base stays an address of its object, which base + bytes need not be: a[i - 1] begins before a.
  return add(terms.reduce(plus, base), bytes)
}

/** (i + 1) * 8 is i * 8 + 8: what is multiplied out stays exact, for addresses wrap like their offsets. */
const summands = (e: Expr): readonly Expr[] => {
  if (e.kind !== 'binary') return [e]
  if (e.op === 'add') return [...summands(e.left), ...summands(e.right)]
  const { left: sum, right: factor } = e
  if (e.op === 'mul' && factor.kind === 'const' && sum.kind === 'binary' && sum.op === 'add')
    return summands(sum).flatMap((term) => summands(binary('mul', term, factor)))
  return [e]
}
