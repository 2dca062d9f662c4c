export {
  isRacing,
  memoryErrorAt,
  raceAt,
} from '../semantics/violation.js'
export * from './errors.js'
export * from './lifetimes.js'
export * from './memory.js'
export * from './names.js'
export * from './vectors.js'
export * from './weak-orders.js'
