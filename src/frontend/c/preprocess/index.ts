export type { Preprocessed } from './preprocessed.js'
