// Power: loads and stores of words, bytes, halfwords and doublewords, reservations, barriers, arithmetic, compare and
// branch. The condition field is a pair of registers whose comparison it holds.
import { byRules, type Emitter, emitEither, lowerCase, numberIn, type Rule } from './assembly.js'
import { constant, type Expression, type Operator, operation, register } from './test.js'

const SIZES: Readonly<Record<string, number>> = { b: 1, h: 2, w: 4, d: 8 }
const ARITHMETIC: Readonly<Record<string, Operator>> = {
  add: '+',
  addi: '+',
  sub: '-',
  subi: '-',
  mullw: '*',
  mulli: '*',
  xor: '^',
  xori: '^',
  or: '|',
  ori: '|',
  and: '&',
  andi: '&',
  slw: '<<',
  slwi: '<<',
  srw: '>>>',
  srwi: '>>>',
}

/** How two numbers are compared: as words or doublewords, signed or unsigned. */
interface Comparison {
  readonly width: number
  readonly unsigned: boolean
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  cmpw: { width: 32, unsigned: false },
  cmpwi: { width: 32, unsigned: false },
  cmplw: { width: 32, unsigned: true },
  cmplwi: { width: 32, unsigned: true },
  cmpd: { width: 64, unsigned: false },
  cmpdi: { width: 64, unsigned: false },
  cmpld: { width: 64, unsigned: true },
  cmpldi: { width: 64, unsigned: true },
}
const BRANCHES: Readonly<Record<string, Operator>> = { beq: '==', bne: '!=', blt: '<', ble: '<=', bgt: '>', bge: '>=' }
const BARRIERS: Readonly<Record<string, string>> = {
  sync: 'SYNC',
  hwsync: 'SYNC',
  lwsync: 'LWSYNC',
  eieio: 'EIEIO',
  isync: 'ISYNC',
}

const nameOf = (emitter: Emitter, text: string | undefined): string =>
  text !== undefined && /^r\d+$/.test(text) ? text : emitter.fail(`expected a register, but found "${text ?? ''}"`)

const operandOf = (emitter: Emitter, text: string | undefined): Expression => {
  const number = numberIn(text)
  return number === undefined ? register(nameOf(emitter, text)) : constant(number)
}

const immediate = (emitter: Emitter, text: string | undefined): Expression =>
  constant(numberIn(text) ?? emitter.fail(`expected a number, but found "${text ?? ''}"`))

/** The address in two registers, of which the first may be a literal 0. */
const indexed = (emitter: Emitter, a: string | undefined, b: string | undefined): Expression =>
  a === '0'
    ? register(nameOf(emitter, b))
    : operation('+', [register(nameOf(emitter, a)), register(nameOf(emitter, b))])

const displaced = (emitter: Emitter, text: string | undefined): Expression => {
  const match = /^(-?\w+)\((\w+)\)$/.exec(text ?? '')
  if (!match) return emitter.fail(`expected an address like 0(r1), but found "${text ?? ''}"`)
  return operation('+', [register(nameOf(emitter, match[2])), immediate(emitter, match[1])])
}

/** The field holds a pair of numbers that compare, as signed ones, like the operands do. */
const compare = (
  emitter: Emitter,
  field: string,
  left: Expression,
  right: Expression,
  { width, unsigned }: Comparison = COMPARISONS['cmpw']!,
): void => {
  const flipped = (value: Expression): Expression => operation('^', [value, constant(1n << BigInt(width - 1))], width)
  const number = (value: Expression): Expression => operation('sext', [unsigned ? flipped(value) : value], width)
  emitter.emit({ kind: 'assign', register: `${field}.left`, value: number(left) })
  emitter.emit({ kind: 'assign', register: `${field}.right`, value: number(right) })
}

const barriers: Rule = (emitter, mnemonic) => {
  const tag = BARRIERS[mnemonic]
  if (tag !== undefined) emitter.emit({ kind: 'fence', tags: [tag] })
  return tag !== undefined || mnemonic === 'nop'
}

/** Moves and the arithmetic of one operand; `subf` subtracts from its last operand. */
const moves: Rule = (emitter, mnemonic, operands) => {
  const value = (i: number): Expression => operandOf(emitter, operands[i])
  const results: Readonly<Record<string, () => Expression>> = {
    li: () => immediate(emitter, operands[1]),
    lis: () => operation('<<', [immediate(emitter, operands[1]), constant(16)]),
    mr: () => register(nameOf(emitter, operands[1])),
    neg: () => operation('-', [constant(0), value(1)]),
    extsw: () => operation('sext', [value(1)], 32),
    nor: () => operation('^', [operation('|', [value(1), value(2)]), constant(-1)]),
    subf: () => operation('-', [value(2), value(1)]),
  }
  const result = results[mnemonic]
  if (!result) return false
  emitter.emit({ kind: 'assign', register: nameOf(emitter, operands[0]), value: result() })
  return true
}

const reservations: Rule = (emitter, mnemonic, operands) => {
  const match = /^(?:(l)([wd])arx|st([wd])cx\.)$/.exec(mnemonic)
  if (!match) return false
  const size = SIZES[match[2] ?? match[3]!]!
  const name = nameOf(emitter, operands[0])
  const address = indexed(emitter, operands[1], operands[2])
  if (match[1]) {
    emitter.emit({ kind: 'load', register: name, address, size, tags: ['X'], pairs: true })
    return true
  }
  emitEither(
    emitter,
    emitter.temporary(),
    () => {
      emitter.emit({ kind: 'store', address, value: register(name), size, tags: ['X'], rmw: 'exclusive' })
      compare(emitter, 'cr0', constant(0), constant(0))
    },
    () => compare(emitter, 'cr0', constant(1), constant(0)),
  )
  return true
}

const comparisons: Rule = (emitter, mnemonic, operands) => {
  const comparison = COMPARISONS[mnemonic]
  if (!comparison) return false
  const [field, left, right] = operands.length === 3 ? operands : ['cr0', ...operands]
  compare(emitter, field!, operandOf(emitter, left), operandOf(emitter, right), comparison)
  return true
}

const branches: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic === 'b') {
    emitter.emitTo({ kind: 'jump', target: 0 }, operands[0]!)
    return true
  }
  const operator = BRANCHES[mnemonic.replace(/[+-]$/, '')]
  if (!operator) return false
  const field = operands.length === 2 ? operands[0]! : 'cr0'
  const condition = operation(operator, [register(`${field}.left`), register(`${field}.right`)])
  emitter.emitTo({ kind: 'branch', condition, target: 0 }, operands.at(-1)!)
  return true
}

const accesses: Rule = (emitter, mnemonic, operands) => {
  const match = /^(?:(l)(?:([bhw])(z|a)|(d))|st([bhwd]))(x)?$/.exec(mnemonic)
  if (!match) return false
  const size = SIZES[match[2] ?? match[4] ?? match[5]!]!
  const name = nameOf(emitter, operands[0])
  const address = match[6] ? indexed(emitter, operands[1], operands[2]) : displaced(emitter, operands[1])
  if (match[1])
    emitter.emit({ kind: 'load', register: name, address, size, tags: [], ...(match[3] === 'a' && { signed: true }) })
  else emitter.emit({ kind: 'store', address, value: register(name), size, tags: [] })
  return true
}

/** An instruction with a dot also compares its result with 0. */
const arithmetic: Rule = (emitter, mnemonic, operands) => {
  const operator = ARITHMETIC[mnemonic.replace(/\.$/, '')]
  if (!operator) return false
  const to = nameOf(emitter, operands[0])
  const value = operation(operator, [operandOf(emitter, operands[1]), operandOf(emitter, operands[2])])
  emitter.emit({ kind: 'assign', register: to, value })
  if (mnemonic.endsWith('.')) compare(emitter, 'cr0', register(to), constant(0))
  return true
}

export const translatePpc = byRules('PPC', lowerCase, [
  barriers,
  moves,
  reservations,
  comparisons,
  branches,
  accesses,
  arithmetic,
])
