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

const ARITHMETIC: Readonly<Record<string, Operator>> = { ADD: '+', SUB: '-', AND: '&', OR: '|', XOR: '^' }
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
  const inside = /^(?:DWORD PTR )?[[(]\s*([A-Za-z_]\w*)\s*[\])]$/i.exec(text)?.[1]
  if (inside === undefined) return emitter.fail(`the operand "${text}" is not understood`)
  return {
    kind: 'memory',
    address: isRegister(inside) ? register(canonicalX86(inside)) : constant(emitter.memory.addressOf(inside)),
  }
}

/** The tags of an access that belongs to a locked instruction. */
const LOCKED = ['A', 'X']

const load = (emitter: Emitter, address: Expression, locked = false): Expression => {
  const name = emitter.temporary()
  emitter.emit({
    kind: 'load',
    register: name,
    address,
    size: 4,
    tags: locked ? LOCKED : [],
    ...(locked && { pairs: true }),
  })
  return register(name)
}

const store = (emitter: Emitter, address: Expression, value: Expression, locked = false): void =>
  emitter.emit({
    kind: 'store',
    address,
    value,
    size: 4,
    tags: locked ? LOCKED : [],
    ...(locked && { rmw: 'amo' }),
  })

const read = (emitter: Emitter, text: string | undefined): Expression => {
  const number = numberIn(text?.replace(/^\$/, ''))
  if (number !== undefined) return constant(BigInt.asUintN(32, number))
  const from = placeOf(emitter, text)
  return from.kind === 'register' ? register(from.name) : load(emitter, from.address)
}

/** Reads, computes and writes one memory cell; the old value is returned. */
const modify = (
  emitter: Emitter,
  address: Expression,
  change: (old: Expression) => Expression,
  locked: boolean,
): Expression => {
  const old = load(emitter, address, locked)
  store(emitter, address, change(old), locked)
  return old
}

const compare = (emitter: Emitter, left: Expression, right: Expression): void => {
  emitter.emit({ kind: 'assign', register: 'flags.left', value: left })
  emitter.emit({ kind: 'assign', register: 'flags.right', value: right })
}

const fences: Rule = (emitter, mnemonic) => {
  const isFence = /^[MSL]FENCE$/.test(mnemonic)
  if (isFence) emitter.emit({ kind: 'fence', tags: [mnemonic] })
  return isFence || mnemonic === 'NOP'
}

const moves: Rule = (emitter, mnemonic, operands) => {
  if (!/^MOV[LDQ]?$/.test(mnemonic)) return false
  const to = placeOf(emitter, operands[0])
  const value = read(emitter, operands[1])
  if (to.kind === 'register') emitter.emit({ kind: 'assign', register: to.name, value })
  else store(emitter, to.address, value)
  return true
}

const exchange: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic !== 'XCHG') return false
  const [a, b] = [placeOf(emitter, operands[0]), placeOf(emitter, operands[1])]
  const memory = a.kind === 'memory' ? a : b.kind === 'memory' ? b : undefined
  const other = a.kind === 'register' ? a : b.kind === 'register' ? b : undefined
  if (!memory || !other) return emitter.fail('XCHG needs a register and a memory operand')
  const old = modify(emitter, memory.address, () => register(other.name), true)
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
  (locked: boolean): Rule =>
  (emitter, mnemonic, operands) => {
    if (mnemonic !== 'XADD') return false
    const { address, from } = memoryAndRegister(emitter, mnemonic, operands)
    const old = modify(emitter, address, (value) => operation('+', [value, register(from)], 32), locked)
    emitter.emit({ kind: 'assign', register: from, value: old })
    return true
  }

const compareAndExchange =
  (locked: boolean): Rule =>
  (emitter, mnemonic, operands) => {
    if (mnemonic !== 'CMPXCHG') return false
    const { address, from } = memoryAndRegister(emitter, mnemonic, operands)
    const old = load(emitter, address, locked)
    compare(emitter, register('AX'), old)
    const assume = (operator: Operator): void =>
      emitter.emit({ kind: 'assume', condition: operation(operator, [register('flags.left'), old], 32) })
    emitEither(
      emitter,
      emitter.temporary(),
      () => {
        assume('==')
        store(emitter, address, register(from), locked)
      },
      () => {
        assume('!=')
        emitter.emit({ kind: 'assign', register: 'AX', value: old })
      },
    )
    return true
  }

const comparisons: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic !== 'CMP' && mnemonic !== 'TEST') return false
  const [left, right] = [read(emitter, operands[0]), read(emitter, operands[1])]
  if (mnemonic === 'CMP') compare(emitter, left, right)
  else compare(emitter, operation('&', [left, right], 32), constant(0))
  return true
}

const jumps: Rule = (emitter, mnemonic, operands) => {
  const operator = JUMPS[mnemonic]
  if (!operator && mnemonic !== 'JMP') return false
  const condition = operator && operation(operator, [register('flags.left'), register('flags.right')], 32)
  emitter.emitTo(condition ? { kind: 'branch', condition, target: 0 } : { kind: 'jump', target: 0 }, operands[0]!)
  return true
}

const arithmetic =
  (locked: boolean): Rule =>
  (emitter, mnemonic, operands) => {
    const unary = mnemonic === 'INC' ? '+' : mnemonic === 'DEC' ? '-' : undefined
    const operator = unary ?? ARITHMETIC[mnemonic]
    if (!operator) return false
    const to = placeOf(emitter, operands[0])
    const amount = unary ? constant(1) : read(emitter, operands[1])
    const change = (old: Expression): Expression => operation(operator, [old, amount], 32)
    const old = to.kind === 'register' ? register(to.name) : modify(emitter, to.address, change, locked)
    const result = change(old)
    if (to.kind === 'register') emitter.emit({ kind: 'assign', register: to.name, value: result })
    compare(emitter, result, constant(0))
    return true
  }

const translateWith = (locked: boolean): Translate =>
  byRules('X86', upperCase, [
    fences,
    moves,
    exchange,
    exchangeAndAdd(locked),
    compareAndExchange(locked),
    comparisons,
    jumps,
    arithmetic(locked),
  ])

const translateLocked = translateWith(true)
const translateUnlocked = translateWith(false)

/** `LOCK XADD [x],EAX` arrives as the mnemonic LOCK with the rest as its operands. */
export const translateX86: Translate = (emitter, mnemonic, operands) => {
  if (upperCase(mnemonic) !== 'LOCK') return translateUnlocked(emitter, mnemonic, operands)
  const [name, ...rest] = operands.join(',').trim().split(/\s+/)
  const split = rest.join(' ').split(',')
  translateLocked(
    emitter,
    name!,
    split.map((operand) => operand.trim()).filter((operand) => operand !== ''),
  )
}
