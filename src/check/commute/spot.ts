// A look at a proof up to commutativity before TRUE is said, for as long as there is time: nodes in the order in which
// they were explored, by the checker's own formulas.
import { type ReducedCertificate, Rejected } from '../../certificate/index.js'
import { type Smt, SolverError } from '../../smt/index.js'
import { type Program, Unsupported } from '../../xcfa/index.js'
import { NotExpressible } from '../../xcfa/terms/index.js'
import { Undecided } from '../proof.js'
import { checkReduced, type ReducedClaims } from './commute.js'

/** What is wrong with the proof, as far as it was looked at; undefined: nothing was found. */
export const spotCheckReduced = (
  program: Program,
  certificate: ReducedCertificate,
  claims: ReducedClaims,
  smt: Smt,
  stopped: () => string | undefined,
): string | undefined => {
  try {
    checkReduced(program, certificate, claims, smt, stopped)
    return undefined
  } catch (problem) {
    if (problem instanceof Rejected) return problem.message
    // Not looked at is not wrong.
    if ([Undecided, SolverError, Unsupported, NotExpressible].some((kind) => problem instanceof kind)) return undefined
    throw problem
  }
}
