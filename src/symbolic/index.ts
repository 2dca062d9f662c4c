// A step, and what there is before the first one: the one meaning of programs in formulas that engines share.
export * from './initial.js'
export * from './names.js'
export * from './path.js'
export * from './step.js'
export * from './steps.js'
export * from './trace.js'
