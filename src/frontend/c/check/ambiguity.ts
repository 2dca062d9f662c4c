// `a * b;` is a declaration if `a` is a type, otherwise a product. The parser knows the types; of a name that is none,
// the grammar still makes a declaration here.
import { field, fields, type SyntaxNode } from '../parse/index.js'
import { type Context, lookup, textOf } from './context.js'

/** The expression statement that this declaration is in truth; undefined: it is a declaration. */
export const productStatement = (c: Context, node: SyntaxNode): SyntaxNode | undefined => {
  const type = field(node, 'type')
  const declarators = fields(node, 'declarator')
  const [declarator] = declarators
  if (type?.type !== 'type_identifier' || declarators.length !== 1 || declarator?.type !== 'pointer_declarator')
    return undefined
  const symbol = lookup(c, textOf(c, type))
  if (!symbol || symbol.kind === 'typedef') return undefined
  const left: SyntaxNode = { ...type, type: 'identifier', role: 'left' }
  const right = asOperand(field(declarator, 'declarator')!)
  if (!right) return undefined
  const operator: SyntaxNode = { ...declarator.children[0]!, role: 'operator' }
  const children = [left, operator, { ...right, role: 'right' }]
  const product: SyntaxNode = { ...node, type: 'binary_expression', role: undefined, end: right.end, children }
  return { ...node, type: 'expression_statement', children: [product] }
}

const asOperand = (declarator: SyntaxNode): SyntaxNode | undefined => {
  const inner = field(declarator, 'declarator')
  if (!inner) return declarator.type === 'identifier' ? declarator : undefined
  const argument = asOperand(inner)
  if (!argument) return undefined
  const operand: SyntaxNode = { ...argument, role: 'argument' }
  if (declarator.type === 'pointer_declarator')
    return {
      ...declarator,
      type: 'pointer_expression',
      children: [{ ...declarator.children[0]!, role: 'operator' }, operand],
    }
  const size = field(declarator, 'size')
  if (declarator.type !== 'array_declarator' || !size) return undefined
  return { ...declarator, type: 'subscript_expression', children: [operand, { ...size, role: 'index' }] }
}
