// Whether a program looks at what a function returns. A result that nobody looks at need not be chosen: that would be
// executions that differ in nothing.
import { isLibrary } from '../../xcfa/index.js'
import type { CExpr, CProgram, CStatement } from './ast.js'
import { expressionsWithin, namedFunction } from './joins.js'
import { substatements } from './lower/effects/written-first.js'

/** Not if every mention of the function is a call that is a statement of its own. */
export const looksAtResult = ({ functions }: CProgram, name: string): boolean => {
  if (functions.get(name)?.addressTaken) return true
  return [...functions.values()].some((f) => {
    if (!f.body || isLibrary(f.position)) return false
    const mentions = expressionsWithin(f.body).filter((e) => e.kind === 'function' && e.function.name === name)
    return mentions.length !== statementsWithin(f.body).filter((s) => isCallOf(s, name)).length
  })
}

const statementsWithin = (s: CStatement): readonly CStatement[] => [s, ...substatements(s).flatMap(statementsWithin)]

const isCallOf = (s: CStatement, name: string): boolean => {
  if (s.kind !== 'expression') return false
  const e: CExpr = s.expression.kind === 'cast' ? s.expression.operand : s.expression
  return e.kind === 'call' && namedFunction(e.callee)?.name === name
}
