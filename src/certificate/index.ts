export { MAX_CHARACTERS, Rejected } from './json.js'
export * from './model.js'
export * from './read.js'
export { reducedCertificate } from './reduced.js'
