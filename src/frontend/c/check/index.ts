export { type CheckedProgram, type CheckOptions, check } from './check.js'
export type { Library } from './context.js'
export { findMember } from './declarations/layout.js'
export { alignOf, sizeOf, type Target, targetOf, typeName, unqualified } from './types.js'
