// The function that a call names, if it names one.
import type { CExpr, CFunction } from '../../ast.js'

export const calleeOf = (e: CExpr): CFunction | undefined => {
  switch (e.kind) {
    case 'function':
      return e.function
    case 'address':
    case 'load':
      return calleeOf(e.lvalue)
    case 'deref':
      return calleeOf(e.pointer)
    default:
      return undefined
  }
}
