// The door of the preprocessor.

import { readLineMarkers } from './markers.js'
import type { Preprocessed } from './preprocessed.js'

export interface PreprocessOptions {
  readonly dataModel: 'ilp32' | 'lp64'
  /** NAME or NAME=VALUE, as with -D. */
  readonly defines?: readonly string[]
  /** As with -I. */
  readonly includeDirectories?: readonly string[]
  /** A file of the user, undefined if there is none. */
  readonly readFile?: (path: string) => string | undefined
  /** A header of the library by its name ("pthread.h"), undefined if there is none. */
  readonly header?: (name: string) => string | undefined
}

export const preprocess = (file: string, text: string, _options: PreprocessOptions): Preprocessed =>
  readLineMarkers(file, text)!
