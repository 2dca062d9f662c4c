export {
  type Attribute,
  attributesOf,
  child,
  field,
  fields,
  namedChildren,
  positionOf,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
} from './syntax.js'

import type { Preprocessed } from '../preprocess/index.js'
import type { SyntaxTree } from './syntax.js'

/** A loaded grammar. Parsing is synchronous; wrong input throws InputError. */
export interface CParser {
  readonly parse: (source: Preprocessed) => SyntaxTree
}
