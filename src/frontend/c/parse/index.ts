export { type CParser, loadParser } from './parser.js'
export {
  type Attribute,
  child,
  field,
  fields,
  namedChildren,
  positionOf,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
} from './syntax.js'
