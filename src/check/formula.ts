// Formulas of certificates: SMT-LIB text from a stranger, bounded in nesting and in the sizes of its sorts before a term
// is made of it, and a condition over variables of the program.
import { Rejected } from '../certificate/index.js'
import { type Expression, parseExpression, readExpressions, type Term } from '../logic/index.js'

const MAX_CHARACTERS = 16 << 20
/** Deeper formulas would exhaust the stack. */
const MAX_NESTING = 1500
/** No operation of C has a wider result, nor an index beyond it. */
const MAX_INDEX = 1024
const MAX_DIGITS = 100

export const formulaOf = (text: string, place: string, variable: (name: string) => Term | undefined): Term => {
  const [expression, ...more] = expressionsOf(text, place)
  if (expression === undefined || more.length > 0) throw new Rejected(place, 'is not one formula')
  const term = termOf(expression, place, variable)
  if (term.sort.kind !== 'bool') throw new Rejected(place, 'is no condition')
  return term
}

/** A term of any sort, from an expression that `expressionsOf` read. */
const termOf = (expression: Expression, place: string, variable: (name: string) => Term | undefined): Term => {
  try {
    const term = parseExpression(expression, variable)
    if (term && typeof term === 'object' && term.sort) return term
  } catch (problem) {
    throw new Rejected(place, `is no formula: ${oneLine((problem as Error).message)}`)
  }
  throw new Rejected(place, 'is no formula')
}

/** S-expressions within the limits. */
const expressionsOf = (text: string, place: string): readonly Expression[] => {
  if (text.length > MAX_CHARACTERS) throw new Rejected(place, `is longer than ${MAX_CHARACTERS} characters`)
  let depth = 0
  for (const character of text.replace(/\|[^|]*\|/g, '')) {
    if (character === '(' && ++depth > MAX_NESTING) throw new Rejected(place, `is nested deeper than ${MAX_NESTING}`)
    if (character === ')') depth--
  }
  try {
    const read = readExpressions(text)
    for (const each of read) requireSmallNumbers(each, place)
    return read
  } catch (problem) {
    if (problem instanceof Rejected) throw problem
    throw new Rejected(place, `is no formula: ${oneLine((problem as Error).message)}`)
  }
}

const requireSmallNumbers = (root: Expression, place: string): void => {
  const work: Expression[] = [root]
  for (let each = work.pop(); each !== undefined; each = work.pop()) {
    if (typeof each === 'string') {
      const digits = /^(?:#b|#x|bv)?[0-9a-fA-F.]+$/.test(each) ? each.length : 0
      if (digits > (each.startsWith('#b') ? MAX_INDEX : MAX_DIGITS)) throw new Rejected(place, 'has a number too large')
      continue
    }
    const isIndexed = each[0] === '_'
    for (const part of each) {
      if (isIndexed && typeof part === 'string' && /^\d+$/.test(part) && Number(part) > MAX_INDEX)
        throw new Rejected(place, `has an index beyond ${MAX_INDEX}`)
      work.push(part)
    }
  }
}

const MAX_QUOTED = 80

/** Text of a stranger, as part of a message: on one line, without control characters, and not too long. */
export const oneLine = (text: string): string => {
  const plain = [...text.slice(0, 4 * MAX_QUOTED)].map((c) => (isControl(c) ? ' ' : c)).join('')
  return plain.length > MAX_QUOTED ? `${plain.slice(0, MAX_QUOTED)}...` : plain
}

const isControl = (character: string): boolean => {
  const code = character.codePointAt(0)!
  return (
    code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029 || (code >= 0x202a && code <= 0x202e)
  )
}
