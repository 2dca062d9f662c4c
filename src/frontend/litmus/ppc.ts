// Power: loads and stores of words, bytes, halfwords and doublewords, reservations, barriers, arithmetic, compare and
// branch. The condition field is a pair of registers whose comparison it holds.
import { type Emitter, emitEither, type Translate } from './assembly.js'
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
} // prettier-ignore
/** Comparisons, with the operators that they give the branches: of words or doublewords, signed or unsigned. */
const COMPARISONS: Readonly<Record<string, { readonly width: number; readonly unsigned: boolean }>> = {
  cmpw: { width: 32, unsigned: false },
  cmpwi: { width: 32, unsigned: false },
  cmplw: { width: 32, unsigned: true },
  cmplwi: { width: 32, unsigned: true },
  cmpd: { width: 64, unsigned: false },
  cmpdi: { width: 64, unsigned: false },
  cmpld: { width: 64, unsigned: true },
  cmpldi: { width: 64, unsigned: true },
} // prettier-ignore
const BRANCHES: Readonly<Record<string, Operator>> = { beq: '==', bne: '!=', blt: '<', ble: '<=', bgt: '>', bge: '>=' }

export const translatePpc: Translate = (emitter, first, operands) => {
  const mnemonic = first.toLowerCase()
  const reg = (text: string | undefined): string => {
    if (text === undefined || !/^r\d+$/.test(text))
      return emitter.fail(`expected a register, but found "${text ?? ''}"`)
    return text
  }
  const value = (text: string | undefined): Expression => {
    if (text !== undefined && /^-?(?:0x[0-9a-f]+|\d+)$/i.test(text)) return immediate(text)
    return register(reg(text))
  }
  /** The field holds a pair of numbers that compare, as signed ones, like the operands do. */
  const compare = (
    field: string,
    left: Expression,
    right: Expression,
    { width, unsigned } = COMPARISONS['cmpw']!,
  ): void => {
    const flipped = (value: Expression): Expression => operation('^', [value, constant(1n << BigInt(width - 1))], width)
    const number = (value: Expression): Expression => operation('sext', [unsigned ? flipped(value) : value], width)
    emitter.emit({ kind: 'assign', register: `${field}.left`, value: number(left) })
    emitter.emit({ kind: 'assign', register: `${field}.right`, value: number(right) })
  }
  const indexed = (a: string | undefined, b: string | undefined): Expression =>
    a === '0' ? register(reg(b)) : operation('+', [register(reg(a)), register(reg(b))])
  switch (mnemonic) {
    case 'sync':
    case 'lwsync':
    case 'eieio':
    case 'isync':
      emitter.emit({ kind: 'fence', tags: [mnemonic.toUpperCase()] })
      return
    case 'hwsync':
      emitter.emit({ kind: 'fence', tags: ['SYNC'] })
      return
    case 'nop':
      return
    case 'li':
      emitter.emit({ kind: 'assign', register: reg(operands[0]), value: immediate(operands[1]!) })
      return
    case 'mr':
      emitter.emit({ kind: 'assign', register: reg(operands[0]), value: register(reg(operands[1])) })
      return
    case 'b':
      emitter.emitTo({ kind: 'jump', target: 0 }, operands[0]!)
      return
    case 'lwarx':
    case 'ldarx': {
      const size = mnemonic === 'lwarx' ? 4 : 8
      emitter.emit({
        kind: 'load',
        register: reg(operands[0]),
        address: indexed(operands[1], operands[2]),
        size,
        tags: ['X'],
        pairs: true,
      })
      return
    }
    case 'stwcx.':
    case 'stdcx.': {
      const size = mnemonic === 'stwcx.' ? 4 : 8
      const address = indexed(operands[1], operands[2])
      emitEither(
        emitter,
        emitter.temporary(),
        () => {
          emitter.emit({
            kind: 'store',
            address,
            value: register(reg(operands[0])),
            size,
            tags: ['X'],
            rmw: 'exclusive',
          })
          compare('cr0', constant(0), constant(0))
        },
        () => compare('cr0', constant(1), constant(0)),
      )
      return
    }
    case 'lis':
      emitter.emit({
        kind: 'assign',
        register: reg(operands[0]),
        value: operation('<<', [immediate(operands[1]!), constant(16)]),
      })
      return
    case 'neg':
      emitter.emit({
        kind: 'assign',
        register: reg(operands[0]),
        value: operation('-', [constant(0), value(operands[1])]),
      })
      return
    case 'extsw':
      emitter.emit({ kind: 'assign', register: reg(operands[0]), value: operation('sext', [value(operands[1])], 32) })
      return
    case 'subf':
      // Subtract from: the last operand minus the second.
      emitter.emit({
        kind: 'assign',
        register: reg(operands[0]),
        value: operation('-', [value(operands[2]), value(operands[1])]),
      })
      return
  }
  const comparison = COMPARISONS[mnemonic]
  if (comparison) {
    const fields = operands.length === 3 ? operands : ['cr0', ...operands]
    compare(fields[0]!, value(fields[1]), value(fields[2]), comparison)
    return
  }
  const branch = BRANCHES[mnemonic.replace(/[+-]$/, '')]
  if (branch) {
    const field = operands.length === 2 ? operands[0]! : 'cr0'
    const condition = operation(branch, [register(`${field}.left`), register(`${field}.right`)])
    emitter.emitTo({ kind: 'branch', condition, target: 0 }, operands.at(-1)!)
    return
  }
  const access = /^(l|st)([bhwd])(z|a)?(x)?$/.exec(mnemonic)
  if (access && (access[1] === 'st' ? access[3] === undefined : access[2] === 'd' || access[3] !== undefined)) {
    const size = SIZES[access[2]!]!
    const address = access[4] ? indexed(operands[1], operands[2]) : displaced(emitter, operands[1], reg)
    if (access[1] === 'l')
      emitter.emit({
        kind: 'load',
        register: reg(operands[0]),
        address,
        size,
        tags: [],
        ...(access[3] === 'a' && { signed: true }),
      })
    else emitter.emit({ kind: 'store', address, value: register(reg(operands[0])), size, tags: [] })
    return
  }
  const records = mnemonic.endsWith('.')
  const operator = ARITHMETIC[records ? mnemonic.slice(0, -1) : mnemonic]
  if (!operator) return emitter.fail(`the instruction ${first} is not supported for PPC`)
  emitter.emit({
    kind: 'assign',
    register: reg(operands[0]),
    value: operation(operator, [value(operands[1]), value(operands[2])]),
  })
  if (records) compare('cr0', register(reg(operands[0])), constant(0))
}

const immediate = (text: string): Expression => constant(text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text))

const displaced = (
  emitter: Emitter,
  text: string | undefined,
  reg: (text: string | undefined) => string,
): Expression => {
  const match = /^(-?\w+)\((\w+)\)$/.exec(text ?? '')
  if (!match) return emitter.fail(`expected an address like 0(r1), but found "${text ?? ''}"`)
  return operation('+', [register(reg(match[2])), immediate(match[1]!)])
}
