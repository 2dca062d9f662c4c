export type { Candidate } from './candidates.js'
export { decideLitmus, type LitmusAnswer, type LitmusLimits, type LitmusUnknown } from './decide.js'
export { finalState, viewCandidate } from './view.js'
