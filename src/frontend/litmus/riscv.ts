// RISC-V: loads and stores (also the annotated ones that litmus tests write, `lw.aq`), lr/sc, amo*, fences,
// arithmetic and branches. The result of a store-conditional depends on it, as the manual's dependencies say.
import { byRules, type Emitter, emitEither, lowerCase, numberIn, type Rule } from './assembly.js'
import { constant, type Expression, type Operator, operation, register } from './test.js'

const SIZES: Readonly<Record<string, number>> = { b: 1, h: 2, w: 4, d: 8 }
const ARITHMETIC: Readonly<Record<string, Operator>> = {
  add: '+',
  addi: '+',
  sub: '-',
  mul: '*',
  xor: '^',
  xori: '^',
  or: '|',
  ori: '|',
  and: '&',
  andi: '&',
  sll: '<<',
  slli: '<<',
  srl: '>>>',
  srli: '>>>',
  sra: '>>',
  srai: '>>',
  slt: '<',
  slti: '<',
  sltu: '<u',
  sltiu: '<u',
}
const BRANCHES: Readonly<Record<string, Operator>> = {
  beq: '==',
  bne: '!=',
  blt: '<',
  bge: '>=',
  bltu: '<u',
  bgeu: '>=u',
  bgt: '>',
  ble: '<=',
}

const ABI_NAMES: readonly string[] = [
  ...['zero', 'ra', 'sp', 'gp', 'tp', 't0', 't1', 't2', 's0', 's1'],
  ...Array.from({ length: 8 }, (_, i) => `a${i}`),
  ...Array.from({ length: 10 }, (_, i) => `s${i + 2}`),
  ...Array.from({ length: 4 }, (_, i) => `t${i + 3}`),
]

/** The names of the calling convention are the same registers: `a0` is `x10`. */
export const canonicalRiscv = (name: string): string => {
  const number = name === 'fp' ? 8 : ABI_NAMES.indexOf(name)
  return number < 0 ? name : `x${number}`
}

/** The order annotations of an instruction as tags: `.aq`, `.rl`, `.aq.rl`, `.aqrl`. */
const annotation = (suffix: string): readonly string[] => {
  const [aq, rl] = [/aq/.test(suffix), /rl/.test(suffix)]
  return aq && rl ? ['AcqRel'] : aq ? ['Acq'] : rl ? ['Rel'] : []
}

const amoResult = (operator: string, old: Expression, operand: Expression, width: number): Expression => {
  switch (operator) {
    case 'swap':
      return operand
    case 'add':
      return operation('+', [old, operand], width)
    case 'and':
      return operation('&', [old, operand], width)
    case 'or':
      return operation('|', [old, operand], width)
    case 'xor':
      return operation('^', [old, operand], width)
    default: {
      // min and max: old where it wins, operand otherwise, as a sum of products.
      const wins = operation(
        `${operator.startsWith('max') ? '>=' : '<='}${operator.endsWith('u') ? 'u' : ''}` as Operator,
        [old, operand],
        width,
      )
      const loses = operation('==', [wins, constant(0)])
      return operation('+', [operation('*', [wins, old], width), operation('*', [loses, operand], width)], width)
    }
  }
}

const nameOf = (emitter: Emitter, text: string | undefined): string => {
  const name = canonicalRiscv(text ?? '')
  return /^x(?:[12]?\d|3[01])$/.test(name) ? name : emitter.fail(`expected a register, but found "${text ?? ''}"`)
}

const operandOf = (emitter: Emitter, text: string | undefined): Expression => {
  const number = numberIn(text)
  if (number !== undefined) return constant(number)
  const name = nameOf(emitter, text)
  return name === 'x0' ? constant(0) : register(name)
}

/** Writes a register; x0 stays 0. */
const assign = (emitter: Emitter, to: string | undefined, value: Expression, fromStore = false): void => {
  const name = nameOf(emitter, to)
  if (name !== 'x0') emitter.emit({ kind: 'assign', register: name, value, ...(fromStore && { fromStore }) })
}

/** Where a load puts its value; what x0 would get is lost. */
const targetOf = (emitter: Emitter, text: string | undefined): string => {
  const name = nameOf(emitter, text)
  return name === 'x0' ? emitter.temporary() : name
}

const addressOf = (emitter: Emitter, text: string | undefined): Expression => {
  const match = /^(-?\w*)\((\w+)\)$/.exec(text ?? '')
  const offset = match?.[1] === '' ? 0n : numberIn(match?.[1])
  if (!match || offset === undefined) return emitter.fail(`expected an address like 0(x5), but found "${text ?? ''}"`)
  const base = operandOf(emitter, match[2])
  return offset === 0n ? base : operation('+', [base, constant(offset)])
}

const fences: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic === 'fence.tso' || mnemonic === 'fence.i')
    emitter.emit({ kind: 'fence', tags: [`Fence.${mnemonic.slice('fence.'.length)}`] })
  if (mnemonic !== 'fence') return mnemonic === 'nop' || mnemonic === 'fence.tso' || mnemonic === 'fence.i'
  const [before = 'iorw', after = 'iorw'] = operands
  if (!/^[iorw]+$/.test(before) || !/^[iorw]+$/.test(after))
    return emitter.fail(`"${operands.join(',')}" is not what a fence orders`)
  const set = (text: string): string => `${/r/.test(text) ? 'r' : ''}${/w/.test(text) ? 'w' : ''}`
  if (set(before) !== '' && set(after) !== '')
    emitter.emit({ kind: 'fence', tags: [`Fence.${set(before)}.${set(after)}`] })
  return true
}

const moves: Rule = (emitter, mnemonic, operands) => {
  const results: Readonly<Record<string, (value: Expression) => Expression>> = {
    li: (value) => value,
    mv: (value) => value,
    not: (value) => operation('^', [value, constant(-1)]),
    neg: (value) => operation('-', [constant(0), value]),
    seqz: (value) => operation('==', [value, constant(0)]),
    snez: (value) => operation('!=', [value, constant(0)]),
  }
  const result = results[mnemonic]
  if (result) assign(emitter, operands[0], result(operandOf(emitter, operands[1])))
  return result !== undefined
}

const branches: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic === 'j') {
    emitter.emitTo({ kind: 'jump', target: 0 }, operands[0]!)
    return true
  }
  const againstZero = /^b(eq|ne)z$/.exec(mnemonic)
  const operator = BRANCHES[againstZero ? `b${againstZero[1]}` : mnemonic]
  if (!operator) return false
  const left = operandOf(emitter, operands[0])
  const condition = operation(operator, [left, againstZero ? constant(0) : operandOf(emitter, operands[1])])
  emitter.emitTo({ kind: 'branch', condition, target: 0 }, operands[againstZero ? 1 : 2]!)
  return true
}

const reservations: Rule = (emitter, mnemonic, operands) => {
  const match = /^(lr|sc)\.([wd])((?:\.(?:aq|rl|aqrl))*)$/.exec(mnemonic)
  if (!match) return false
  const size = SIZES[match[2]!]!
  const tags = ['X', ...annotation(match[3]!)]
  if (match[1] === 'lr') {
    const address = addressOf(emitter, operands[1])
    emitter.emit({
      kind: 'load',
      register: targetOf(emitter, operands[0]),
      address,
      size,
      signed: true,
      tags,
      pairs: true,
    })
    return true
  }
  const address = addressOf(emitter, operands[2])
  emitEither(
    emitter,
    emitter.temporary(),
    () => {
      const value = operandOf(emitter, operands[1])
      emitter.emit({ kind: 'store', address, value, size, tags, rmw: 'exclusive' })
      assign(emitter, operands[0], constant(0), true)
    },
    () => assign(emitter, operands[0], constant(1)),
  )
  return true
}

const atomics: Rule = (emitter, mnemonic, operands) => {
  const match = /^amo(swap|add|and|or|xor|maxu?|minu?)\.([wd])((?:\.(?:aq|rl|aqrl))*)$/.exec(mnemonic)
  if (!match) return false
  const size = SIZES[match[2]!]!
  const tags = ['AMO', ...annotation(match[3]!)]
  const address = addressOf(emitter, operands[2])
  const old = emitter.temporary()
  const value = amoResult(match[1]!, register(old), operandOf(emitter, operands[1]), size * 8)
  emitter.emit({ kind: 'load', register: old, address, size, signed: true, tags, pairs: true })
  emitter.emit({ kind: 'store', address, value, size, tags, rmw: 'amo' })
  assign(emitter, operands[0], register(old))
  return true
}

const accesses: Rule = (emitter, mnemonic, operands) => {
  const match = /^(?:l([bhwd])(u)?|s([bhwd]))((?:\.(?:aq|rl|aqrl))*)$/.exec(mnemonic)
  if (!match) return false
  const size = SIZES[match[1] ?? match[3]!]!
  const tags = annotation(match[4]!)
  const address = addressOf(emitter, operands[1])
  if (match[1])
    emitter.emit({ kind: 'load', register: targetOf(emitter, operands[0]), address, size, signed: !match[2], tags })
  else emitter.emit({ kind: 'store', address, value: operandOf(emitter, operands[0]), size, tags })
  return true
}

/** Instructions of words compute in 32 bits and extend the sign of the result. */
const arithmetic: Rule = (emitter, mnemonic, operands) => {
  const word = /^(add|addi|sub|sll|slli|srl|srli|sra|srai|mul)w$/.exec(mnemonic)
  const operator = ARITHMETIC[word ? word[1]! : mnemonic]
  if (!operator) return false
  const result = operation(operator, [operandOf(emitter, operands[1]), operandOf(emitter, operands[2])], word ? 32 : 64)
  assign(emitter, operands[0], word ? operation('sext', [result], 32) : result)
  return true
}

export const translateRiscv = byRules('RISC-V', lowerCase, [
  fences,
  moves,
  branches,
  reservations,
  atomics,
  accesses,
  arithmetic,
])
