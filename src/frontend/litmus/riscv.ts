// RISC-V: loads and stores (also the annotated ones that litmus tests write, `lw.aq`), lr/sc, amo*, fences,
// arithmetic and branches. The result of a store-conditional depends on it, as the manual's dependencies say.
import { type Emitter, emitEither, type Translate } from './assembly.js'
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
} // prettier-ignore
const BRANCHES: Readonly<Record<string, Operator>> = {
  beq: '==',
  bne: '!=',
  blt: '<',
  bge: '>=',
  bltu: '<u',
  bgeu: '>=u',
  bgt: '>',
  ble: '<=',
} // prettier-ignore

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

export const translateRiscv: Translate = (emitter, first, operands) => {
  const mnemonic = first.toLowerCase()
  const reg = (text: string | undefined): string => {
    const name = canonicalRiscv(text ?? '')
    if (!/^x(?:[12]?\d|3[01])$/.test(name)) return emitter.fail(`expected a register, but found "${text ?? ''}"`)
    return name
  }
  const value = (text: string | undefined): Expression => {
    if (text !== undefined && /^-?(?:0x[0-9a-f]+|\d+)$/i.test(text)) return immediate(text)
    const name = reg(text)
    return name === 'x0' ? constant(0) : register(name)
  }
  const assign = (to: string | undefined, result: Expression, fromStore = false): void => {
    const name = reg(to)
    if (name !== 'x0') emitter.emit({ kind: 'assign', register: name, value: result, ...(fromStore && { fromStore }) })
  }
  const target = (text: string | undefined): string => {
    const name = reg(text)
    return name === 'x0' ? emitter.temporary() : name
  }
  if (mnemonic === 'fence') {
    const [before = 'iorw', after = 'iorw'] = operands
    const set = (text: string): string => `${/r/.test(text) ? 'r' : ''}${/w/.test(text) ? 'w' : ''}`
    if (!/^[iorw]+$/.test(before) || !/^[iorw]+$/.test(after))
      return emitter.fail(`"${operands.join(',')}" is not what a fence orders`)
    if (set(before) !== '' && set(after) !== '')
      emitter.emit({ kind: 'fence', tags: [`Fence.${set(before)}.${set(after)}`] })
    return
  }
  switch (mnemonic) {
    case 'fence.tso':
      emitter.emit({ kind: 'fence', tags: ['Fence.tso'] })
      return
    case 'fence.i':
      emitter.emit({ kind: 'fence', tags: ['Fence.i'] })
      return
    case 'nop':
      return
    case 'li':
    case 'mv':
      assign(operands[0], value(operands[1]))
      return
    case 'not':
      assign(operands[0], operation('^', [value(operands[1]), constant(-1)]))
      return
    case 'neg':
      assign(operands[0], operation('-', [constant(0), value(operands[1])]))
      return
    case 'seqz':
    case 'snez':
      assign(operands[0], operation(mnemonic === 'seqz' ? '==' : '!=', [value(operands[1]), constant(0)]))
      return
    case 'j':
      emitter.emitTo({ kind: 'jump', target: 0 }, operands[0]!)
      return
    case 'beqz':
    case 'bnez':
      emitter.emitTo(
        {
          kind: 'branch',
          condition: operation(mnemonic === 'beqz' ? '==' : '!=', [value(operands[0]), constant(0)]),
          target: 0,
        },
        operands[1]!,
      )
      return
  }
  const branch = BRANCHES[mnemonic]
  if (branch) {
    emitter.emitTo(
      { kind: 'branch', condition: operation(branch, [value(operands[0]), value(operands[1])]), target: 0 },
      operands[2]!,
    )
    return
  }
  const atomic = /^(lr|sc|amo(swap|add|and|or|xor|maxu?|minu?))\.([wd])((?:\.(?:aq|rl|aqrl))*)$/.exec(mnemonic)
  if (atomic) {
    const size = SIZES[atomic[3]!]!
    const tags = annotation(atomic[4]!)
    if (atomic[1] === 'lr') {
      emitter.emit({
        kind: 'load',
        register: target(operands[0]),
        address: addressOf(emitter, operands[1], value),
        size,
        signed: true,
        tags: ['X', ...tags],
        pairs: true,
      })
    } else if (atomic[1] === 'sc') {
      const address = addressOf(emitter, operands[2], value)
      emitEither(
        emitter,
        emitter.temporary(),
        () => {
          emitter.emit({
            kind: 'store',
            address,
            value: value(operands[1]),
            size,
            tags: ['X', ...tags],
            rmw: 'exclusive',
          })
          assign(operands[0], constant(0), true)
        },
        () => assign(operands[0], constant(1)),
      )
    } else {
      const address = addressOf(emitter, operands[2], value)
      const old = emitter.temporary()
      const operand = value(operands[1])
      emitter.emit({ kind: 'load', register: old, address, size, signed: true, tags: ['AMO', ...tags], pairs: true })
      emitter.emit({
        kind: 'store',
        address,
        value: amoResult(atomic[2]!, register(old), operand, size * 8),
        size,
        tags: ['AMO', ...tags],
        rmw: 'amo',
      })
      assign(operands[0], register(old))
    }
    return
  }
  const access = /^(l|s)([bhwd])(u)?((?:\.(?:aq|rl|aqrl))*)$/.exec(mnemonic)
  if (access && !(access[1] === 's' && access[3])) {
    const size = SIZES[access[2]!]!
    const tags = annotation(access[4]!)
    const address = addressOf(emitter, operands[1], value)
    if (access[1] === 'l')
      emitter.emit({ kind: 'load', register: target(operands[0]), address, size, signed: !access[3], tags })
    else emitter.emit({ kind: 'store', address, value: value(operands[0]), size, tags })
    return
  }
  const word = /^(add|addi|sub|sll|slli|srl|srli|sra|srai|mul)w$/.exec(mnemonic)
  const operator = ARITHMETIC[word ? word[1]! : mnemonic]
  if (!operator) return emitter.fail(`the instruction ${first} is not supported for RISC-V`)
  const result = operation(operator, [value(operands[1]), value(operands[2])], word ? 32 : 64)
  assign(operands[0], word ? operation('sext', [result], 32) : result)
}

const immediate = (text: string): Expression => constant(text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text))

const addressOf = (
  emitter: Emitter,
  text: string | undefined,
  value: (text: string | undefined) => Expression,
): Expression => {
  const match = /^(-?\w*)\((\w+)\)$/.exec(text ?? '')
  if (!match) return emitter.fail(`expected an address like 0(x5), but found "${text ?? ''}"`)
  return match[1] === '' || match[1] === '0' ? value(match[2]) : operation('+', [value(match[2]), immediate(match[1]!)])
}
