export * from './report.js'
export * from './result.js'
