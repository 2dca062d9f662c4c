// Compiler builtins by name; atomic operations are in atomics.ts.
import { cast, constant, type Expr, INT, Unsupported, varExpr } from '../../../../xcfa/index.js'
import type { CExpr } from '../../ast.js'
import { ARGUMENTS } from '../../check/expressions/variable-arguments.js'
import { isVoid } from '../../check/types.js'
import type { ProcedureBuilder } from '../builder.js'
import { evaluate, value } from '../expressions.js'
import { scalarType } from '../layout.js'
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
    case 'alloca': {
      const zero: CExpr = { kind: 'constant', value: 0, type: e.args[0]!.type, position: e.position }
      return intrinsic(b, '__heddle_allocate', false, { ...e, args: [e.args[0]!, zero] })?.value
    }
    default:
      throw new Unsupported(e.name, e.position)
  }
}

const converted = (b: ProcedureBuilder, e: CBuiltin, result: Expr): Expr =>
  isVoid(e.type) ? result : cast(scalarType(e.type, b.unit.target, e.position), result)
