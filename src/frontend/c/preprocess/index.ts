export { type PreprocessOptions, preprocess } from './preprocess.js'
export type { Preprocessed } from './preprocessed.js'
