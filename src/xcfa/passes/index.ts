export * from './back-edges.js'
export * from './edit.js'
export * from './labels.js'
export * from './large-block.js'
