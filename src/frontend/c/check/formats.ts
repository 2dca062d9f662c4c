// Formats whose conversions the models of snprintf and its relatives do not have (library/formats.ts): told before
// anything is executed. Where a function takes its format from another, every literal of the file may be one.
import type { CExpr, CFunction } from '../ast.js'
import type { SyntaxNode } from '../parse/index.js'
import { type Context, positionOf, unsupported } from './context.js'

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
  const texts = literal === undefined ? (c.tree.text.match(LITERAL) ?? []) : [literal]
  for (const text of texts) {
    const found = NOT_WHOLE.exec(text.replaceAll('%%', ''))
    if (found) unsupported(`the conversion ${found[0]} of ${called.name}`, positionOf(c, node))
  }
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
