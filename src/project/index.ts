export * from './compile-commands.js'
export * from './project-file.js'
