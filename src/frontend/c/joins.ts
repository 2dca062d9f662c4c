// Whether threads other than main may join: only then can two threads join each other, which the C library tells one of
// them (EDEADLK), and which costs states that other programs need not have.
import type { CExpr, CFunction, CProgram, CStatement } from './ast.js'
import { subexpressions } from './lower/effects/purity.js'
import { expressionsOf, substatements } from './lower/effects/written-first.js'

const isLibrary = ({ position }: CFunction): boolean => position.file.startsWith('<')

/** A thread begins in a function whose address is taken: does one of those lead to a join? */
export const otherThreadsJoin = ({ functions }: CProgram): boolean => {
  const reached = new Set([...functions.values()].filter((f) => f.addressTaken && !isLibrary(f)))
  for (const { body } of reached)
    for (const used of body ? functionsIn(body) : [])
      if (used.name === 'pthread_join' || used.name === 'thrd_join') return true
      else reached.add(used)
  return false
}

const functionsIn = (s: CStatement): readonly CFunction[] => [
  ...expressionsOf(s).flatMap(functionsOf),
  ...substatements(s).flatMap(functionsIn),
]

const functionsOf = (e: CExpr): readonly CFunction[] => [
  ...(e.kind === 'function' ? [e.function] : []),
  ...(e.kind === 'statements' ? e.body.flatMap(functionsIn) : []),
  ...subexpressions(e).flatMap(functionsOf),
]
