export * from './terminal.js'
