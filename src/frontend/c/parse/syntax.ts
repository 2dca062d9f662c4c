// The syntax tree as plain values. tree-sitter's own nodes live behind WASM calls, which are slow to visit again and
// again; the tree is copied once. Node types and field names are those of the tree-sitter-c grammar, but:
// - a typedef name is always `type_identifier` (never `primitive_type`, not even size_t), and every use of one is parsed
//   as a type; an identifier that is no typedef name where it stands is parsed as a value wherever C allows both;
// - `typeof_specifier` (in the place of a type specifier): its child is a `type_descriptor` or an expression;
// - `atomic_specifier`: _Atomic(T), its child is a `type_descriptor`; `_Atomic T` is a `type_qualifier` as in the grammar;
// - `case_range` as the value of a `case_statement`: left and right of GNU's `case 1 ... 3`;
// - `label_address_expression`: GNU's &&label, its argument an identifier; `computed_goto_statement`: goto *p;
// - __builtin_va_arg, __builtin_types_compatible_p and __builtin_offsetof are `call_expression`s with `type_descriptor`
//   arguments (the member of offsetof is an expression: a.b[2]);
// - _Thread_local reads __thread, __alignof__ reads _Alignof; _Noreturn, restrict and __extension__ are left out;
//   _Static_assert is a call, in records left out.
import type { Position } from '../../../xcfa/index.js'

export interface SyntaxNode {
  /** The grammar's name of the node; for an anonymous token its own text ('+', 'struct', ';'). */
  readonly type: string
  /** False for anonymous tokens: keywords, operators, punctuation. */
  readonly named: boolean
  /** The field of the parent that holds this node. */
  readonly role: string | undefined
  /** Offsets into `SyntaxTree.text`, end exclusive. */
  readonly start: number
  readonly end: number
  /** All children in order, anonymous tokens included, comments left out. */
  readonly children: readonly SyntaxNode[]
}

/** A GNU attribute; the parser blanks them out of the text, so that they stand beside the tree. */
export interface Attribute {
  /** Without surrounding underscores: packed, aligned. */
  readonly name: string
  /** The text between its parentheses, '' without any. */
  readonly argument: string
  readonly start: number
  readonly end: number
}

export interface SyntaxTree {
  readonly root: SyntaxNode
  /** What was parsed: the preprocessed text with GNU spellings normalised, every character at its old offset. */
  readonly text: string
  readonly position: (offset: number) => Position
  /** The greatest alignment of members in a record that begins here (#pragma pack). */
  readonly packAt?: (offset: number) => number | undefined
  /** Ordered by `start`. */
  readonly attributes: readonly Attribute[]
}

export const textOf = (tree: SyntaxTree, node: SyntaxNode): string => tree.text.slice(node.start, node.end)

export const positionOf = (tree: SyntaxTree, node: SyntaxNode): Position => tree.position(node.start)

/** The child in a field, the first one if there are several. */
export const field = (node: SyntaxNode, role: string): SyntaxNode | undefined =>
  node.children.find((child) => child.role === role)

/** All children in a field: the declarators of a declaration. */
export const fields = (node: SyntaxNode, role: string): readonly SyntaxNode[] =>
  node.children.filter((child) => child.role === role)

export const namedChildren = (node: SyntaxNode): readonly SyntaxNode[] => node.children.filter((child) => child.named)

/** The first child of a type, named or token: child(node, 'else'). */
export const child = (node: SyntaxNode, type: string): SyntaxNode | undefined =>
  node.children.find((candidate) => candidate.type === type)
