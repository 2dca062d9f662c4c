// Inputs that nobody would write: C files with bytes and tokens changed, cut off, and spliced with others. Input number i
// is always the same.
import { type Choices, seededChoices } from '../generate/choices.js'

/** Tokens that mean something to the front end, many of them in the wrong place. */
const TOKENS =
  'int unsigned long char void struct union enum typedef static extern const volatile _Atomic _Bool _Thread_local float double if else while for do switch case default break continue return goto sizeof _Generic _Static_assert asm __attribute__ typeof inline register auto 0 1 -1 2147483648 0xffffffffffffffffff 1e400 1.5f \'a\' \'\\xff\' "s" "\\0" L"w" ( ) { } [ ] ; , . -> * & + - / % ! ~ ^ | && || == != < <= > >= << >> = += -= ? : # ## ... \\ @ $ ` #include<pthread.h> #define #if #endif #else #error pthread_create pthread_join pthread_mutex_lock pthread_cond_wait malloc free assert main NULL x i argument __VERIFIER_nondet_int __VERIFIER_atomic_begin __VERIFIER_atomic_end abort reach_error'.split(
    ' ',
  )

const tokensOf = (text: string): string[] => text.match(/\s+|\w+|"(?:[^"\\\n]|\\.)*"|[^\s\w]/g) ?? []

type Change = (text: string, choices: Choices, corpus: readonly string[]) => string

const changeBytes: Change = (text, choices) => {
  const bytes = Buffer.from(text, 'latin1')
  for (let n = 1 + choices.below(4); n > 0 && bytes.length > 0; n--)
    bytes[at(choices, bytes.length)] = choices.below(256)
  return bytes.toString('latin1')
}

const changeTokens: Change = (text, choices) => {
  const tokens = tokensOf(text)
  for (let n = 1 + choices.below(3); n > 0 && tokens.length > 0; n--) {
    const place = at(choices, tokens.length)
    const other = tokens[at(choices, tokens.length)]!
    switch (choices.below(5)) {
      case 0:
        tokens.splice(place, 1)
        break
      case 1:
        tokens[place] = choices.pick(TOKENS)
        break
      case 2:
        tokens.splice(place, 0, choices.pick(TOKENS))
        break
      case 3:
        tokens[place] = other
        break
      default:
        tokens.splice(place, 0, ...tokens.slice(place, place + 1 + choices.below(8)))
    }
  }
  return tokens.join('')
}

const KINDS: readonly RegExp[] = [/^[A-Za-z_]\w*$/, /^\d+$/, /^[-+*/%<>=!&|^]$/]

/** A name, number or operator becomes another one of the same text: often still a program, of another meaning. */
const exchange: Change = (text, choices) => {
  const tokens = tokensOf(text)
  const kind = choices.pick(KINDS)
  const places = tokens.flatMap((token, i) => (kind.test(token) ? [i] : []))
  if (places.length > 0) tokens[places[at(choices, places.length)]!] = tokens[places[at(choices, places.length)]!]!
  return tokens.join('')
}

/** A line once more, somewhere else. */
const repeatLine: Change = (text, choices) => {
  const lines = text.split('\n')
  lines.splice(at(choices, lines.length), 0, lines[at(choices, lines.length)]!)
  return lines.join('\n')
}

const cutOff: Change = (text, choices) => text.slice(0, at(choices, text.length + 1))

const splice: Change = (text, choices, corpus) => {
  const other = choices.pick(corpus)
  const [from, to] = [at(choices, other.length + 1), at(choices, other.length + 1)]
  const place = at(choices, text.length + 1)
  return text.slice(0, place) + other.slice(Math.min(from, to), Math.max(from, to)) + text.slice(place)
}

const dropLines: Change = (text, choices) => {
  const lines = text.split('\n')
  lines.splice(at(choices, lines.length), 1 + choices.below(4))
  return lines.join('\n')
}

/** Deep nesting of what may be nested. */
const nest: Change = (text, choices) => {
  const [open, close] = choices.pick([
    ['(', ')'],
    ['{', '}'],
    ['[', ']'],
    ['!', ''],
    ['*', ''],
    ['x ? ', ' : 0'],
    ['if (1) ', ''],
    ['1 + ', ''],
  ] as const)
  const tokens = tokensOf(text)
  const place = at(choices, tokens.length + 1)
  const depth = choices.pick([20, 200, 3000])
  tokens.splice(place, 1, open.repeat(depth), tokens[place] ?? '', close.repeat(depth))
  return tokens.join('')
}

const CHANGES: readonly Change[] = [
  ...[changeBytes, changeTokens, changeTokens, cutOff, splice, dropLines],
  ...[exchange, exchange, exchange, repeatLine],
]

/** Choices are of 16 bits: files may be longer. */
const at = (choices: Choices, length: number): number =>
  length === 0 ? 0 : (choices.below(0x10000) * 0x10000 + choices.below(0x10000)) % length

export const inputOf = (number: number, corpus: readonly string[]): string => {
  const choices = seededChoices(number * 7919 + 17)
  let text = choices.pick(corpus)
  if (choices.rarely(40)) text = nest(text, choices, corpus)
  for (let n = choices.pick([1, 1, 1, 2, 3]); n > 0; n--) text = choices.pick(CHANGES)(text, choices, corpus)
  return text
}
