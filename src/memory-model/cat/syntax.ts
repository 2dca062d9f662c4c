// The syntax of the CAT language (Alglave, Cousot, Maranget: Syntax and semantics of the weak consistency model
// specification language CAT), as far as models of memory use it: sets and relations, definitions, functions,
// recursion, checks and flags.

export interface Position {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What is wrong with a model, and where. */
export interface CatError {
  readonly at: Position
  readonly message: string
}

export type Operator = '|' | '&' | ';' | '\\' | '*'
type Postfix = '+' | '*' | '?' | '^-1'

export type CatExpression =
  | { readonly kind: 'name'; readonly name: string; readonly at: Position }
  /** `0` in the language: the empty set or relation. */
  | { readonly kind: 'empty'; readonly at: Position }
  | {
      readonly kind: 'binary'
      readonly operator: Operator
      readonly left: CatExpression
      readonly right: CatExpression
      readonly at: Position
    }
  | { readonly kind: 'postfix'; readonly operator: Postfix; readonly operand: CatExpression; readonly at: Position }
  | { readonly kind: 'complement'; readonly operand: CatExpression; readonly at: Position }
  /** `[S]`: the identity on a set. */
  | { readonly kind: 'identity'; readonly set: CatExpression; readonly at: Position }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly arguments: readonly CatExpression[]
      readonly at: Position
    }
  | {
      readonly kind: 'let-in'
      readonly bindings: readonly CatBinding[]
      readonly recursive: boolean
      readonly body: CatExpression
      readonly at: Position
    }
  /** `try E with E'`: the second if the first uses a name that is not known. */
  | { readonly kind: 'try'; readonly first: CatExpression; readonly second: CatExpression; readonly at: Position }

export interface CatBinding {
  readonly name: string
  /** The parameters of a function; none for a set or a relation. */
  readonly parameters: readonly string[]
  readonly body: CatExpression
  readonly at: Position
}

export type Test = 'acyclic' | 'irreflexive' | 'empty'

export type CatStatement =
  | {
      readonly kind: 'let'
      readonly bindings: readonly CatBinding[]
      readonly recursive: boolean
      readonly at: Position
    }
  | {
      readonly kind: 'check'
      readonly test: Test
      readonly negated: boolean
      readonly expression: CatExpression
      readonly name?: string
      readonly at: Position
    }
  /** Not a constraint: an execution with this property is reported under the name. */
  | {
      readonly kind: 'flag'
      readonly test: Test
      readonly negated: boolean
      readonly expression: CatExpression
      readonly name: string
      readonly at: Position
    }
  | { readonly kind: 'include'; readonly file: string; readonly at: Position }

export interface CatFile {
  readonly title: string
  readonly statements: readonly CatStatement[]
}
