// The preprocessor of C11 with the GNU extensions that programs use (C11 6.10). It reads nothing itself: files and
// library headers come through functions, so that it gives the same result on every machine and in a browser.
import { Unsupported } from '../../../xcfa/index.js'
import { type Diagnostic, InputError } from '../diagnostic.js'
import { isTrue } from './condition.js'
import { type Expansion, expand } from './expand.js'
import { readSourceFile, type SourceFile } from './file.js'
import type { Lexeme } from './lexer.js'
import { commandLineDefinition, type Macro, predefined, readDefinition } from './macro.js'
import { readLineMarkers } from './markers.js'
import { Output } from './output.js'
import type { Preprocessed } from './preprocessed.js'
import { NOTHING_HIDDEN, type Token, writtenToken } from './token.js'

export interface PreprocessOptions {
  readonly dataModel: 'ilp32' | 'lp64'
  /** The text went through a preprocessor, as that of a file whose name ends in .i. */
  readonly preprocessed?: boolean
  /** NAME or NAME=VALUE, as with -D. */
  readonly defines?: readonly string[]
  /** As with -U. */
  readonly undefines?: readonly string[]
  /** As with -include. */
  readonly preincludes?: readonly string[]
  /** As with -I. */
  readonly includeDirectories?: readonly string[]
  /** A file of the user, undefined if there is none. */
  readonly readFile?: (path: string) => string | undefined
  /** A header of the library by its name ("pthread.h"), undefined if there is none. */
  readonly header?: (name: string) => string | undefined
  /** Headers of the system are read, instead of the library's except for `own`. */
  readonly system?: SystemHeaders
  /** #warning, and the like. */
  readonly warn?: (diagnostic: Diagnostic) => void
  /** What the texts of one program have in common is read once. */
  readonly common?: CommonText
}

/** The library's headers and the predefined macros: a program's files and the models that it needs all read them. */
export class CommonText {
  readonly headers = new Map<string, SourceFile>()
  /** Of no system: its compiler predefines others. */
  readonly macros = new Map<string, Macro>()
}

/** What a compiler of the system says of itself. */
export interface SystemHeaders {
  /** Where it looks for headers, in order. */
  readonly directories: readonly string[]
  /** Its predefined macros, as lines of #define. */
  readonly macros: string
  /** Headers of which the library's come first: what they define is modelled in another way than the system's. */
  readonly own: ReadonlySet<string>
}

const MAX_CHARACTERS = 8 << 20
const MAX_INCLUDE_DEPTH = 100
/** Tokens that macro expansion may make: beyond, a program is not meant to be read by anybody. */
const MAX_EXPANSION = 1_500_000

/** Wrong input throws InputError; a directive that changes the meaning of types throws Unsupported. */
export const preprocess = (file: string, text: string, options: PreprocessOptions): Preprocessed => {
  if (text.length > MAX_CHARACTERS) throw tooLarge(file, text.length)
  const ready = file.endsWith('.i') || options.preprocessed ? readLineMarkers(file, text) : undefined
  return ready ?? new Preprocessor(file, options).run(text)
}

const tooLarge = (file: string, length: number): InputError => {
  const text = `the file has ${length} characters, more than ${MAX_CHARACTERS}`
  return new InputError([{ severity: 'error', text, position: { file, line: 1, column: 1 } }])
}

/** A group of #if: whether its lines count, and whether a branch was chosen already. */
interface Conditional {
  readonly opening: Token
  active: boolean
  chosen: boolean
  readonly enclosing: boolean
  sawElse: boolean
}

/** A file while it is read. */
interface Reading {
  readonly file: SourceFile
  at: number
  readonly conditionals: Conditional[]
  readonly library: boolean
}

class Preprocessor {
  private readonly macros = new Map<string, Macro>()
  private readonly output = new Output()
  private readonly readings: Reading[] = []
  private readonly files = new Map<string, SourceFile>()
  private readonly once = new Set<string>()
  private readonly saved = new Map<string, (Macro | undefined)[]>()
  private readonly expansion: Expansion
  private counter = 0
  private made = 0

  constructor(
    private readonly file: string,
    private readonly options: PreprocessOptions,
  ) {
    this.expansion = {
      macro: (name) => this.macros.get(name),
      special: (macro, use) => this.special(macro, use),
      fail: (text, at) => this.fail(text, at),
      spend: (tokens, at) => this.spend(tokens, at),
    }
  }

  run(text: string): Preprocessed {
    for (const [name, special] of [
      ['__LINE__', 'line'],
      ['__FILE__', 'file'],
      ['__COUNTER__', 'counter'],
    ] as const)
      this.macros.set(name, { name, parameters: undefined, variadic: false, body: [], special })
    this.predefine()
    const given = (this.options.defines ?? []).map((definition) => {
      const line = commandLineDefinition(definition)
      if (line) return line
      throw new InputError([{ severity: 'error', text: `-D ${definition}: not a macro definition` }])
    })
    const taken = (this.options.undefines ?? []).map((name) => `#undef ${name}\n`)
    this.read(readSourceFile('', '<command line>', [...given, ...taken].join('')), true)
    const included = (this.options.preincludes ?? []).map((path) => `#include "${path}"\n`)
    this.read(readSourceFile('', '<command line>', included.join('')), false)
    this.read(readSourceFile(this.file, this.file, text), false)
    const directories = this.options.system?.directories
    return { ...this.output.finish(this.file), ...(directories && { systemDirectories: directories }) }
  }

  private predefine(): void {
    const { system, common, dataModel } = this.options
    const known = system ? undefined : common?.macros
    if (known && known.size > 0) {
      for (const [name, macro] of known) this.macros.set(name, macro)
      return
    }
    const macros = system?.macros ?? predefined(dataModel)
    this.read(readSourceFile('', '<built-in>', `${macros}#define _Pragma(text)\n`), true)
    if (known) for (const [name, macro] of this.macros) known.set(name, macro)
  }

  private fail(text: string, at: Token | undefined): never {
    const position = at?.source.position(at.offset)
    throw new InputError([{ severity: 'error', text, ...(position && { position }) }])
  }

  private spend(tokens: number, at: Token): void {
    this.made += tokens
    if (this.made > MAX_EXPANSION) this.fail('macro expansion grows too large', at)
  }

  // ---- reading files

  private read(file: SourceFile, library: boolean): void {
    if (/\b_Pragma\s*\(\s*"\s*pack/.test(file.joined))
      throw new Unsupported(
        '#pragma pack',
        file.source.position(file.original(file.joined.search(/\b_Pragma\s*\(\s*"\s*pack/))),
      )
    const reading: Reading = { file, at: 0, conditionals: [], library }
    this.readings.push(reading)
    const more = () => this.next(reading, true)
    for (let token = this.next(reading, false); token; token = this.next(reading, false)) {
      if (token.kind === 'identifier' && this.macros.has(token.text))
        for (const expanded of expand([token], this.expansion, more)) this.emit(expanded)
      else this.emit(token)
    }
    const open = reading.conditionals.at(-1)
    if (open) this.fail(`unterminated #${open.opening.text}`, open.opening)
    this.readings.pop()
  }

  private emit(token: Token): void {
    this.output.add(token)
    if (this.output.size > MAX_CHARACTERS)
      this.fail(`the program grows beyond ${MAX_CHARACTERS} characters here`, token)
  }

  /** The next token of the text, directives before it obeyed. Looking ahead for a call's arguments stops at #include. */
  private next(reading: Reading, lookingAhead: boolean): Token | undefined {
    const { lexemes } = reading.file
    while (reading.at < lexemes.length) {
      const lexeme = lexemes[reading.at]!
      if (lexeme.kind === 'unterminated' && lexeme.text.startsWith('/*'))
        this.fail('unterminated comment', this.token(reading, lexeme))
      if (lexeme.first && lexeme.kind === 'punctuator' && lexeme.text === '#') {
        if (lookingAhead && /^(?:include|include_next|import)$/.test(lexemes[reading.at + 1]?.text ?? ''))
          return undefined
        this.directive(reading)
        continue
      }
      reading.at++
      if (reading.conditionals.at(-1)?.active ?? true) return this.token(reading, lexeme)
    }
    return undefined
  }

  private token(reading: Reading, lexeme: Lexeme): Token {
    return writtenToken(lexeme, reading.file.source, reading.file.original(lexeme.start))
  }

  // ---- directives

  private directive(reading: Reading): void {
    const { lexemes } = reading.file
    const start = reading.at + 1
    let end = start
    while (end < lexemes.length && !lexemes[end]!.first) end++
    const hash = this.token(reading, lexemes[reading.at]!)
    reading.at = end
    const line = lexemes.slice(start, end).map((lexeme) => this.token(reading, lexeme))
    const [name, ...rest] = line
    if (!name) return
    const active = reading.conditionals.at(-1)?.active ?? true
    if (this.conditional(reading, name, rest, active) || !active) return
    this.activeDirective(reading, hash, name, rest)
  }

  /** #if and its kin; true if it was one. */
  private conditional(reading: Reading, name: Token, rest: readonly Token[], active: boolean): boolean {
    const { conditionals } = reading
    const current = conditionals.at(-1)
    switch (name.text) {
      case 'if':
      case 'ifdef':
      case 'ifndef': {
        const holds = active && this.holds(name, rest)
        conditionals.push({ opening: name, active: holds, chosen: holds, enclosing: active, sawElse: false })
        return true
      }
      case 'elif':
      case 'elifdef':
      case 'elifndef':
        if (!current) return this.fail(`#${name.text} without #if`, name)
        if (current.sawElse) this.fail(`#${name.text} after #else`, name)
        current.active = current.enclosing && !current.chosen && this.holds(name, rest)
        current.chosen ||= current.active
        return true
      case 'else':
        if (!current) return this.fail('#else without #if', name)
        if (current.sawElse) this.fail('#else after #else', name)
        current.active = current.enclosing && !current.chosen
        current.chosen = current.sawElse = true
        return true
      case 'endif':
        if (!current) return this.fail('#endif without #if', name)
        conditionals.pop()
        return true
      default:
        return false
    }
  }

  private holds(name: Token, rest: readonly Token[]): boolean {
    if (/def$/.test(name.text)) {
      const [macro] = rest
      if (macro?.kind !== 'identifier') this.fail(`#${name.text} needs a macro name`, macro ?? name)
      return this.isDefined(macro.text) === !/ndef$/.test(name.text)
    }
    if (rest.length === 0) this.fail(`#${name.text} without a condition`, name)
    const tokens = expand(this.withoutDefined(rest), this.expansion)
    return isTrue(tokens, (text, at) => this.fail(text, at ?? name))
  }

  private isDefined(name: string): boolean {
    return this.macros.has(name) || name === '__has_include'
  }

  /** `defined X`, `__has_include(...)` and the like become 0 or 1 before macros are expanded. */
  private withoutDefined(tokens: readonly Token[]): Token[] {
    const result: Token[] = []
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!
      if (token.text === 'defined' && token.kind === 'identifier') {
        const parenthesized = tokens[at + 1]?.text === '('
        const macro = tokens[at + (parenthesized ? 2 : 1)]
        if (macro?.kind !== 'identifier') this.fail("'defined' needs a macro name", macro ?? token)
        at += parenthesized ? 3 : 1
        if (parenthesized && tokens[at]?.text !== ')') this.fail("expected ')' after 'defined'", macro)
        result.push(truth(token, this.isDefined(macro.text)))
      } else if (/^__has_\w+$/.test(token.text) && tokens[at + 1]?.text === '(' && !this.macros.has(token.text)) {
        const close = closingParenthesis(tokens, at + 1)
        const argument = tokens.slice(at + 2, close)
        result.push(truth(token, /^__has_include/.test(token.text) && this.hasInclude(argument)))
        at = close
      } else result.push(token)
    }
    return result
  }

  private hasInclude(argument: readonly Token[]): boolean {
    const name = headerName(argument)
    return name !== undefined && this.find(name.name, name.quoted, false) !== undefined
  }

  private activeDirective(reading: Reading, hash: Token, name: Token, rest: readonly Token[]): void {
    switch (name.text) {
      case 'define':
        this.define(name, rest)
        break
      case 'undef':
        if (rest[0]?.kind !== 'identifier') this.fail('#undef needs a macro name', rest[0] ?? name)
        this.macros.delete(rest[0].text)
        break
      case 'include':
      case 'include_next':
      case 'import':
        this.include(name, rest)
        break
      case 'error':
        this.fail(`#error ${spelling(rest)}`, hash)
        break
      case 'warning':
        this.options.warn?.({
          severity: 'warning',
          text: `#warning ${spelling(rest)}`,
          position: hash.source.position(hash.offset),
        })
        break
      case 'line':
        this.line(reading, name, expand(rest, this.expansion))
        break
      case 'pragma':
        this.pragma(reading, hash, rest)
        break
      case 'ident':
      case 'sccs':
        break
      default:
        if (name.kind === 'number') this.line(reading, name, [name, ...rest])
        else this.fail(`unknown directive #${name.text}`, name)
    }
  }

  private define(name: Token, rest: readonly Token[]): void {
    const macro = readDefinition(rest)
    if ('error' in macro) this.fail(macro.error, rest[macro.at] ?? name)
    else this.macros.set(macro.name, macro)
  }

  private line(reading: Reading, name: Token, tokens: readonly Token[]): void {
    const [number, file] = tokens
    if (number?.kind !== 'number' || !/^\d+$/.test(number.text)) this.fail('#line needs a line number', number ?? name)
    if (file && file.kind !== 'string') this.fail('#line needs a file name in quotes', file)
    reading.file.source.mark(name.offset, Number(number.text), file?.text.slice(1, -1).replace(/\\(.)/g, '$1'))
  }

  private pragma(reading: Reading, hash: Token, rest: readonly Token[]): void {
    if (rest[0]?.text === 'once') this.once.add(reading.file.path)
    const [word, ...args] = rest
    if (word?.text === 'pack' && !this.output.pack(spelling(args)))
      throw new Unsupported(`#pragma pack${spelling(args)}`, hash.source.position(hash.offset))
    if (word?.text === 'push_macro' || word?.text === 'pop_macro') this.saveMacro(word, args[1])
  }

  /** #pragma push_macro("NAME") keeps a definition, or that there is none, until the pop. */
  private saveMacro(directive: Token, named: Token | undefined): void {
    if (named?.kind !== 'string') this.fail(`#pragma ${directive.text} needs a name in quotes`, named ?? directive)
    const name = named.text.slice(1, -1)
    const saved = this.saved.get(name) ?? []
    this.saved.set(name, saved)
    if (directive.text === 'push_macro') {
      saved.push(this.macros.get(name))
      return
    }
    if (saved.length === 0) return
    const macro = saved.pop()
    if (macro) this.macros.set(name, macro)
    else this.macros.delete(name)
  }

  // ---- #include

  private include(directive: Token, rest: readonly Token[]): void {
    const written = headerName(rest)
    const name = written ?? headerName(expand(rest, this.expansion))
    if (!name) this.fail('#include needs "FILE" or <FILE>', rest[0] ?? directive)
    const file = this.find(name.name, name.quoted, directive.text === 'include_next')
    if (!file) this.fail(notFound(name.name, name.quoted), rest[0] ?? directive)
    if (this.once.has(file.path)) return
    if (this.readings.length > MAX_INCLUDE_DEPTH) this.fail('#include is nested too deeply', directive)
    this.spend(file.lexemes.length >> 2, directive)
    this.read(file, file.path.startsWith('<'))
  }

  /** The directories to search, in order. #include_next goes on after the one that the current file comes from. */
  private directories(name: string, quoted: boolean, next: boolean): readonly string[] {
    const { file, library } = this.readings.at(-1)!
    const given = [...(this.options.includeDirectories ?? []), ...(this.options.system?.directories ?? [])]
    if (name.startsWith('/')) return ['']
    if (next) return library ? [] : given.slice(given.findIndex((path) => joinPath(path, name) === file.path) + 1)
    return quoted && !library ? [directoryOf(file.path), ...given] : given
  }

  private find(name: string, quoted: boolean, next: boolean): SourceFile | undefined {
    const { system } = this.options
    for (const directory of this.directories(name, quoted, next)) {
      if (system?.own.has(name) && system.directories.includes(directory)) break
      const path = joinPath(directory, name)
      const known = this.files.get(path)
      if (known) return known
      const text = this.options.readFile?.(path)
      if (text !== undefined) return this.remember(path, path, text)
    }
    return this.ownHeader(name)
  }

  private ownHeader(name: string): SourceFile | undefined {
    const library = `<${name}>`
    const known = this.files.get(library) ?? this.options.common?.headers.get(library)
    if (known) return known
    const text = this.options.header?.(name)
    if (text === undefined) return undefined
    const file = this.remember(library, library, text)
    this.options.common?.headers.set(library, file)
    return file
  }

  private remember(path: string, name: string, text: string): SourceFile {
    if (text.length > MAX_CHARACTERS) throw tooLarge(path, text.length)
    const file = readSourceFile(path, name, text)
    this.files.set(path, file)
    return file
  }

  // ---- macros that change

  private special(macro: Macro, use: Token): Token {
    const position = use.source.position(use.offset)
    const made = { ...use, written: false, hidden: NOTHING_HIDDEN }
    switch (macro.special) {
      case 'line':
        return { ...made, kind: 'number', text: String(position.line) }
      case 'file':
        return { ...made, kind: 'string', text: `"${position.file.replace(/[\\"]/g, '\\$&')}"` }
      default:
        return { ...made, kind: 'number', text: String(this.counter++) }
    }
  }
}

const truth = (token: Token, value: boolean): Token => ({ ...token, kind: 'number', text: value ? '1' : '0' })

const spelling = (tokens: readonly Token[]): string =>
  tokens.map((token, index) => (index > 0 && token.space ? ` ${token.text}` : token.text)).join('')

const closingParenthesis = (tokens: readonly Token[], open: number): number => {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]!.text === '(') depth++
    else if (tokens[at]!.text === ')' && --depth === 0) return at
  }
  return tokens.length
}

/** "name" or <name>; the latter was cut into tokens, whose spelling is put together again. */
const headerName = (tokens: readonly Token[]): { readonly name: string; readonly quoted: boolean } | undefined => {
  const [first] = tokens
  if (first?.kind === 'string' && first.text.startsWith('"')) return { name: first.text.slice(1, -1), quoted: true }
  if (first?.text !== '<') return undefined
  const close = tokens.findIndex((token) => token.text === '>')
  return close < 2 ? undefined : { name: spelling(tokens.slice(1, close)), quoted: false }
}

const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const joinPath = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`)

/** A program's own header lies in a folder of its; one of a library is known to the system's compiler, if it is installed. */
const notFound = (name: string, quoted: boolean): string =>
  quoted
    ? `cannot find "${name}": name its folder with -I DIR`
    : `cannot find <${name}>: name its folder with -I DIR, or read the program with the system's compiler (--headers system, --cpp "cc -E")`
