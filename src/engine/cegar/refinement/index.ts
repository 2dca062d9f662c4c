// From an abstract counterexample to a concrete one, or to a finer precision.
export * from './cellwise.js'
export * from './execution.js'
export * from './path.js'
export * from './precision.js'
export * from './refute.js'
