// Which identifiers are typedef names where they stand: scopes of braces, redeclaration by variables, parameters and
// enumerators (C11 6.2.1, 6.7.8). A pass over tokens, so that the grammar can be told before it parses.
import type { Lexeme } from '../preprocess/lexer.js'
import { BUILTIN_TYPES, KEYWORDS, QUALIFIERS, TYPE_KEYWORDS, TYPEOF } from './words.js'

interface Scope {
  readonly kind: 'file' | 'block' | 'record' | 'enum' | 'initializer'
  /** True: a typedef name. False: redeclared as something else. */
  readonly names: Map<string, boolean>
}

const TYPE_START = /^(?:struct|union|enum|__extension__)$/

export class TypeNames {
  private readonly scopes: Scope[] = [{ kind: 'file', names: new Map(BUILTIN_TYPES.map((name) => [name, true])) }]
  /** Tokens that declare a typedef name, and the ends of typedefs with the names visible from there. */
  private readonly declaring = new Set<number>()
  private readonly visibleAfter = new Map<number, readonly string[]>()
  /** Parameters that redeclare a typedef name, waiting for their function's body. */
  private parameters: string[] = []
  private readonly types = new Set<number>()
  private parentheses = 0

  constructor(
    private readonly tokens: readonly Lexeme[],
    private readonly closing: ReadonlyMap<number, number>,
  ) {}

  atFileScope(): boolean {
    return this.scopes.length === 1
  }

  inRecord(): boolean {
    return this.scopes.at(-1)!.kind === 'record'
  }

  /** Whether this token is the name that a typedef declares. */
  isDeclared(index: number): boolean {
    return this.declaring.has(index)
  }

  /** Asked once for each identifier, in order. */
  isType(index: number): boolean {
    const name = this.tokens[index]!.text
    const before = this.tokens[index - 1]
    if (before && /^(?:\.|->|struct|union|enum|goto)$/.test(before.text)) return false
    if (this.declaring.has(index) || !this.visible(name)) return false
    const scope = this.scopes.at(-1)!
    const next = this.tokens[index + 1]?.text
    if (scope.kind === 'block' && this.parentheses === 0 && next === ':') return false
    const enumerator = scope.kind === 'enum' && (before?.text === '{' || before?.text === ',')
    if (enumerator || this.followsType(index)) {
      // `unsigned __int128` declares nothing.
      if (!BUILTIN_TYPES.includes(name)) this.redeclare(name, scope)
      return false
    }
    this.types.add(index)
    return true
  }

  /** Asked about the token after a parenthesis: does a type name begin here? */
  startsType(index: number): boolean {
    const { text, kind } = this.tokens[index]!
    if (kind !== 'identifier') return false
    return (
      TYPE_START.test(text) || TYPE_KEYWORDS.has(text) || QUALIFIERS.has(text) || TYPEOF.has(text) || this.visible(text)
    )
  }

  /** Moves past a token. */
  advance(index: number): void {
    const { text, kind } = this.tokens[index]!
    if (kind === 'identifier' && text === 'typedef') this.collect(index)
    else if (kind === 'punctuator') this.bracket(text, index)
    const names = this.visibleAfter.get(index)
    if (names) for (const name of names) this.scopes.at(-1)!.names.set(name, true)
  }

  private bracket(text: string, index: number): void {
    if (text === '{') {
      const names = new Map(this.parameters.map((name) => [name, false]))
      this.scopes.push({ kind: this.braceKind(index), names })
      this.parameters = []
    } else if (text === '}' && this.scopes.length > 1) this.scopes.pop()
    else if (text === '(') this.parentheses++
    else if (text === ')') this.parentheses--
    else if (text === ';') this.parameters = []
  }

  /** Whether a name means a type here. */
  visible(name: string): boolean {
    for (let at = this.scopes.length - 1; at >= 0; at--) {
      const known = this.scopes[at]!.names.get(name)
      if (known !== undefined) return known
    }
    return false
  }

  private redeclare(name: string, scope: Scope): void {
    if (scope.kind === 'record') return
    if (scope.kind === 'file' && this.parentheses > 0) this.parameters.push(name)
    else if (scope.kind === 'enum') this.scopes.findLast((outer) => outer.kind !== 'enum')!.names.set(name, false)
    else scope.names.set(name, false)
  }

  /** A type specifier or a `*` stands before: then a name is a declarator, whatever it meant before. */
  followsType(index: number): boolean {
    let at = index - 1
    while (at >= 0 && QUALIFIERS.has(this.tokens[at]!.text)) at--
    const before = this.tokens[at]
    if (!before) return false
    if (before.text === '*' || TYPE_KEYWORDS.has(before.text) || this.types.has(at)) return true
    if (before.text === '}') return this.closedBraces.has(at)
    if (before.text === ')') return this.closesTypeof(at)
    return before.kind === 'identifier' && /^(?:struct|union|enum)$/.test(this.tokens[at - 1]?.text ?? '')
  }

  /** Ends of record and enum bodies. */
  private readonly closedBraces = new Set<number>()

  private closesTypeof(close: number): boolean {
    const open = this.openOf(close)
    const word = this.tokens[open - 1]?.text ?? ''
    return TYPEOF.has(word) || word === '_Atomic'
  }

  /** The parenthesis that this one closes. */
  openOf(close: number): number {
    let depth = 0
    for (let at = close; at >= 0; at--) {
      if (this.tokens[at]!.text === ')') depth++
      else if (this.tokens[at]!.text === '(' && --depth === 0) return at
    }
    return 0
  }

  private braceKind(index: number): Scope['kind'] {
    const before = this.tokens[index - 1]
    const isNamed = before?.kind === 'identifier' && !KEYWORDS.has(before.text)
    const keyword = this.tokens[this.beforeAttributes(isNamed ? index - 1 : index)]
    const close = this.closing.get(index)
    if (/^(?:struct|union|enum)$/.test(keyword?.text ?? '')) {
      if (close !== undefined) this.closedBraces.add(close)
      return keyword!.text === 'enum' ? 'enum' : 'record'
    }
    return before && /^[=,{(]$/.test(before.text) && this.scopes.at(-1)!.kind !== 'block' ? 'initializer' : 'block'
  }

  /** The token before this one and before attributes that stand between them. */
  beforeAttributes(index: number): number {
    let at = index - 1
    while (at >= 0 && this.tokens[at]!.text === ')') {
      const word = this.openOf(at) - 1
      if (!/^__attribute(?:__)?$/.test(this.tokens[word]?.text ?? '')) break
      at = word - 1
    }
    return at
  }

  /** The names that a typedef declares: the first identifier of each declarator. */
  private collect(start: number): void {
    const names: string[] = []
    let at = this.afterSpecifiers(start + 1)
    while (at < this.tokens.length) {
      const name = this.declaredName(at)
      if (name !== undefined) {
        this.declaring.add(name)
        names.push(this.tokens[name]!.text)
      }
      while (at < this.tokens.length && !/^[,;]$/.test(this.tokens[at]!.text)) at = (this.closing.get(at) ?? at) + 1
      if (this.tokens[at]?.text !== ',') break
      at++
    }
    this.visibleAfter.set(at, names)
  }

  private afterSpecifiers(start: number): number {
    let typed = false
    for (let at = start; ; at++) {
      const token = this.tokens[at]
      if (token?.kind !== 'identifier') return at
      if (/^(?:struct|union|enum)$/.test(token.text)) {
        at = this.skipAttributes(at)
        if (this.tokens[at + 1]?.kind === 'identifier') at++
        at = this.closing.get(at + 1) ?? at
        typed = true
      } else if (this.tokens[at + 1]?.text === '(' && /^(?:__attribute(?:__)?|_Alignas)$/.test(token.text)) {
        at = this.closing.get(at + 1) ?? at
      } else if (this.tokens[at + 1]?.text === '(' && (TYPEOF.has(token.text) || token.text === '_Atomic')) {
        at = this.closing.get(at + 1) ?? at
        typed = true
      } else if (TYPE_KEYWORDS.has(token.text) || BUILTIN_TYPES.includes(token.text)) typed = true
      else if (!QUALIFIERS.has(token.text) && token.text !== '__extension__') {
        if (typed) return at
        typed = true
      }
    }
  }

  /** From `struct` to the last token of the attributes after it. */
  private skipAttributes(at: number): number {
    let last = at
    while (/^__attribute(?:__)?$/.test(this.tokens[last + 1]?.text ?? '')) last = this.closing.get(last + 2) ?? last + 1
    return last
  }

  private declaredName(start: number): number | undefined {
    for (let at = start; at < this.tokens.length; at++) {
      const token = this.tokens[at]!
      if (/^__attribute(?:__)?$/.test(token.text)) at = this.closing.get(at + 1) ?? at
      else if (token.kind === 'identifier' && !QUALIFIERS.has(token.text)) return at
      else if (token.text === ';' || token.text === ',') return undefined
    }
    return undefined
  }
}
