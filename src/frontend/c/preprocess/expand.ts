// Macro expansion by hide sets: Dave Prosser's algorithm ("Complete Macro Expansion Algorithm", X3J11/86-196), which
// the C standard put into words (6.10.3.1-6.10.3.4). expand, subst, glue and hsadd keep their roles and order. We
// depart by reading arguments from the rest of the file on demand, and by GNU's `, ## __VA_ARGS__`.
import { lex } from './lexer.js'
import type { Macro } from './macro.js'
import { type HideSet, hide, intersection, NOTHING_HIDDEN, type Token } from './token.js'

export interface Expansion {
  readonly macro: (name: string) => Macro | undefined
  /** A macro that is made anew at each use. */
  readonly special: (macro: Macro, use: Token) => Token
  readonly fail: (text: string, at: Token) => never
  /** Called for each macro use: bounds the work on macros that grow without end. */
  readonly spend: (tokens: number, at: Token) => void
}

/** More tokens of the file, for a macro call that goes on beyond the ones at hand. */
export type More = () => Token | undefined

const MAX_NESTING = 200

/** Expands all of `tokens`; with `more`, a call may take its arguments from what follows. */
export const expand = (tokens: readonly Token[], env: Expansion, more: More = () => undefined, depth = 0): Token[] => {
  // The input is a stack: its last element is the next token.
  const input = tokens.toReversed()
  const output: Token[] = []
  for (let token = input.pop(); token; token = input.pop()) {
    const macro = token.kind === 'identifier' && !token.hidden.has(token.text) ? env.macro(token.text) : undefined
    if (!macro) output.push(token)
    else if (macro.special) output.push(env.special(macro, token))
    else if (!macro.parameters) {
      const result = substitute(macro, undefined, hide(token.hidden, new Set([macro.name])), token, env, depth)
      pushAll(input, result)
    } else {
      const call = readArguments(macro, token, input, more, env)
      if (!call) output.push(token)
      else {
        const hidden = hide(intersection(token.hidden, call.close.hidden), new Set([macro.name]))
        pushAll(input, substitute(macro, call.args, hidden, token, env, depth))
      }
    }
  }
  return output
}

const pushAll = (stack: Token[], tokens: readonly Token[]): void => {
  for (let index = tokens.length - 1; index >= 0; index--) stack.push(tokens[index]!)
}

interface Call {
  readonly args: readonly (readonly Token[])[]
  readonly close: Token
}

/** The arguments of a call, or undefined if no parenthesis follows (then nothing is consumed). */
const readArguments = (macro: Macro, name: Token, input: Token[], more: More, env: Expansion): Call | undefined => {
  const next = (): Token | undefined => input.pop() ?? more()
  const open = next()
  if (open?.text !== '(' || open.kind !== 'punctuator') {
    if (open) input.push(open)
    return undefined
  }
  const parameters = macro.parameters!
  const args: Token[][] = [[]]
  for (let depth = 0, token = next(); ; token = next()) {
    if (!token) env.fail(`unterminated argument list of macro '${macro.name}'`, name)
    const punctuator = token.kind === 'punctuator' ? token.text : ''
    if (punctuator === ')' && depth === 0) return { args: checkedArguments(macro, args, name, env), close: token }
    if (punctuator === ',' && depth === 0 && !(macro.variadic && args.length === parameters.length)) {
      args.push([])
      continue
    }
    if (punctuator === '(') depth++
    else if (punctuator === ')') depth--
    args.at(-1)!.push(token)
    env.spend(1, name)
  }
}

/** Variable arguments that were not even given as an empty one. */
const OMITTED: readonly Token[] = []

const checkedArguments = (macro: Macro, args: Token[][], name: Token, env: Expansion): Call['args'] => {
  const wanted = macro.parameters!.length
  if (wanted === 0 && args.length === 1 && args[0]!.length === 0) return []
  if (macro.variadic && args.length === wanted - 1) return [...args, OMITTED]
  if (macro.variadic && wanted === 1 && args[0]?.length === 0) return [OMITTED]
  if (args.length !== wanted)
    env.fail(`macro '${macro.name}' takes ${wanted} argument${wanted === 1 ? '' : 's'}, but ${args.length} given`, name)
  return args
}

/** Prosser's subst: the body with its arguments, '#' and '##' done, `hidden` added to every token. */
const substitute = (
  macro: Macro,
  args: Call['args'] | undefined,
  hidden: HideSet,
  use: Token,
  env: Expansion,
  depth: number,
): Token[] => {
  if (depth > MAX_NESTING) env.fail('macro calls are nested too deeply', use)
  const { body } = macro
  const expanded: (readonly Token[] | undefined)[] = []
  const argument = (token: Token | undefined): number =>
    token?.kind === 'identifier' && args ? macro.parameters!.indexOf(token.text) : -1
  const output: Token[] = []
  for (let at = 0; at < body.length; at++) {
    const token = body[at]!
    const next = body[at + 1]
    const parameter = argument(token)
    if (args && isPunctuator(token, '#') && argument(next) >= 0) {
      output.push(stringify(args[argument(next)]!, { ...use, space: token.space }))
      at++
    } else if (isPunctuator(token, '##') && next) {
      const right = argument(next)
      if (right >= 0 && isGnuComma(macro, output.at(-1), right))
        pasteComma(output, args![right]!, env, expanded, right, depth)
      else if (right >= 0) paste(output, args![right]!.length ? args![right]! : [placemarker(use)], env)
      else paste(output, [bodyToken(next, use)], env)
      at++
    } else if (parameter >= 0 && next && isPunctuator(next, '##')) {
      pushSpaced(output, args![parameter]!.length ? args![parameter]! : [placemarker(use)], token.space)
    } else if (parameter >= 0) {
      expanded[parameter] ??= expand(args![parameter]!, env, undefined, depth + 1)
      pushSpaced(output, expanded[parameter]!, token.space)
    } else output.push(bodyToken(token, use))
  }
  env.spend(output.length + 1, use)
  const result = output.filter((token) => token.kind !== 'placemarker')
  return result.map((token, index) => ({
    ...token,
    space: index === 0 ? use.space : token.space,
    first: index === 0 && use.first,
    hidden: hide(token.hidden, hidden),
  }))
}

const isPunctuator = (token: Token, text: string): boolean => token.kind === 'punctuator' && token.text === text

/** A token of the body stands where the macro was used. */
const bodyToken = (token: Token, use: Token): Token => ({
  ...token,
  source: use.source,
  offset: use.offset,
  written: false,
  hidden: NOTHING_HIDDEN,
})

const placemarker = (use: Token): Token => ({
  ...use,
  kind: 'placemarker',
  text: '',
  written: false,
  hidden: NOTHING_HIDDEN,
})

const pushSpaced = (output: Token[], tokens: readonly Token[], space: boolean): void => {
  tokens.forEach((token, index) => {
    output.push(index === 0 && token.space !== space ? { ...token, space } : token)
  })
}

/** GNU: `, ## __VA_ARGS__` drops the comma if there are no variable arguments, and pastes nothing. */
const isGnuComma = (macro: Macro, left: Token | undefined, right: number): boolean =>
  macro.variadic && right === macro.parameters!.length - 1 && left !== undefined && isPunctuator(left, ',')

const pasteComma = (
  output: Token[],
  arg: readonly Token[],
  env: Expansion,
  expanded: (readonly Token[] | undefined)[],
  parameter: number,
  depth: number,
): void => {
  if (arg === OMITTED) output.pop()
  else output.push(...(expanded[parameter] ??= expand(arg, env, undefined, depth + 1)))
}

/** Prosser's glue: the last token of `output` and the first of `right` become one. */
const paste = (output: Token[], right: readonly Token[], env: Expansion): void => {
  const left = output.pop()
  const [first, ...rest] = right
  if (!left || !first) {
    output.push(...right)
    return
  }
  output.push(pasted(left, first, env), ...rest)
}

const pasted = (left: Token, right: Token, env: Expansion): Token => {
  if (left.kind === 'placemarker') return { ...right, space: left.space }
  if (right.kind === 'placemarker') return left
  const text = left.text + right.text
  const lexemes = lex(text)
  const [lexeme] = lexemes
  if (lexemes.length !== 1 || !lexeme || lexeme.kind === 'stray' || lexeme.kind === 'unterminated')
    env.fail(`pasting '${left.text}' and '${right.text}' does not give a token`, left)
  return { ...left, kind: lexeme.kind, text, written: false, hidden: intersection(left.hidden, right.hidden) }
}

/** 6.10.3.2: the spelling of the argument as a string. */
const stringify = (arg: readonly Token[], use: Token): Token => {
  const spelling = arg
    .map((token, index) => {
      const text =
        token.kind === 'string' || token.kind === 'character' ? token.text.replace(/[\\"]/g, '\\$&') : token.text
      return index > 0 && token.space ? ` ${text}` : text
    })
    .join('')
  return { ...use, kind: 'string', text: `"${spelling}"`, written: false, hidden: NOTHING_HIDDEN }
}
