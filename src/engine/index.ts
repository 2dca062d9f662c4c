export * from './engine.js'
export * from './registry.js'
export * from './weak-memory.js'
export * from './weak-orders.js'
