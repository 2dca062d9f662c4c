export { MAX_CHARACTERS, MAX_NESTING, Rejected } from './json.js'
export * from './model.js'
export * from './read.js'
