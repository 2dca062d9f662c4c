// Macro definitions: #define, -D and the predefined ones (C11 6.10.3).
import { lex } from './lexer.js'
import { numberMacros } from './limits.js'
import type { Token } from './token.js'

export interface Macro {
  readonly name: string
  /** Undefined: object-like. */
  readonly parameters: readonly string[] | undefined
  /** The last parameter takes all remaining arguments. */
  readonly variadic: boolean
  readonly body: readonly Token[]
  /** Made by the preprocessor itself: __LINE__, __FILE__, __COUNTER__. */
  readonly special?: 'line' | 'file' | 'counter'
}

/** What is wrong with a definition, or the macro. `tokens` are those after `define`. */
export const readDefinition = (tokens: readonly Token[]): Macro | { readonly error: string; readonly at: number } => {
  const [name, open] = tokens
  if (!name) return { error: 'macro name missing', at: 0 }
  if (name.kind !== 'identifier') return { error: `macro name '${name.text}' is not an identifier`, at: 0 }
  if (name.text === 'defined') return { error: "'defined' cannot be a macro name", at: 0 }
  if (open?.text !== '(' || open.space)
    return checked({ name: name.text, parameters: undefined, variadic: false, body: bodyOf(tokens.slice(1)) })
  const parameters: string[] = []
  let variadic = false
  let at = 2
  while (tokens[at]?.text !== ')') {
    const token = tokens[at]
    if (!token) return { error: "missing ')' in macro parameter list", at: tokens.length - 1 }
    if (variadic) return { error: "'...' must be the last macro parameter", at }
    if (token.text === '...') {
      variadic = true
      parameters.push('__VA_ARGS__')
    } else if (token.kind === 'identifier') {
      if (parameters.includes(token.text)) return { error: `duplicate macro parameter '${token.text}'`, at }
      parameters.push(token.text)
      if (tokens[at + 1]?.text === '...') {
        variadic = true
        at++
      }
    } else return { error: `'${token.text}' may not appear in a macro parameter list`, at }
    at++
    if (tokens[at]?.text === ',' && tokens[at + 1]?.text !== ')') at++
    else if (tokens[at]?.text !== ')') return { error: "expected ',' or ')' in macro parameter list", at: at - 1 }
  }
  return checked({ name: name.text, parameters, variadic, body: bodyOf(tokens.slice(at + 1)) })
}

const bodyOf = (tokens: readonly Token[]): readonly Token[] =>
  tokens.map((token, index) => (index === 0 && token.space ? { ...token, space: false } : token))

const checked = (macro: Macro): Macro | { readonly error: string; readonly at: number } => {
  const { body, parameters } = macro
  if (body[0]?.text === '##' || body.at(-1)?.text === '##')
    return { error: "'##' cannot appear at either end of a macro expansion", at: 0 }
  if (parameters) {
    const bad = body.findIndex(
      (token, index) =>
        token.text === '#' && token.kind === 'punctuator' && !parameters.includes(body[index + 1]?.text ?? ''),
    )
    if (bad >= 0) return { error: "'#' is not followed by a macro parameter", at: 0 }
  }
  return macro
}

/** The usual predefined macros of a GNU-like compiler for x86, as lines of #define. */
export const predefined = (dataModel: 'ilp32' | 'lp64'): string => {
  const wide = dataModel === 'lp64'
  const word = wide ? 8 : 4
  const long = wide ? 'long int' : 'int'
  const longMax = wide ? '0x7fffffffffffffffL' : '0x7fffffffL'
  const definitions: Record<string, string> = {
    __STDC__: '1',
    __STDC_VERSION__: '201710L',
    __STDC_HOSTED__: '1',
    __STDC_UTF_16__: '1',
    __STDC_UTF_32__: '1',
    __STDC_NO_COMPLEX__: '1',
    __DATE__: '"Jan  1 1970"',
    __TIME__: '"00:00:00"',
    __BASE_FILE__: '""',
    __GNUC__: '12',
    __GNUC_MINOR__: '2',
    __GNUC_PATCHLEVEL__: '0',
    __GNUC_STDC_INLINE__: '1',
    __VERSION__: '"12.2.0"',
    __HEDDLE__: '1',
    __linux__: '1',
    __linux: '1',
    linux: '1',
    __unix__: '1',
    __unix: '1',
    unix: '1',
    __gnu_linux__: '1',
    __ELF__: '1',
    __CHAR_BIT__: '8',
    __ORDER_LITTLE_ENDIAN__: '1234',
    __ORDER_BIG_ENDIAN__: '4321',
    __ORDER_PDP_ENDIAN__: '3412',
    __BYTE_ORDER__: '1234',
    __SIZEOF_SHORT__: '2',
    __SIZEOF_INT__: '4',
    __SIZEOF_LONG__: `${word}`,
    __SIZEOF_LONG_LONG__: '8',
    __SIZEOF_FLOAT__: '4',
    __SIZEOF_DOUBLE__: '8',
    __SIZEOF_LONG_DOUBLE__: wide ? '16' : '12',
    __SIZEOF_POINTER__: `${word}`,
    __SIZEOF_SIZE_T__: `${word}`,
    __SIZEOF_PTRDIFF_T__: `${word}`,
    __SIZEOF_WCHAR_T__: '4',
    __SIZEOF_WINT_T__: '4',
    __SCHAR_MAX__: '0x7f',
    __SHRT_MAX__: '0x7fff',
    __INT_MAX__: '0x7fffffff',
    __LONG_MAX__: longMax,
    __LONG_LONG_MAX__: '0x7fffffffffffffffLL',
    __WCHAR_MAX__: '0x7fffffff',
    __SIZE_MAX__: wide ? '0xffffffffffffffffUL' : '0xffffffffU',
    __PTRDIFF_MAX__: wide ? longMax : '0x7fffffff',
    __SIZE_TYPE__: wide ? 'long unsigned int' : 'unsigned int',
    __PTRDIFF_TYPE__: long,
    __INTPTR_TYPE__: long,
    __UINTPTR_TYPE__: wide ? 'long unsigned int' : 'unsigned int',
    __WCHAR_TYPE__: 'int',
    __WINT_TYPE__: 'unsigned int',
    __INT8_TYPE__: 'signed char',
    __INT16_TYPE__: 'short int',
    __INT32_TYPE__: 'int',
    __INT64_TYPE__: wide ? 'long int' : 'long long int',
    __UINT8_TYPE__: 'unsigned char',
    __UINT16_TYPE__: 'short unsigned int',
    __UINT32_TYPE__: 'unsigned int',
    __UINT64_TYPE__: wide ? 'long unsigned int' : 'long long unsigned int',
    __INTMAX_TYPE__: wide ? 'long int' : 'long long int',
    __UINTMAX_TYPE__: wide ? 'long unsigned int' : 'long long unsigned int',
    ...numberMacros(wide),
    __ATOMIC_RELAXED: '0',
    __ATOMIC_CONSUME: '1',
    __ATOMIC_ACQUIRE: '2',
    __ATOMIC_RELEASE: '3',
    __ATOMIC_ACQ_REL: '4',
    __ATOMIC_SEQ_CST: '5',
    ...(wide
      ? { __x86_64__: '1', __x86_64: '1', __amd64__: '1', __amd64: '1', __LP64__: '1', _LP64: '1' }
      : { __i386__: '1', __i386: '1', i386: '1', __ILP32__: '1', _ILP32: '1' }),
  }
  return Object.entries(definitions)
    .map(([name, value]) => `#define ${name} ${value}\n`)
    .join('')
}

/** -D NAME[=VALUE] as a #define; undefined if it is none. */
export const commandLineDefinition = (definition: string): string | undefined => {
  const equals = definition.indexOf('=')
  const name = equals < 0 ? definition : definition.slice(0, equals)
  const value = equals < 0 ? '1' : definition.slice(equals + 1)
  const first = lex(name)[0]
  if (first?.kind !== 'identifier' || name.includes('\n') || value.includes('\n')) return undefined
  return `#define ${name} ${value}\n`
}
