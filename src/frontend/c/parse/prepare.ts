// From preprocessed C to what tree-sitter-c understands. Its grammar knows no typedefs: `(T)-1`, `(T)*p` and
// `T (*f)(int)` would be read as expressions. One pass over the tokens follows the scopes of typedef names and hands
// the grammar `int` in the place of each; copying the tree (copy.ts) undoes that. GNU spellings go the same way.
import { type Position, Unsupported } from '../../../xcfa/index.js'
import { InputError } from '../diagnostic.js'
import { type Lexeme, lex } from '../preprocess/lexer.js'
import { checkTokens } from './brackets.js'
import type { Attribute } from './syntax.js'
import { TypeNames } from './typeNames.js'
import { type TokenRange, unusedDeclarations } from './unused.js'
import {
  ALIGNOF,
  COMPLEX,
  COMPLEX_PARTS,
  GRAMMAR_WORDS,
  KEYWORDS,
  QUALIFIERS,
  SPELLINGS,
  STORAGE,
  TYPE_ARGUMENT_BUILTINS,
  TYPE_KEYWORDS,
  TYPEOF,
} from './words.js'

/** `text` from start to end is handed to the grammar as `input`. Edits may nest: the outer one wins. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly input: string
}

/** Arguments that are parsed on their own, each either a type or an expression. */
export interface Placeholder {
  readonly kind:
    | 'typeof_specifier'
    | 'atomic_specifier'
    | 'call_expression'
    | 'sizeof_expression'
    | 'alignof_expression'
  readonly end: number
  /** The end of the word before the parenthesis. */
  readonly nameEnd: number
  /** Ranges of `text`. */
  readonly arguments: readonly { readonly start: number; readonly end: number }[]
}

export interface Prepared {
  /** As preprocessed, with attributes blanked and spellings normalised at the same length. */
  readonly text: string
  readonly edits: readonly Edit[]
  /** Offsets of typedef names that stand as `int` in the input. */
  readonly typeNames: ReadonlySet<number>
  readonly placeholders: ReadonlyMap<number, Placeholder>
  /** Offsets of the dots of `case 1 ... 3`, which stand as `||` in the input. */
  readonly caseRanges: ReadonlySet<number>
  /** Offsets of sizeof before an expression, which stand as `~`: the grammar reads sizeof (a)[0], sizeof(int)-1 wrongly. */
  readonly sizeofs: ReadonlySet<number>
  /** Offsets of variables that stand as `0`: the grammar reads (a)-(b) and (a[i])-(b) as casts. */
  readonly values: ReadonlySet<number>
  /** Offsets of the `goto` of `goto *p`, which stand as `return`, and of `&&` before a label, which stand as `&`. */
  readonly computedGotos: ReadonlySet<number>
  readonly labelAddresses: ReadonlySet<number>
  readonly attributes: readonly Attribute[]
}

/** Each level is parsed on its own. */
const MAX_NESTED_PLACEHOLDERS = 50

const IDENTIFIER = 'heddle_identifier'

/** GNU: 2.0i */
const IMAGINARY = /^[0-9.]+(?:e[+-]?\d+)?[fl]?[ij][fl]?$/i

/** `mayDrop`: the declaration at this offset is a header's, and need not be parsed if nothing names it. */
export const prepare = (
  text: string,
  position: (offset: number) => Position,
  mayDrop: (offset: number) => boolean,
): Prepared => {
  const tokens = lex(text)
  const closing = checkTokens(tokens, position)
  return new Preparation(text, tokens, closing, position).run(unusedDeclarations(tokens, closing, mayDrop))
}

class Preparation {
  private readonly edits: Edit[] = []
  private readonly blanks: Edit[] = []
  private readonly typeNameOffsets = new Set<number>()
  private readonly placeholders = new Map<number, Placeholder>()
  private readonly caseRanges = new Set<number>()
  private readonly sizeofs = new Set<number>()
  private readonly values = new Set<number>()
  private readonly computedGotos = new Set<number>()
  private readonly labelAddresses = new Set<number>()
  private readonly attributes: Attribute[] = []
  private readonly names: TypeNames
  /** Where the placeholders end that the current token stands in. */
  private readonly openPlaceholders: number[] = []

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Lexeme[],
    /** For each opening bracket the index of its end. */
    private readonly closing: ReadonlyMap<number, number>,
    private readonly position: (offset: number) => Position,
  ) {
    this.names = new TypeNames(tokens, closing)
  }

  run(unused: readonly TokenRange[]): Prepared {
    let index = 0
    for (const { from, to } of unused) {
      while (index < from) index = this.token(index)
      this.edits.push({ start: this.tokens[from]!.start, end: this.tokens[to - 1]!.end, input: '' })
      index = to
    }
    while (index < this.tokens.length) index = this.token(index)
    this.edits.sort((a, b) => a.start - b.start || b.end - a.end)
    return {
      text: blanked(this.text, this.blanks),
      edits: this.edits,
      typeNames: this.typeNameOffsets,
      placeholders: this.placeholders,
      caseRanges: this.caseRanges,
      sizeofs: this.sizeofs,
      values: this.values,
      computedGotos: this.computedGotos,
      labelAddresses: this.labelAddresses,
      attributes: this.attributes,
    }
  }

  /** Treats one token, or a group that is dropped, and gives the index after it. */
  private token(index: number): number {
    const token = this.tokens[index]!
    if (token.kind === 'identifier') return this.word(token, index)
    this.punctuator(token, index)
    this.names.advance(index)
    return index + 1
  }

  private word(token: Lexeme, index: number): number {
    const word = token.text
    if (word === '__attribute__' || word === '__attribute') return this.attribute(index)
    if (word === '__asm__' || word === '__asm' || word === 'asm') return this.assembly(index)
    if (word === 'sizeof' || ALIGNOF.has(word)) return this.size(index)
    const spelling = SPELLINGS.get(word)
    if (spelling !== undefined) this.respell(token, spelling)
    else if (COMPLEX.has(word)) this.complex(token, index)
    else if (COMPLEX_PARTS.has(word)) this.edits.push({ start: token.start, end: token.end, input: '* ' })
    else if (TYPEOF.has(word)) this.placeholder(index, 'typeof_specifier')
    else if (word === '_Atomic' && this.tokens[index + 1]?.text === '(') this.placeholder(index, 'atomic_specifier')
    else if (TYPE_ARGUMENT_BUILTINS.has(word)) this.placeholder(index, 'call_expression')
    else if (word === '_Static_assert' && this.names.inRecord()) return this.drop(index)
    else if (word === 'goto' && this.tokens[index + 1]?.text === '*') this.computedGoto(token)
    else if (!KEYWORDS.has(word)) this.name(token, index)
    this.names.advance(index)
    return index + 1
  }

  /** The grammar knows no complex types: a qualifier beside a type, a type of its own otherwise. */
  private complex({ start, end }: Lexeme, index: number): void {
    const isType = (at: number): boolean => {
      const text = this.tokens[at]?.text ?? ''
      return QUALIFIERS.has(text)
        ? isType(at + (at < index ? -1 : 1))
        : TYPE_KEYWORDS.has(text) || this.names.visible(text)
    }
    this.edits.push({ start, end, input: isType(index - 1) || isType(index + 1) ? '_Nonnull' : 'double' })
  }

  private name(token: Lexeme, index: number): void {
    if (this.lacksType(index)) this.edits.push({ start: token.start, end: token.start, input: 'int ' })
    if (this.names.isType(index)) {
      this.typeNameOffsets.add(token.start)
      this.edits.push({ start: token.start, end: token.end, input: 'int' })
    } else if (this.looksLikeType(index)) {
      this.values.add(token.start)
      this.edits.push({ start: token.start, end: token.end, input: '0 ' })
    } else if (GRAMMAR_WORDS.has(token.text)) {
      this.edits.push({ start: token.start, end: token.end, input: IDENTIFIER })
    }
  }

  /** The first word of an expression in parentheses, where the grammar would think of a cast. */
  private looksLikeType(index: number): boolean {
    const next = this.tokens[index + 1]?.text
    if (this.tokens[index - 1]?.text !== '(' || (next !== ')' && next !== '[' && next !== '(')) return false
    const before = this.tokens[index - 2]
    if (!before) return false
    if (before.kind === 'identifier') return /^(?:return|case|sizeof|else|do)$/.test(before.text)
    if (before.text === '*' && this.declaresPointer(index - 2)) return false
    return isOperandExpected(before) && (!this.names.atFileScope() || !/^[*,(;]$/.test(before.text))
  }

  /** `int *(p[3])`: the asterisks up to this one follow a type. */
  private declaresPointer(index: number): boolean {
    let at = index
    while (at > 0 && (this.tokens[at]!.text === '*' || QUALIFIERS.has(this.tokens[at]!.text))) at--
    return this.tokens[at]!.kind === 'identifier' && this.names.followsType(at + 1)
  }

  /** main() { ... }, f(x) char x; { ... }, static n;: int goes without saying (C89). */
  private lacksType(index: number): boolean {
    if (this.names.inRecord() || this.names.isDeclared(index)) return false
    const before = this.tokens[this.names.beforeAttributes(index)]
    const next = this.tokens[index + 1]?.text ?? ''
    const isStored = before?.kind === 'identifier' && STORAGE.has(before.text)
    if (isStored && /^(?:\(|\[|;|=|,)$/.test(next) && !this.names.visible(this.tokens[index]!.text))
      return before.text !== 'typedef' && !this.namesTypeBefore(index)
    if (!this.names.atFileScope() || next !== '(' || !this.beginsDeclaration(index)) return false
    const close = this.closing.get(index + 1) ?? index
    const behind = this.tokens[close + 1]
    if (behind?.text === '{') return true
    return behind?.kind === 'identifier' && close > index + 2 && this.startsParameterDeclaration(close + 1)
  }

  private beginsDeclaration(index: number): boolean {
    const at = this.names.beforeAttributes(index)
    const before = this.tokens[at]?.text
    return before === undefined || before === ';' || (before === '}' && !this.names.followsType(at + 1))
  }

  /** `unsigned static x`, `T static x`: the type stands before the storage class. */
  private namesTypeBefore(index: number): boolean {
    for (let at = index - 1; at >= 0; at--) {
      const { text, kind } = this.tokens[at]!
      if (kind !== 'identifier') return text === '}' && this.names.followsType(at + 1)
      if (TYPE_KEYWORDS.has(text) || this.names.visible(text) || /^(?:struct|union|enum)$/.test(text)) return true
      if (!STORAGE.has(text) && !QUALIFIERS.has(text) && !/^__extension__$/.test(text))
        return /^(?:struct|union|enum)$/.test(this.tokens[at - 1]?.text ?? '')
    }
    return false
  }

  /** Behind the names of an old-style definition come declarations, of which the first begins here. */
  private startsParameterDeclaration(index: number): boolean {
    return this.names.startsType(index) || this.tokens[index]!.text === 'register'
  }

  private punctuator(token: Lexeme, index: number): void {
    const { start, end } = token
    const before = this.tokens[index - 1]
    if (token.kind === 'number' && IMAGINARY.test(token.text))
      this.edits.push({ start, end, input: token.text.replace(/[ij]/i, '') })
    if (this.text.slice(start, end) !== token.text && token.kind === 'punctuator') this.respell(token, token.text)
    if (token.text === ';' && this.names.inRecord() && (before?.text === ';' || before?.text === '{')) {
      this.blanks.push({ start, end, input: '' })
      this.edits.push({ start, end, input: '' })
    } else if (token.text === ':' && this.names.inRecord() && this.lacksName(index)) {
      this.edits.push({ start, end: start, input: ' heddle_unnamed ' })
    } else if (token.text === '...' && before?.text !== ',' && before?.text !== '(' && before?.kind !== undefined) {
      if (this.tokens[index + 1]?.text === ')' || this.insideDesignator(index)) return
      this.caseRanges.add(start)
      this.edits.push({ start, end, input: '||' })
    } else if (token.text === '&&' && before && isOperandExpected(before)) {
      this.labelAddress(token)
    }
  }

  /** `goto *p;` stands as `return *p;` in the input. */
  private computedGoto(token: Lexeme): void {
    this.computedGotos.add(token.start)
    this.edits.push({ start: token.start, end: token.end, input: 'return' })
  }

  /** `&&label` stands as `&label`. */
  private labelAddress(token: Lexeme): void {
    this.labelAddresses.add(token.start)
    this.edits.push({ start: token.start, end: token.end, input: '& ' })
  }

  /** A bit-field without a name. */
  private lacksName(index: number): boolean {
    return this.tokens[index - 1]?.text === ',' || this.names.followsType(index)
  }

  /** [1 ... 3] = 0: the grammar knows that one. */
  private insideDesignator(index: number): boolean {
    for (let at = index - 1; at >= 0; at--) {
      const text = this.tokens[at]!.text
      if (text === '[') return true
      if (text === 'case' || text === ';' || text === '{' || text === '}') return false
    }
    return false
  }

  private size(index: number): number {
    const token = this.tokens[index]!
    const close = this.closing.get(index + 1)
    const ofType = close !== undefined && this.names.startsType(index + 2) && this.tokens[close + 1]?.text !== '{'
    if (ofType) this.placeholder(index, token.text === 'sizeof' ? 'sizeof_expression' : 'alignof_expression')
    else if (token.text === 'sizeof') {
      this.sizeofs.add(token.start)
      this.edits.push({ start: token.start, end: token.end, input: '~ ' })
    } else throw new Unsupported('alignment of an expression', this.position(token.start))
    this.names.advance(index)
    return index + 1
  }

  private respell(token: Lexeme, spelling: string): void {
    const edit = { start: token.start, end: token.end, input: spelling }
    this.edits.push(edit)
    this.blanks.push(edit)
  }

  private remove(from: number, to: number): number {
    const edit = { start: this.tokens[from]!.start, end: this.tokens[to]!.end, input: ' ' }
    this.edits.push(edit)
    this.blanks.push(edit)
    return to + 1
  }

  /** _Static_assert(...); in a record, which the grammar does not allow there. */
  private drop(index: number): number {
    const end = this.closing.get(index + 1) ?? index
    return this.remove(index, this.tokens[end + 1]?.text === ';' ? end + 1 : end)
  }

  private attribute(index: number): number {
    const end = this.closing.get(index + 1)
    if (end === undefined) throw syntaxError(`expected '((' after ${this.tokens[index]!.text}`, this.at(index))
    for (let at = index + 3; at < end - 1; at++) {
      const token = this.tokens[at]!
      const close = this.closing.get(at + 1)
      const argument = close === undefined ? '' : this.text.slice(this.tokens[at + 2]!.start, this.tokens[close]!.start)
      if (token.kind === 'identifier')
        this.attributes.push({
          name: token.text.replace(/^__(.*)__$/, '$1'),
          argument: argument.trim(),
          start: token.start,
          end: this.tokens[close ?? at]!.end,
        })
      if (close !== undefined) at = close
    }
    return this.remove(index, end)
  }

  /** A label on a declaration is dropped; a statement is left for the checker. */
  private assembly(index: number): number {
    const before = this.tokens[index - 1]
    const end = this.closing.get(index + 1)
    const labelled =
      before !== undefined &&
      (this.names.atFileScope()
        ? before.text !== ';' && before.text !== '}'
        : before.text === ']' || (before.kind === 'identifier' && !KEYWORDS.has(before.text)))
    if (end !== undefined && labelled) return this.remove(index, end)
    this.joinConstraints(index)
    this.names.advance(index)
    return index + 1
  }

  /** `"i" "r" (x)`: the grammar knows no string in two parts as a constraint. */
  private joinConstraints(index: number): void {
    let at = index + 1
    while (/^(?:__)?(?:volatile|inline|goto)(?:__)?$/.test(this.tokens[at]?.text ?? '')) at++
    const end = this.closing.get(at) ?? 0
    while (at < end && this.tokens[at]!.text !== ':') at++
    for (; at < end; at++) {
      let last = at
      while (this.tokens[last]!.kind === 'string' && this.tokens[last + 1]?.kind === 'string') last++
      if (last === at) continue
      const parts = this.tokens.slice(at, last + 1)
      const input = `"${parts.map(({ text }) => text.slice(1, -1)).join('')}"`
      this.edits.push({ start: parts[0]!.start, end: parts.at(-1)!.end, input })
      at = last
    }
  }

  private placeholder(index: number, kind: Placeholder['kind']): void {
    const token = this.tokens[index]!
    const close = this.closing.get(index + 1)
    if (close === undefined || close === index + 2)
      throw syntaxError(`expected '(' and an argument after ${token.text}`, this.at(index))
    while (this.openPlaceholders.length > 0 && this.openPlaceholders.at(-1)! < index) this.openPlaceholders.pop()
    if (this.openPlaceholders.push(close) > MAX_NESTED_PLACEHOLDERS)
      throw syntaxError(`${token.text} is nested too deeply`, this.at(index))
    const cuts = [index + 1, close]
    if (kind === 'call_expression')
      for (let at = index + 2; at < close; at = (this.closing.get(at) ?? at) + 1)
        if (this.tokens[at]!.text === ',') cuts.splice(-1, 0, at)
    const ranges = cuts.slice(1).map((cut, number) => ({
      start: this.tokens[cuts[number]!]!.end,
      end: this.tokens[cut]!.start,
    }))
    const end = this.tokens[close]!.end
    this.placeholders.set(token.start, { kind, end, nameEnd: token.end, arguments: ranges })
    this.edits.push({ start: token.start, end, input: kind.endsWith('_expression') ? IDENTIFIER : 'int' })
  }

  private at(index: number): Position {
    return this.position(this.tokens[index]!.start)
  }
}

const isOperandExpected = (before: Lexeme): boolean =>
  before.text === 'return' || (before.kind === 'punctuator' && !/^(?:[)\]}]|\+\+|--)$/.test(before.text))

const syntaxError = (text: string, position: Position): InputError =>
  new InputError([{ severity: 'error', text, position }])

/** Replaces at the same length, line ends kept: offsets and lines stay as they are. */
const blanked = (text: string, edits: readonly Edit[]): string => {
  const pieces: string[] = []
  let at = 0
  for (const edit of edits) {
    if (edit.start < at) continue
    const rest = text.slice(edit.start + edit.input.length, edit.end).replace(/[^\n]/g, ' ')
    pieces.push(text.slice(at, edit.start), edit.input, rest)
    at = edit.end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}
