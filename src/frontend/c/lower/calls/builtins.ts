// Compiler builtins by name; atomic operations are in atomics.ts.
import { cast, constant, type Expr, INT, intType, Unsupported, varExpr } from '../../../../xcfa/index.js'
import type { CExpr } from '../../ast.js'
import { ARGUMENTS } from '../../check/expressions/variable-arguments.js'
import { isVoid } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { evaluate, value } from '../expressions.js'
import { heapObject } from '../initialise.js'
import { scalarType } from '../layout.js'
import { isEntry } from '../places.js'
import { atomicOperation } from './atomics.js'
import { intrinsic } from './intrinsics.js'

type CBuiltin = CExpr & { readonly kind: 'builtin' }

export const builtin = (b: ProcedureBuilder, e: CBuiltin): Expr | undefined => {
  const known = intrinsic(b, e.name, false, e)
  if (known) return known.value
  const atomic = atomicOperation(b, e)
  if (atomic) return atomic.value
  switch (e.name) {
    case ARGUMENTS:
      return varExpr(b.variableArguments!)
    case '__builtin_expect':
    case '__builtin_expect_with_probability':
    case '__builtin_assume_aligned':
      return converted(b, e, value(b, e.args[0]!))
    case '__builtin_unreachable':
      b.halt({ kind: 'undefined', text: e.name })
      return undefined
    case '__builtin_trap':
      b.halt({ kind: 'exit', text: e.name })
      return undefined
    case '__builtin_constant_p':
      return constant(INT, 0)
    case '__builtin_prefetch':
      for (const arg of e.args) evaluate(b, arg)
      return undefined
    case '__builtin_alloca':
    case 'alloca':
      return allocateUntilReturn(b, e)
    default:
      throw new Unsupported(e.name, e.position)
  }
}

/** The memory lives until the function returns, whatever block this is in. */
const allocateUntilReturn = (b: ProcedureBuilder, e: CBuiltin): Expr => {
  const size = cast(intType(b.unit.pointer.width, false), value(b, e.args[0]!))
  const target = b.temporary(b.unit.pointer)
  const lives = { automatic: 'function', ...(isEntry(b) && { permanent: true as const }) } as const
  b.emit({ kind: 'allocate', target, object: heapObject(b, 'alloca', 0, 'any', lives), size })
  return varExpr(target)
}

const converted = (b: ProcedureBuilder, e: CBuiltin, result: Expr): Expr =>
  isVoid(e.type) ? result : cast(scalarType(e.type, b.unit.target, e.position), result)
