export { parseLitmus } from './parse.js'
export * from './test.js'
