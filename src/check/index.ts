export {
  type GraphCertificate,
  graphCertificate,
  MAX_CHARACTERS,
  type ReducedCertificate,
  Rejected,
  readCertificateFile,
  reducedCertificate,
} from '../certificate/index.js'
export type { Answer } from './answer.js'
export { checkCertificate } from './check.js'
export { type Asked, requireSameClaim } from './claim.js'
export { checkReduced } from './commute/commute.js'
export { spotCheckReduced } from './commute/spot.js'
export { formulaOf } from './formula.js'
export { checkGraph } from './graph/graph.js'
export { spotCheckGraph } from './graph/spot.js'
export { mayRaceSomewhere } from './locks.js'
export { Undecided } from './proof.js'
