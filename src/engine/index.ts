export * from './engine.js'
export * from './registry.js'
