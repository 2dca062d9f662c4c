// Formulas of certificates for people: infix, with the program's names (`turn#73` is turn, `2:t#5` is T2.t).
import { type Expression, readExpressions } from '../logic/index.js'
import { ownerWords } from './owner-words.js'

const INFIX: Readonly<Record<string, string>> = {
  ...{ '=': '=', '<=': '≤', '<': '<', '>=': '≥', '>': '>', '+': '+', '*': '·', and: 'and', or: 'or', '=>': '⇒' },
  ...{ bvadd: '+', bvsub: '-', bvmul: '·', bvsle: '≤', bvslt: '<', bvule: '≤', bvult: '<', bvand: '&', bvor: '|' },
  ...{ distinct: '≠', div: 'div', mod: 'mod', bvshl: '<<', bvlshr: '>>', bvashr: '>>', bvxor: '^' },
}

/** The conjuncts of a formula, each as a line; the formula as it is where it cannot be read. */
export const formulaLines = (formula: string): readonly string[] => {
  try {
    const [expression] = readExpressions(formula)
    const parts = isList(expression) && expression[0] === 'and' ? expression.slice(1) : [expression!]
    return parts.map((part) => inWords(text(part, false)))
  } catch {
    return [formula]
  }
}

/** Who has a mutex, instead of its field. */
const inWords = (line: string): string => {
  const owner = /^(.*)\.__owner = (\d+)$/.exec(line)
  return owner ? ownerWords(owner[1]!, Number(owner[2])) : line
}

const isList = (e: Expression | undefined): e is readonly Expression[] => e !== undefined && typeof e !== 'string'

const text = (e: Expression, inner: boolean): string => {
  if (typeof e === 'string') return name(e)
  const [head, ...rest] = e
  if (typeof head !== 'string') return `${text(head!, false)}(${rest.map((r) => text(r, false)).join(', ')})`
  if (head === '_') return /^bv\d+$/.test(String(e[1])) ? String(e[1]).slice(2) : e.slice(1).map(String).join(' ')
  if (head === 'not') return negation(rest[0]!, inner)
  if (head === '-' && rest.length === 1) return `-${text(rest[0]!, true)}`
  if (head === 'select') return `${text(rest[0]!, true)}[${text(rest[1]!, false)}]`
  const operator = head === '-' ? '-' : INFIX[head]
  if (!operator || rest.length < 2) return `${head}(${rest.map((r) => text(r, false)).join(', ')})`
  const joined = rest.map((r) => text(r, true)).join(` ${operator} `)
  return inner ? `(${joined})` : joined
}

const negation = (e: Expression, inner: boolean): string => {
  if (isList(e) && (e[0] === '=' || e[0] === '<=' || e[0] === '<') && e.length === 3) {
    const sign = { '=': '≠', '<=': '>', '<': '≥' }[e[0]]
    const joined = `${text(e[1]!, true)} ${sign} ${text(e[2]!, true)}`
    return inner ? `(${joined})` : joined
  }
  return `not ${text(e, true)}`
}

const name = (symbol: string): string => {
  if (/^#[bx]/.test(symbol)) return String(BigInt.asIntN(signBits(symbol), BigInt(`0${symbol.slice(1)}`)))
  const plain = symbol.replace(/#\d+$/, '').replace(/^memory:/, '')
  const own = /^(\d+):(.*)$/.exec(plain)
  return own ? `${own[1] === '0' ? 'main' : `T${own[1]}`}.${own[2]}` : plain
}

/** Values of int are read with their sign; longer ones are addresses more often than not. */
const signBits = (symbol: string): number => {
  const bits = symbol.startsWith('#b') ? symbol.length - 2 : 4 * (symbol.length - 2)
  return bits === 32 ? 32 : bits + 1
}
