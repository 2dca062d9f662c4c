// Terms as SMT-LIB text. Shared subterms are bound by let, so that the text is linear in the number of terms.
import { type FloatSort, printSort, type Sort } from './sort.js'
import { postorder, type Term } from './term.js'
import { floatToBits, type Value } from './value.js'

/** Quotes where SMT-LIB needs it; the characters that cannot be quoted are replaced. */
export const printName = (name: string): string =>
  /^[A-Za-z~!@$%^&*_+=<>.?/-][A-Za-z0-9~!@$%^&*_+=<>.?/-]*$/.test(name) && !RESERVED.has(name)
    ? name
    : `|${name.replaceAll('|', '!').replaceAll('\\', '/')}|`

const RESERVED = new Set(['let', 'par', '_', '!', 'as', 'forall', 'exists', 'true', 'false', 'and', 'or', 'not', 'ite'])

const printInteger = (value: bigint): string => (value < 0n ? `(- ${-value})` : String(value))

const printFloat = (value: number, sort: FloatSort): string => {
  const size = `${sort.exponent} ${sort.significand}`
  if (Number.isNaN(value)) return `(_ NaN ${size})`
  const bits = floatToBits(value, sort.exponent + sort.significand)
    .toString(2)
    .padStart(sort.exponent + sort.significand, '0')
  return `(fp #b${bits[0]} #b${bits.slice(1, 1 + sort.exponent)} #b${bits.slice(1 + sort.exponent)})`
}

const printValue = (sort: Sort, value: Value): string => {
  switch (sort.kind) {
    case 'bool':
      return String(value)
    case 'int':
      return printInteger(value as bigint)
    case 'bv':
      return `#b${(value as bigint).toString(2).padStart(sort.width, '0')}`
    case 'float':
      return printFloat(value as number, sort)
    case 'real': {
      if (typeof value !== 'object' || value.kind !== 'rational') throw new Error('not a real')
      const size = value.numerator < 0n ? -value.numerator : value.numerator
      const text = value.denominator === 1n ? `${size}.0` : `(/ ${size}.0 ${value.denominator}.0)`
      return value.numerator < 0n ? `(- ${text})` : text
    }
    case 'array': {
      if (typeof value !== 'object' || value.kind !== 'array') throw new Error('not an array')
      let text = `((as const ${printSort(sort)}) ${printValue(sort.element, value.otherwise)})`
      for (const { index, value: element } of value.entries.values())
        text = `(store ${text} ${printValue(sort.index, index)} ${printValue(sort.element, element)})`
      return text
    }
  }
}

const floatSize = (sort: Sort): string => (sort.kind === 'float' ? `${sort.exponent} ${sort.significand}` : '')

/** The head of an application: what stands after the opening parenthesis. */
const printHead = (term: Term): string => {
  switch (term.op) {
    case 'extract':
      return `(_ extract ${Math.floor(term.index / 65536)} ${term.index % 65536})`
    case 'zero_extend':
    case 'sign_extend':
      return `(_ ${term.op} ${term.index})`
    case 'int2bv':
      return `(_ int2bv ${term.sort.kind === 'bv' ? term.sort.width : 0})`
    case 'const-array':
      return `(as const ${printSort(term.sort)})`
    case 'fp.add':
    case 'fp.sub':
    case 'fp.mul':
    case 'fp.div':
      return `${term.op} RNE`
    case 'fp.from_bits':
      return `(_ to_fp ${floatSize(term.sort)})`
    case 'fp.from_fp':
    case 'fp.from_signed':
      return `(_ to_fp ${floatSize(term.sort)}) RNE`
    case 'fp.from_unsigned':
      return `(_ to_fp_unsigned ${floatSize(term.sort)}) RNE`
    case 'fp.to_bits':
      return 'fp.to_ieee_bv'
    case 'fp.to_signed':
      return `(_ fp.to_sbv ${term.sort.kind === 'bv' ? term.sort.width : 0}) RTZ`
    case 'fp.to_unsigned':
      return `(_ fp.to_ubv ${term.sort.kind === 'bv' ? term.sort.width : 0}) RTZ`
    default:
      return term.op
  }
}

const isLeaf = (term: Term): boolean => term.args.length === 0

/** A term more than this deep is cut by a let, so that readers with a small stack can follow. */
const DEPTH_LIMIT = 100

export const print = (root: Term, nameOf: (v: Term) => string = (v) => printName(v.name)): string => {
  const uses = new Map<Term, number>()
  postorder([root], (term) => {
    for (const arg of term.args) uses.set(arg, (uses.get(arg) ?? 0) + 1)
  })
  const texts = new Map<Term, string>()
  const depths = new Map<Term, number>()
  const bindings: string[] = []
  postorder([root], (term) => {
    if (term.op === 'const') texts.set(term, printValue(term.sort, term.value!))
    else if (term.op === 'var') texts.set(term, nameOf(term))
    else {
      const depth = 1 + term.args.reduce((most, arg) => Math.max(most, depths.get(arg) ?? 0), 0)
      const text = `(${printHead(term)} ${term.args.map((arg) => texts.get(arg)!).join(' ')})`
      const shared = !isLeaf(term) && ((uses.get(term) ?? 0) > 1 || depth > DEPTH_LIMIT) && term !== root
      if (shared) bindings.push(`(let ((?${bindings.length} ${text})) `)
      texts.set(term, shared ? `?${bindings.length - 1}` : text)
      depths.set(term, shared ? 0 : depth)
    }
  })
  return `${bindings.join('')}${texts.get(root)!}${')'.repeat(bindings.length)}`
}
