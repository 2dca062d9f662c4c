export { CommonText, type PreprocessOptions, preprocess, type SystemHeaders } from './preprocess.js'
export type { Preprocessed } from './preprocessed.js'
