// Formats. Conversions that the models of snprintf and its relatives do not have (library/formats.ts) are told before
// anything is executed; where a function takes its format from another, every literal of the file may be one. What
// output reads by %s is read by a model, for it can race or be invalid.
import type { CExpr, CFunction } from '../../ast.js'
import type { SyntaxNode } from '../../parse/index.js'
import { type Context, positionOf, unsupported } from '../context.js'

/** Which argument the format is. */
const FORMATS: Readonly<Record<string, number>> = { sprintf: 1, snprintf: 2, vsprintf: 1, vsnprintf: 2 }

const NOT_WHOLE = /%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?(?:[hljztL]*[aAeEfFgGpn]|l[cs])|%[-+ 0]*#[-+ #0\d.*hljzt]*o/

const LITERAL = /"(?:[^"\\\n]|\\.)*"/g

export const checkFormat = (c: Context, node: SyntaxNode, called: CFunction, args: readonly CExpr[]): void => {
  const at = Object.hasOwn(FORMATS, called.name) ? FORMATS[called.name]! : undefined
  if (at === undefined || c.isLibrary || c.program.definitions.has(called.name)) return
  const literal = args[at] && literalOf(args[at])
  if (literal === undefined && !called.name.startsWith('v'))
    unsupported(`${called.name} with a format that is no literal`, positionOf(c, node))
  for (const text of formatsOf(c, literal)) {
    const found = NOT_WHOLE.exec(text)
    if (found) unsupported(`the conversion ${found[0]} of ${called.name}`, positionOf(c, node))
  }
}

/** Which argument of a function of output is a format, or a text. */
const PRINTED: Readonly<Record<string, { readonly format?: number; readonly text?: number }>> = {
  printf: { format: 0 },
  fprintf: { format: 1 },
  dprintf: { format: 1 },
  puts: { text: 0 },
  fputs: { text: 0 },
  perror: { text: 0 },
}

/** The functions whose result is the length of a text: where their format is, and what returns that length. */
const LENGTHS: Readonly<Record<string, { readonly format: number; readonly model: string }>> = {
  printf: { format: 0, model: '__heddle_printed_length' },
  fprintf: { format: 1, model: '__heddle_printed_length' },
  dprintf: { format: 1, model: '__heddle_printed_length' },
  vprintf: { format: 0, model: '__heddle_vprinted_length' },
  vfprintf: { format: 1, model: '__heddle_vprinted_length' },
}

/** What returns the length of the text that is printed, if that can be told. */
export const lengthOf = (
  c: Context,
  called: CFunction,
  args: readonly CExpr[],
): { readonly format: number; readonly model: string } | undefined => {
  const length = Object.hasOwn(LENGTHS, called.name) ? LENGTHS[called.name] : undefined
  if (!length || c.isLibrary || c.program.definitions.has(called.name)) return undefined
  const literal = args[length.format] && literalOf(args[length.format]!)
  if (literal === undefined && !called.name.startsWith('v')) return undefined
  return formatsOf(c, literal).some((text) => NOT_WHOLE.test(text)) ? undefined : length
}

/** The format; where it is not known, every literal of the file. */
const formatsOf = (c: Context, literal: string | undefined): readonly string[] =>
  (literal === undefined ? (c.tree.text.match(LITERAL) ?? []) : [literal]).map((text) => text.replaceAll('%%', ''))

const CONVERSION = /%[-+ #0]*(\d+|\*)?(\.(?:\d+|\*)?)?[hljztL]*([a-zA-Z%])/g

/** Arguments whose text is read; of a precision we do not know how far. */
export const printedTexts = (c: Context, called: CFunction, args: readonly CExpr[]): readonly number[] => {
  const printed = Object.hasOwn(PRINTED, called.name) ? PRINTED[called.name] : undefined
  if (!printed || c.isLibrary || c.program.definitions.has(called.name)) return []
  const found = printed.text === undefined ? formatted(args, printed.format!) : [printed.text]
  return found.filter((index) => args[index] && literalOf(args[index]) === undefined)
}

const formatted = (args: readonly CExpr[], format: number): readonly number[] => {
  const found: number[] = []
  let next = format + 1
  for (const [, width, precision, conversion] of (args[format] && literalOf(args[format]))?.matchAll(CONVERSION) ??
    []) {
    if (conversion === '%') continue
    if (width === '*') next++
    if (precision === '.*') next++
    if (conversion === 's' && precision === undefined) found.push(next)
    next++
  }
  return found
}

const literalOf = (e: CExpr): string | undefined => {
  switch (e.kind) {
    case 'string':
      return String.fromCharCode(...e.bytes)
    case 'cast':
      return literalOf(e.operand)
    case 'address':
      return literalOf(e.lvalue)
    default:
      return undefined
  }
}
