// X86 as litmus tests write it: Intel's operand order, memory in brackets, immediates with or without $. XCHG with
// memory is always locked; other read-modify-writes are atomic only with LOCK.
import { type Emitter, emitEither, type Translate } from './assembly.js'
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
} // prettier-ignore

export const translateX86: Translate = (emitter, first, rest) => {
  let mnemonic = first.toUpperCase()
  let operands = rest
  let locked = false
  if (mnemonic === 'LOCK') {
    locked = true
    const [name, ...others] = rest.join(',').trim().split(/\s+/)
    mnemonic = name!.toUpperCase()
    operands = others
      .join(' ')
      .split(',')
      .map((o) => o.trim())
      .filter((o) => o !== '')
  }
  const place = (text: string | undefined): Place => placeOf(emitter, text)
  const load = (address: Expression, tags: readonly string[] = [], pairs = false): Expression => {
    const name = emitter.temporary()
    emitter.emit({ kind: 'load', register: name, address, size: 4, tags, ...(pairs && { pairs }) })
    return register(name)
  }
  const read = (text: string | undefined): Expression => {
    const immediate = /^\$?(-?(?:0x[0-9a-f]+|\d+))$/i.exec(text ?? '')
    if (immediate)
      return constant(
        BigInt.asUintN(32, immediate[1]!.startsWith('-') ? -BigInt(immediate[1]!.slice(1)) : BigInt(immediate[1]!)),
      )
    const from = place(text)
    return from.kind === 'register' ? register(from.name) : load(from.address)
  }
  const write = (to: Place, value: Expression): void => {
    if (to.kind === 'register') emitter.emit({ kind: 'assign', register: to.name, value })
    else emitter.emit({ kind: 'store', address: to.address, value, size: 4, tags: [] })
  }
  /** Reads, computes and writes one memory cell; the old value is returned. */
  const modify = (address: Expression, change: (old: Expression) => Expression, atomic: boolean): Expression => {
    const old = load(address, atomic ? ['A', 'X'] : [], atomic)
    const value = change(old)
    if (atomic) emitter.emit({ kind: 'store', address, value, size: 4, tags: ['A', 'X'], rmw: 'amo' })
    else emitter.emit({ kind: 'store', address, value, size: 4, tags: [] })
    return old
  }
  const compare = (left: Expression, right: Expression): void => {
    emitter.emit({ kind: 'assign', register: 'flags.left', value: left })
    emitter.emit({ kind: 'assign', register: 'flags.right', value: right })
  }
  switch (mnemonic) {
    case 'MFENCE':
    case 'SFENCE':
    case 'LFENCE':
      emitter.emit({ kind: 'fence', tags: [mnemonic] })
      return
    case 'NOP':
      return
    case 'MOV':
    case 'MOVL':
    case 'MOVD':
    case 'MOVQ':
      write(place(operands[0]), read(operands[1]))
      return
    case 'XCHG': {
      const [a, b] = [place(operands[0]), place(operands[1])]
      const memory = a.kind === 'memory' ? a : b.kind === 'memory' ? b : undefined
      const other = a.kind === 'register' ? a : b.kind === 'register' ? b : undefined
      if (!memory || !other) return emitter.fail('XCHG needs a register and a memory operand')
      const old = modify(memory.address, () => register(other.name), true)
      emitter.emit({ kind: 'assign', register: other.name, value: old })
      return
    }
    case 'XADD': {
      const [to, from] = [place(operands[0]), place(operands[1])]
      if (to.kind !== 'memory' || from.kind !== 'register')
        return emitter.fail('XADD needs a memory operand and a register')
      const old = modify(to.address, (value) => operation('+', [value, register(from.name)], 32), locked)
      emitter.emit({ kind: 'assign', register: from.name, value: old })
      return
    }
    case 'CMPXCHG': {
      const [to, from] = [place(operands[0]), place(operands[1])]
      if (to.kind !== 'memory' || from.kind !== 'register')
        return emitter.fail('CMPXCHG needs a memory operand and a register')
      const tags = locked ? ['A', 'X'] : []
      const old = load(to.address, tags, locked)
      compare(register('AX'), old)
      emitEither(
        emitter,
        emitter.temporary(),
        () => {
          emitter.emit({ kind: 'assume', condition: operation('==', [register('flags.left'), old], 32) })
          emitter.emit({
            kind: 'store',
            address: to.address,
            value: register(from.name),
            size: 4,
            tags,
            ...(locked && { rmw: 'amo' }),
          })
        },
        () => {
          emitter.emit({ kind: 'assume', condition: operation('!=', [register('flags.left'), old], 32) })
          emitter.emit({ kind: 'assign', register: 'AX', value: old })
        },
      )
      return
    }
    case 'CMP':
      compare(read(operands[0]), read(operands[1]))
      return
    case 'TEST':
      compare(operation('&', [read(operands[0]), read(operands[1])], 32), constant(0))
      return
    case 'JMP':
      emitter.emitTo({ kind: 'jump', target: 0 }, operands[0]!)
      return
  }
  const jump = JUMPS[mnemonic]
  if (jump) {
    const condition = operation(jump, [register('flags.left'), register('flags.right')], 32)
    emitter.emitTo({ kind: 'branch', condition, target: 0 }, operands[0]!)
    return
  }
  const unary = mnemonic === 'INC' ? '+' : mnemonic === 'DEC' ? '-' : undefined
  const operator = unary ?? ARITHMETIC[mnemonic]
  if (!operator) return emitter.fail(`the instruction ${first} is not supported for X86`)
  const to = place(operands[0])
  const amount = unary ? constant(1) : read(operands[1])
  const change = (old: Expression): Expression => operation(operator, [old, amount], 32)
  const result = to.kind === 'register' ? change(register(to.name)) : change(modify(to.address, change, locked))
  if (to.kind === 'register') write(to, result)
  compare(result, constant(0))
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
