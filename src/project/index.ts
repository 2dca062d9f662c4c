export * from './compile-commands.js'
