export * from './expr.js'
export * from './model.js'
export * from './types.js'
export * from './unsupported.js'
