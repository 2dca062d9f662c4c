// X86 as litmus tests write it: Intel's operand order, memory in brackets, immediates with or without $. XCHG with
// memory is always locked; other read-modify-writes are atomic only with LOCK.
import { byRules, type Emitter, emitEither, numberIn, type Rule, type Translate, upperCase } from './assembly.js'
import { constant, type Expression, type Operator, operation, register } from './test.js'

/** EAX, RAX, AX and AL are one register here: tests do not mix their widths. */
export const canonicalX86 = (name: string): string => {
  const upper = name.toUpperCase()
  if (/^[ER]?(AX|BX|CX|DX|SI|DI|BP|SP)$/.test(upper)) return upper.replace(/^[ER](?=..)/, '')
  if (/^[ABCD]L$/.test(upper)) return `${upper[0]}X`
  if (/^R(8|9|1[0-5])[DWB]?$/.test(upper)) return upper.replace(/[DWB]$/, '')
  return name
}

const isRegister = (text: string): boolean =>
  /^(?:[ER]?(?:AX|BX|CX|DX|SI|DI|BP|SP)|[ABCD]L|R(?:8|9|1[0-5])[DWB]?)$/i.test(text)

type Place =
  | { readonly kind: 'register'; readonly name: string }
  | { readonly kind: 'memory'; readonly address: Expression }

const ARITHMETIC: Readonly<Record<string, Operator>> = {
  ...{ ADD: '+', SUB: '-', AND: '&', OR: '|', XOR: '^' },
  ...{ SHL: '<<', SHR: '>>>', SAR: '>>' },
}
const JUMPS: Readonly<Record<string, Operator>> = {
  JE: '==',
  JZ: '==',
  JNE: '!=',
  JNZ: '!=',
  JL: '<',
  JLE: '<=',
  JG: '>',
  JGE: '>=',
  JB: '<u',
  JBE: '<=u',
  JA: '>u',
  JAE: '>=u',
}

const placeOf = (emitter: Emitter, text: string | undefined): Place => {
  if (text === undefined) return emitter.fail('an operand is missing')
  if (isRegister(text)) return { kind: 'register', name: canonicalX86(text) }
  const match = /^(?:[DQ]WORD PTR )?[[(]\s*([A-Za-z_]\w*)\s*(?:([+-])\s*(\w+)\s*)?[\])]$/i.exec(text)
  const distance = numberIn(match?.[3] ?? '0')
  if (!match || distance === undefined) return emitter.fail(`the operand "${text}" is not understood`)
  const base = match[1]!
  const start = isRegister(base) ? register(canonicalX86(base)) : constant(emitter.memory.addressOf(base))
  const address = distance === 0n ? start : operation(match[2] === '-' ? '-' : '+', [start, constant(distance)])
  return { kind: 'memory', address }
}

/** How an instruction is carried out. */
interface Form {
  readonly bits: 32 | 64
  readonly locked: boolean
}

/** The tags of an access that belongs to a locked instruction. */
const LOCKED = ['A', 'X']

const load = (emitter: Emitter, address: Expression, { bits, locked }: Form): Expression => {
  const name = emitter.temporary()
  emitter.emit({
    kind: 'load',
    register: name,
    address,
    size: bits / 8,
    tags: locked ? LOCKED : [],
    ...(locked && { pairs: true }),
  })
  return register(name)
}

const store = (emitter: Emitter, address: Expression, value: Expression, { bits, locked }: Form): void =>
  emitter.emit({
    kind: 'store',
    address,
    value,
    size: bits / 8,
    tags: locked ? LOCKED : [],
    ...(locked && { rmw: 'amo' }),
  })

const read = (emitter: Emitter, text: string | undefined, { bits }: Form): Expression => {
  const number = numberIn(text?.replace(/^\$/, ''))
  if (number !== undefined) return constant(BigInt.asUintN(bits, number))
  const from = placeOf(emitter, text)
  return from.kind === 'register' ? register(from.name) : load(emitter, from.address, { bits, locked: false })
}

/** Reads, computes and writes one memory cell; the old value is returned. */
const modify = (
  emitter: Emitter,
  address: Expression,
  change: (old: Expression) => Expression,
  form: Form,
): Expression => {
  const old = load(emitter, address, form)
  store(emitter, address, change(old), form)
  return old
}

const compare = (emitter: Emitter, left: Expression, right: Expression, { bits }: Form): void => {
  emitter.emit({ kind: 'assign', register: 'flags.left', value: left })
  emitter.emit({ kind: 'assign', register: 'flags.right', value: right })
  emitter.comparedBits = bits
}

const fences: Rule = (emitter, mnemonic) => {
  const isFence = /^[MSL]FENCE$/.test(mnemonic)
  if (isFence) emitter.emit({ kind: 'fence', tags: [mnemonic] })
  return isFence || mnemonic === 'NOP'
}

const moves =
  (form: Form): Rule =>
  (emitter, mnemonic, operands) => {
    if (!/^MOV[LDQ]?$/.test(mnemonic)) return false
    const to = placeOf(emitter, operands[0])
    const value = read(emitter, operands[1], form)
    if (to.kind === 'register') emitter.emit({ kind: 'assign', register: to.name, value })
    else store(emitter, to.address, value, form)
    return true
  }

const addresses: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic !== 'LEA') return false
  const [to, from] = [placeOf(emitter, operands[0]), placeOf(emitter, operands[1])]
  if (to.kind !== 'register' || from.kind !== 'memory') return emitter.fail('LEA needs a register and a memory operand')
  emitter.emit({ kind: 'assign', register: to.name, value: from.address })
  return true
}

const exchange =
  ({ bits }: Form): Rule =>
  (emitter, mnemonic, operands) => {
    if (mnemonic !== 'XCHG') return false
    const [a, b] = [placeOf(emitter, operands[0]), placeOf(emitter, operands[1])]
    const memory = a.kind === 'memory' ? a : b.kind === 'memory' ? b : undefined
    const other = a.kind === 'register' ? a : b.kind === 'register' ? b : undefined
    if (!memory || !other) return emitter.fail('XCHG needs a register and a memory operand')
    const old = modify(emitter, memory.address, () => register(other.name), { bits, locked: true })
    emitter.emit({ kind: 'assign', register: other.name, value: old })
    return true
  }

/** The operands of XADD and CMPXCHG. */
const memoryAndRegister = (
  emitter: Emitter,
  mnemonic: string,
  operands: readonly string[],
): { readonly address: Expression; readonly from: string } => {
  const [to, from] = [placeOf(emitter, operands[0]), placeOf(emitter, operands[1])]
  if (to.kind !== 'memory' || from.kind !== 'register')
    return emitter.fail(`${mnemonic} needs a memory operand and a register`)
  return { address: to.address, from: from.name }
}

const exchangeAndAdd =
  (form: Form): Rule =>
  (emitter, mnemonic, operands) => {
    if (mnemonic !== 'XADD') return false
    const { address, from } = memoryAndRegister(emitter, mnemonic, operands)
    const old = modify(emitter, address, (value) => operation('+', [value, register(from)], form.bits), form)
    emitter.emit({ kind: 'assign', register: from, value: old })
    return true
  }

const compareAndExchange =
  (form: Form): Rule =>
  (emitter, mnemonic, operands) => {
    if (mnemonic !== 'CMPXCHG') return false
    const { address, from } = memoryAndRegister(emitter, mnemonic, operands)
    const old = load(emitter, address, form)
    compare(emitter, register('AX'), old, form)
    const assume = (operator: Operator): void =>
      emitter.emit({ kind: 'assume', condition: operation(operator, [register('flags.left'), old], form.bits) })
    emitEither(
      emitter,
      emitter.temporary(),
      () => {
        assume('==')
        store(emitter, address, register(from), form)
      },
      () => {
        assume('!=')
        emitter.emit({ kind: 'assign', register: 'AX', value: old })
      },
    )
    return true
  }

const comparisons =
  (form: Form): Rule =>
  (emitter, mnemonic, operands) => {
    if (mnemonic !== 'CMP' && mnemonic !== 'TEST') return false
    const [left, right] = [read(emitter, operands[0], form), read(emitter, operands[1], form)]
    if (mnemonic === 'CMP') compare(emitter, left, right, form)
    else compare(emitter, operation('&', [left, right], form.bits), constant(0), form)
    return true
  }

const jumps: Rule = (emitter, mnemonic, operands) => {
  const operator = JUMPS[mnemonic]
  if (!operator && mnemonic !== 'JMP') return false
  const condition =
    operator && operation(operator, [register('flags.left'), register('flags.right')], emitter.comparedBits)
  emitter.emitTo(condition ? { kind: 'branch', condition, target: 0 } : { kind: 'jump', target: 0 }, operands[0]!)
  return true
}

const arithmetic =
  (form: Form): Rule =>
  (emitter, mnemonic, operands) => {
    const unary = mnemonic === 'INC' ? '+' : mnemonic === 'DEC' ? '-' : undefined
    const operator = unary ?? ARITHMETIC[mnemonic]
    if (!operator) return false
    const to = placeOf(emitter, operands[0])
    const amount = unary ? constant(1) : read(emitter, operands[1], form)
    const change = (old: Expression): Expression => operation(operator, [old, amount], form.bits)
    const old = to.kind === 'register' ? register(to.name) : modify(emitter, to.address, change, form)
    const result = change(old)
    if (to.kind === 'register') emitter.emit({ kind: 'assign', register: to.name, value: result })
    compare(emitter, result, constant(0), form)
    return true
  }

const translateWith = (form: Form): Translate =>
  byRules('X86', upperCase, [
    fences,
    moves(form),
    addresses,
    exchange(form),
    exchangeAndAdd(form),
    compareAndExchange(form),
    comparisons(form),
    jumps,
    arithmetic(form),
  ])

const translators = (bits: 32 | 64) => ({
  locked: translateWith({ bits, locked: true }),
  unlocked: translateWith({ bits, locked: false }),
})
const TRANSLATORS = { 32: translators(32), 64: translators(64) }

/** `LOCK XADD [x],EAX` arrives as the mnemonic LOCK with the rest as its operands. */
export const translateX86Of =
  (bits: 32 | 64): Translate =>
  (emitter, mnemonic, operands) => {
    const { locked, unlocked } = TRANSLATORS[bits]
    if (upperCase(mnemonic) !== 'LOCK') return unlocked(emitter, mnemonic, operands)
    const [name, ...rest] = operands.join(',').trim().split(/\s+/)
    const split = rest.join(' ').split(',')
    locked(
      emitter,
      name!,
      split.map((operand) => operand.trim()).filter((operand) => operand !== ''),
    )
  }

export const translateX86 = translateX86Of(32)
