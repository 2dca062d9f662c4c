export * from './abstraction.js'
export * from './footprint.js'
export * from './future.js'
export * from './persistent.js'
