// Abstract domains: what a state of the abstract state space knows, and how an action changes it.
export { normalRegion } from './cells.js'
export * from './domain.js'
export * from './enumerate.js'
export * from './few-values.js'
export * from './precision.js'
export * from './state.js'
