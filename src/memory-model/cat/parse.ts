// Recursive descent over the CAT language. Precedence from loose to tight, as in herd's manual: `|`, `;` … Written out:
// union, sequence, difference, intersection, product, complement, postfix. Errors are values with a position.
import { describeToken, lexCat, type Token } from './lex.js'
import type { CatBinding, CatError, CatExpression, CatFile, CatStatement, Operator, Position, Test } from './syntax.js'

const KEYWORDS = new Set([
  'let',
  'rec',
  'and',
  'in',
  'include',
  'acyclic',
  'irreflexive',
  'empty',
  'flag',
  'as',
  'show',
  'unshow',
  'try',
  'with',
  'enum',
  'instructions',
  'procedure',
  'call',
  'match',
  'forall',
  'if',
  'then',
  'else',
  'end',
  'default',
  'undefined_unless',
]) // prettier-ignore

const UNSUPPORTED = new Set(['procedure', 'call', 'match', 'forall', 'if', 'default', 'with', 'fun'])

const LEVELS: readonly { readonly operator: Operator }[] = [
  { operator: '|' },
  { operator: ';' },
  { operator: '\\' },
  { operator: '&' },
  { operator: '*' },
]

/** Thrown inside the parser only, and turned into a value at its border. */
class SyntaxProblem extends Error {
  readonly error: CatError
  constructor(error: CatError) {
    super(error.message)
    this.error = error
  }
}

export const parseCat = (
  text: string,
  file: string,
): { readonly kind: 'file'; readonly file: CatFile } | { readonly kind: 'wrong'; readonly error: CatError } => {
  const tokens = lexCat(text, file)
  if ('message' in tokens) return { kind: 'wrong', error: tokens }
  try {
    return { kind: 'file', file: new Parser(tokens).file() }
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return { kind: 'wrong', error: problem.error }
    throw problem
  }
}

class Parser {
  private readonly tokens: readonly Token[]
  private next = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  private get token(): Token {
    return this.tokens[this.next]!
  }

  private fail(message: string, at: Position = this.token.at): never {
    throw new SyntaxProblem({ at, message })
  }

  private is(text: string): boolean {
    return (this.token.kind === 'symbol' || this.token.kind === 'name') && this.token.text === text
  }

  private accept(text: string): boolean {
    if (!this.is(text)) return false
    this.next++
    return true
  }

  private expect(text: string, where: string): void {
    if (!this.accept(text)) this.fail(`expected "${text}" ${where}, but found ${describeToken(this.token)}`)
  }

  private name(what: string): string {
    const { token } = this
    if (token.kind !== 'name') this.fail(`expected ${what}, but found ${describeToken(token)}`)
    if (KEYWORDS.has(token.text)) this.fail(`expected ${what}, but "${token.text}" is a word of the language`)
    this.next++
    return token.text
  }

  file(): CatFile {
    let title = ''
    // A file opens with its model's name: a string, or a bare word that is no statement.
    if (this.token.kind === 'string') title = this.tokens[this.next++]!.text
    else if (this.token.kind === 'name' && !KEYWORDS.has(this.token.text)) title = this.tokens[this.next++]!.text
    const statements: CatStatement[] = []
    while (this.token.kind !== 'end') {
      const statement = this.statement()
      if (statement) statements.push(statement)
    }
    return { title, statements }
  }

  private statement(): CatStatement | undefined {
    const { at, text } = this.token
    if (this.accept('include')) {
      if (this.token.kind !== 'string') this.fail('expected the name of a file in quotation marks after "include"')
      return { kind: 'include', file: this.tokens[this.next++]!.text, at }
    }
    if (this.accept('let')) {
      const recursive = this.accept('rec')
      const bindings = this.bindings()
      if (!this.is('in')) return { kind: 'let', bindings, recursive, at }
      this.fail('"let … in …" is an expression: a statement starts with let, a check, flag, show or include')
    }
    if (this.accept('show') || this.accept('unshow')) return this.skipShown()
    if (this.accept('enum')) return this.skipEnum()
    if (this.accept('instructions')) return this.skipInstructions()
    const flag = this.accept('flag') || this.accept('undefined_unless')
    const negated = this.accept('~')
    const test = this.test()
    if (test) {
      const expression = this.expression()
      const name = this.accept('as') ? this.name('a name after "as"') : undefined
      if (flag) return { kind: 'flag', test, negated, expression, name: name ?? `${test} ${at.line}`, at }
      return { kind: 'check', test, negated, expression, ...(name !== undefined && { name }), at }
    }
    if (UNSUPPORTED.has(text)) this.fail(`"${text}" is not supported`, at)
    this.fail(
      `expected a statement (let, acyclic, irreflexive, empty, flag, show, include), but found ${describeToken(this.token)}`,
    )
  }

  private test(): Test | undefined {
    const { token } = this
    if (token.kind !== 'name') return undefined
    if (token.text !== 'acyclic' && token.text !== 'irreflexive' && token.text !== 'empty') return undefined
    this.next++
    return token.text
  }

  /** What herd draws is no part of a model's meaning. */
  private skipShown(): undefined {
    do {
      this.expression()
      if (this.accept('as')) this.name('a name after "as"')
    } while (this.accept(','))
  }

  /** `enum E = 'a || 'b`: tags are known to us by the events. */
  private skipEnum(): undefined {
    this.name('a name after "enum"')
    this.expect('=', 'after the name of an enumeration')
    do {
      this.accept("'")
      this.name('a tag')
    } while (this.accept('||'))
  }

  private skipInstructions(): undefined {
    this.name('a kind of instruction')
    this.expect('[', 'after the kind of instruction')
    while (!this.accept(']')) {
      if (this.token.kind === 'end') this.fail('this list of annotations does not end')
      this.next++
    }
  }

  private bindings(): readonly CatBinding[] {
    const bindings: CatBinding[] = []
    do {
      const { at } = this.token
      const name = this.name('a name to define')
      const parameters: string[] = []
      if (this.accept('(')) {
        if (!this.is(')'))
          do parameters.push(this.name('a parameter'))
          while (this.accept(','))
        this.expect(')', 'after the parameters')
      } else if (this.token.kind === 'name' && !KEYWORDS.has(this.token.text)) parameters.push(this.name('a parameter'))
      this.expect('=', `after "${name}"`)
      bindings.push({ name, parameters, body: this.expression(), at })
    } while (this.accept('and'))
    return bindings
  }

  private expression(): CatExpression {
    return this.level(0)
  }

  private level(depth: number): CatExpression {
    const level = LEVELS[depth]
    if (!level) return this.prefix()
    let left = this.level(depth + 1)
    // Differences associate to the left, as does everything else here: the others are associative anyway.
    while (this.token.kind === 'symbol' && this.token.text === level.operator) {
      const { at } = this.token
      this.next++
      left = { kind: 'binary', operator: level.operator, left, right: this.level(depth + 1), at }
    }
    return left
  }

  private prefix(): CatExpression {
    const { at } = this.token
    if (this.accept('~')) return { kind: 'complement', operand: this.prefix(), at }
    return this.postfix()
  }

  private postfix(): CatExpression {
    let operand = this.primary()
    for (;;) {
      const { at, text, kind } = this.token
      if (kind !== 'symbol') return operand
      if (text === '+' || text === '?' || text === '^-1' || (text === '*' && !this.startsOperand(this.next + 1))) {
        this.next++
        operand = { kind: 'postfix', operator: text, operand, at }
      } else return operand
    }
  }

  /** Whether an operand starts here: `a * b` is a product, `a* ; b` a closure. */
  private startsOperand(index: number): boolean {
    const token = this.tokens[index]!
    if (token.kind === 'name') {
      if (KEYWORDS.has(token.text)) return false
      // A definition `let x = r* ` may be followed by the next statement, which starts with a keyword.
      return true
    }
    if (token.kind === 'number') return true
    return (
      token.kind === 'symbol' && (token.text === '(' || token.text === '[' || token.text === '~' || token.text === '{')
    )
  }

  private primary(): CatExpression {
    const { token } = this
    const { at } = token
    if (this.accept('(')) {
      const inner = this.expression()
      this.expect(')', 'to close the parenthesis')
      return inner
    }
    if (this.accept('[')) {
      const set = this.expression()
      this.expect(']', 'to close the bracket')
      return { kind: 'identity', set, at }
    }
    if (this.accept('{')) {
      this.expect('}', 'after "{" (only the empty set can be written out)')
      return { kind: 'empty', at }
    }
    if (token.kind === 'number') {
      if (token.text !== '0') this.fail(`"${token.text}" means nothing here: only 0, the empty relation, does`)
      this.next++
      return { kind: 'empty', at }
    }
    if (this.accept('let')) {
      const recursive = this.accept('rec')
      const bindings = this.bindings()
      this.expect('in', 'after the local definitions')
      return { kind: 'let-in', bindings, recursive, body: this.expression(), at }
    }
    if (this.accept('try')) {
      const first = this.expression()
      this.expect('with', 'after the first expression of "try"')
      return { kind: 'try', first, second: this.expression(), at }
    }
    if (token.kind === 'name' && UNSUPPORTED.has(token.text)) this.fail(`"${token.text}" is not supported`)
    const name = this.name('a set or a relation')
    if (this.accept('(')) {
      const args: CatExpression[] = []
      if (!this.is(')'))
        do args.push(this.expression())
        while (this.accept(','))
      this.expect(')', `to close the arguments of "${name}"`)
      return { kind: 'call', name, arguments: args, at }
    }
    // `f r` is an application as well: nothing else lets one name follow another.
    if (this.token.kind === 'name' && !KEYWORDS.has(this.token.text))
      return { kind: 'call', name, arguments: [this.primary()], at }
    return { kind: 'name', name, at }
  }
}
