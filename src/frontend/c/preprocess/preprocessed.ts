// The output of the preprocessor: one text for the parser, and where each of its characters comes from.
import type { Position } from '../../../xcfa/index.js'
import type { Pack } from './packing.js'

export interface Preprocessed {
  /** The file as it was named by the caller. */
  readonly file: string
  /** C without directives and macros. */
  readonly text: string
  /** Where the character at this offset of `text` was written; for a macro's expansion, the place of its use. */
  readonly position: (offset: number) => Position
  /** Where headers of the system come from. */
  readonly systemDirectories?: readonly string[]
  /** #pragma pack, in order of offsets. */
  readonly packs?: readonly Pack[]
}
