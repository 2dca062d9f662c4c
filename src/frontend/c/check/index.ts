export { type CheckedProgram, check } from './check.js'
export type { Library } from './context.js'

export { sizeOf, targetOf, typeName, unqualified } from './types.js'
