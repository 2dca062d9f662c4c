// The factory over one of the two libraries: a context with its solvers.
import type { Smt } from '../interfaces.js'
import { Z3Context } from './context.js'
import type { Library } from './functions.js'
import { Z3Horn } from './horn.js'
import { Z3Solver } from './solver.js'

export const z3Smt = (library: Library): Smt => {
  const context = new Z3Context(library)
  return {
    name: `z3-${library.name}`,
    version: library.version,
    path: library.path,
    solver: (options = {}) => new Z3Solver(context, options),
    horn: (options = {}) => new Z3Horn(context, options),
    addressOfContext: typeof context.context === 'bigint' ? context.context : undefined,
    dispose: () => {
      context.dispose()
      library.dispose()
    },
  }
}
