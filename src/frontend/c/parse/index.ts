export { type CParser, loadParser } from './parser.js'
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
