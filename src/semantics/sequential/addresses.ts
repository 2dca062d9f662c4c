// Whether a program can tell where its objects lie: one execution has one set of addresses, and others are as good. C
// leaves the order of objects open, and lets an allocation take the address of a freed block (C11 6.5.8p5, 7.22.3).
import { children, type Expr, isLibrary, type Label, type Unit } from '../../xcfa/index.js'
import { expressionsOf } from '../../xcfa/passes/index.js'
import { layoutDependenceInUnit } from '../../xcfa/passes/memory/address-values.js'

export const maySeeAddresses = (unit: Unit): boolean =>
  mayCompareAddresses(unit) || layoutDependenceInUnit(unit) !== undefined

const mayCompareAddresses = ({ procedures }: Unit): boolean => {
  const labels = [...procedures.values()].flatMap(({ edges }) =>
    // The library's own comparisons (memmove's, say) give the same result wherever objects lie.
    edges.filter(({ position }) => !isLibrary(position)).flatMap((edge) => edge.labels),
  )
  const reuses = [...procedures.values()].some(({ edges }) => edges.some((edge) => edge.labels.some(isFree)))
  return labels.some((label) => expressionsOf(label).some((expr) => sees(expr, reuses)))
}

const isFree = ({ kind }: Label): boolean => kind === 'free'

const sees = (expr: Expr, reuses: boolean): boolean => {
  switch (expr.kind) {
    case 'const':
      return expr.type.kind === 'int' && expr.from !== undefined
    case 'compare':
      if (isAddress(expr.left) && isAddress(expr.right) && (reuses || (expr.op !== 'eq' && expr.op !== 'ne')))
        return true
      break
    case 'cast':
    case 'bitcast':
      if (isAddress(expr.arg) && expr.type.kind !== 'pointer' && expr.type.kind !== 'bool') return true
      break
    default:
  }
  return children(expr).some((child) => sees(child, reuses))
}

/** NULL is everywhere the same. */
const isAddress = (expr: Expr): boolean => expr.type.kind === 'pointer' && !(expr.kind === 'const' && expr.value === 0)
