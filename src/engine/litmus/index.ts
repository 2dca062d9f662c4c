export { decideLitmus, type LitmusAnswer, type LitmusUnknown } from './decide.js'
export { finalState, viewCandidate } from './view.js'
