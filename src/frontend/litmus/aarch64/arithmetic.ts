// AArch64's arithmetic, its flags, and the conditional instructions. Flags are registers: Z, N, C, V, and LT, which is
// N other than V. A conditional select takes one of two registers: the result depends on the one that is taken, and the
// comparison only picks it (Arm Architecture Reference Manual, B2.3: pick dependencies are weaker than others).
import { type Emitter, emitEither, type Rule } from '../assembly.js'
import { constant, type Expression, type Operator, operation, register } from '../test.js'
import { changed, flexible, immediate, type Name, nameOf, read, write } from './operands.js'

const ARITHMETIC: Readonly<Record<string, Operator>> = {
  ADD: '+',
  SUB: '-',
  MUL: '*',
  EOR: '^',
  ORR: '|',
  AND: '&',
  LSL: '<<',
  LSR: '>>>',
  ASR: '>>',
} // prettier-ignore

/** These combine with the complement of their last operand. */
const COMPLEMENTED: Readonly<Record<string, Operator>> = { BIC: '&', ORN: '|', EON: '^' }

const flag = (name: 'Z' | 'N' | 'C' | 'V' | 'LT'): Expression => register(`nzcv.${name}`)
const not = (value: Expression): Expression => operation('==', [value, constant(0)])
const complement = (value: Expression, width: number): Expression => operation('^', [value, constant(-1)], width)

const CONDITIONS: Readonly<Record<string, Expression>> = {
  EQ: flag('Z'),
  NE: not(flag('Z')),
  CS: flag('C'),
  HS: flag('C'),
  CC: not(flag('C')),
  LO: not(flag('C')),
  MI: flag('N'),
  PL: not(flag('N')),
  VS: flag('V'),
  VC: not(flag('V')),
  HI: operation('&', [flag('C'), not(flag('Z'))]),
  LS: operation('|', [not(flag('C')), flag('Z')]),
  GE: not(flag('LT')),
  LT: flag('LT'),
  GT: operation('&', [not(flag('LT')), not(flag('Z'))]),
  LE: operation('|', [flag('LT'), flag('Z')]),
}

/** What a condition code says of the flags. */
export const conditionOf = (code: string | undefined): Expression | undefined => CONDITIONS[(code ?? '').toUpperCase()]

const setFlags = (emitter: Emitter, flags: Readonly<Record<'Z' | 'N' | 'C' | 'V' | 'LT', Expression>>): void => {
  for (const [name, value] of Object.entries(flags)) emitter.emit({ kind: 'assign', register: `nzcv.${name}`, value })
}

const isNegative = (value: Expression, width: number): Expression => operation('<', [value, constant(0)], width)

const flagsOfDifference = (emitter: Emitter, a: Expression, b: Expression, width: number): void => {
  const [less, negative] = [operation('<', [a, b], width), isNegative(operation('-', [a, b], width), width)]
  setFlags(emitter, {
    Z: operation('==', [a, b], width),
    N: negative,
    C: operation('>=u', [a, b], width),
    V: operation('!=', [less, negative]),
    LT: less,
  })
}

const flagsOfSum = (emitter: Emitter, a: Expression, b: Expression, width: number): void => {
  const sum = operation('+', [a, b], width)
  const negative = isNegative(sum, width)
  const overflows = isNegative(
    operation('&', [operation('^', [a, sum], width), operation('^', [b, sum], width)], width),
    width,
  )
  setFlags(emitter, {
    Z: operation('==', [sum, constant(0)], width),
    N: negative,
    C: operation('<u', [sum, a], width),
    V: overflows,
    LT: operation('!=', [negative, overflows]),
  })
}

const flagsOfResult = (emitter: Emitter, result: Expression, width: number): void => {
  const negative = isNegative(result, width)
  const zero = constant(0)
  setFlags(emitter, { Z: operation('==', [result, zero], width), N: negative, C: zero, V: zero, LT: negative })
}

const comparisons: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic !== 'CMP' && mnemonic !== 'CMN' && mnemonic !== 'TST') return false
  const left = nameOf(emitter, operands[0])
  const [a, b] = [read(left), flexible(emitter, operands.slice(1), left.width)]
  if (mnemonic === 'CMP') flagsOfDifference(emitter, a, b, left.width)
  else if (mnemonic === 'CMN') flagsOfSum(emitter, a, b, left.width)
  else flagsOfResult(emitter, operation('&', [a, b], left.width), left.width)
  return true
}

/** `CSEL X0,X1,X2,EQ` and its kin: what is done to the second register if it is the one that is taken. */
const SELECTIONS: Readonly<Record<string, (value: Expression, width: number) => Expression>> = {
  CSEL: (value) => value,
  CSINC: (value, width) => operation('+', [value, constant(1)], width),
  CSINV: complement,
  CSNEG: (value, width) => operation('-', [constant(0), value], width),
}
const ALIASES: Readonly<Record<string, string>> = {
  CSET: 'CSINC',
  CSETM: 'CSINV',
  CINC: 'CSINC',
  CINV: 'CSINV',
  CNEG: 'CSNEG',
}

const selections: Rule = (emitter, mnemonic, operands) => {
  const alias = ALIASES[mnemonic]
  const change = SELECTIONS[alias ?? mnemonic]
  if (!change) return false
  const to = nameOf(emitter, operands[0])
  const zero: Name = { name: 'XZR', width: to.width, isZero: true }
  const written = conditionOf(operands.at(-1)) ?? emitter.fail(`"${operands.at(-1)}" is not a condition`)
  // An alias names the condition under which the change is made, the instruction the one under which it is not.
  const condition = alias ? not(written) : written
  const sources = operands.slice(1, -1).map((text) => nameOf(emitter, text))
  const [first, second] = [sources[0] ?? zero, sources[1] ?? sources[0] ?? zero]
  emitEither(
    emitter,
    emitter.temporary(),
    () => {
      emitter.emit({ kind: 'assume', condition })
      write(emitter, to, read(first), condition)
    },
    () => {
      emitter.emit({ kind: 'assume', condition: not(condition) })
      write(emitter, to, change(read(second), to.width), condition)
    },
  )
  return true
}

const moves: Rule = (emitter, mnemonic, operands) => {
  const unary = /^(MOV|MOVZ|MOVN|MVN|NEGS?|[SU]XT[BHW])$/.exec(mnemonic)?.[1]
  if (!unary && mnemonic !== 'MOVK') return false
  const to = nameOf(emitter, operands[0])
  const { width } = to
  if (!unary) {
    const shift = Number(/^LSL\s+#(\d+)$/i.exec(operands[2] ?? 'LSL #0')?.[1] ?? emitter.fail('expected LSL #n'))
    const kept = operation('&', [read(to), constant(~(0xffffn << BigInt(shift)))], width)
    const piece = immediate(operands[1] ?? '') ?? emitter.fail('expected an immediate')
    write(emitter, to, operation('|', [kept, operation('<<', [piece, constant(shift)], width)], width))
    return true
  }
  const value = flexible(emitter, operands.slice(1), width)
  if (unary === 'MVN' || unary === 'MOVN') write(emitter, to, complement(value, width))
  else if (unary.startsWith('NEG')) {
    if (unary === 'NEGS') flagsOfDifference(emitter, constant(0), value, width)
    write(emitter, to, operation('-', [constant(0), value], width))
  } else if (unary.includes('XT')) write(emitter, to, changed(emitter, value, unary, width))
  else write(emitter, to, value)
  return true
}

const binary: Rule = (emitter, mnemonic, operands) => {
  const records = /^(ADD|SUB|AND|BIC)S$/.exec(mnemonic)?.[1]
  const name = records ?? mnemonic
  const operator = ARITHMETIC[name] ?? COMPLEMENTED[name]
  if (!operator) return false
  const to = nameOf(emitter, operands[0])
  const left = read(nameOf(emitter, operands[1]))
  const last = flexible(emitter, operands.slice(2), to.width)
  const right = name in COMPLEMENTED ? complement(last, to.width) : last
  const result = operation(operator, [left, right], to.width)
  if (records === 'SUB') flagsOfDifference(emitter, left, right, to.width)
  else if (records === 'ADD') flagsOfSum(emitter, left, right, to.width)
  else if (records) flagsOfResult(emitter, result, to.width)
  write(emitter, to, result)
  return true
}

const multiplyAdd: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic !== 'MADD' && mnemonic !== 'MSUB') return false
  const to = nameOf(emitter, operands[0])
  const [a, b, c] = operands.slice(1).map((text) => read(nameOf(emitter, text)))
  if (!a || !b || !c) return emitter.fail(`${mnemonic} needs four registers`)
  const product = operation('*', [a, b], to.width)
  write(emitter, to, operation(mnemonic === 'MADD' ? '+' : '-', [c, product], to.width))
  return true
}

export const arithmetic: Rule = (emitter, mnemonic, operands) =>
  [comparisons, selections, moves, binary, multiplyAdd].some((rule) => rule(emitter, mnemonic, operands))
