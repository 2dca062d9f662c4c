// AArch64: loads and stores of all sizes and orders, exclusives, the atomic instructions of version 8.1, barriers,
// arithmetic, compare and branch. W and X are the two views of a register: writing W clears the upper half.
import { type Emitter, emitEither, type Translate } from './assembly.js'
import { constant, type Expression, type Operator, operation, register } from './test.js'

export const canonicalAArch64 = (name: string): string => (/^[WX]\d+$/i.test(name) ? `X${name.slice(1)}` : name)

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
const CONDITIONS: Readonly<Record<string, Operator>> = {
  EQ: '==',
  NE: '!=',
  LT: '<',
  LE: '<=',
  GT: '>',
  GE: '>=',
  CC: '<u',
  LO: '<u',
  LS: '<=u',
  HI: '>u',
  CS: '>=u',
  HS: '>=u',
} // prettier-ignore
const BARRIERS = new Set(['SY', 'LD', 'ST', 'ISH', 'ISHLD', 'ISHST', 'OSH', 'OSHLD', 'OSHST', 'NSH', 'NSHLD', 'NSHST'])

interface Name {
  readonly name: string
  readonly width: 32 | 64
  readonly isZero: boolean
}

const nameOf = (emitter: Emitter, text: string | undefined): Name => {
  // A register by a name of the test's own, which holds an address.
  if (text !== undefined && /^%\w+$/.test(text)) return { name: text, width: 64, isZero: false }
  const upper = (text ?? '').toUpperCase()
  if (!/^(?:[WX](?:[12]?\d|30|ZR)|W?SP)$/.test(upper))
    return emitter.fail(`expected a register, but found "${text ?? ''}"`)
  return { name: canonicalAArch64(upper), width: upper.startsWith('W') ? 32 : 64, isZero: upper.endsWith('ZR') }
}

const immediate = (text: string): Expression | undefined => {
  const match = /^#?(-?)(0x[0-9a-f]+|\d+)$/i.exec(text)
  return match ? constant(match[1] ? -BigInt(match[2]!) : BigInt(match[2]!)) : undefined
}

const read = ({ name, width, isZero }: Name): Expression =>
  isZero ? constant(0) : width === 32 ? operation('zext', [register(name)], 32) : register(name)

const write = (emitter: Emitter, to: Name, value: Expression): void => {
  if (!to.isZero)
    emitter.emit({ kind: 'assign', register: to.name, value: to.width === 32 ? operation('zext', [value], 32) : value })
}

/** A register, an immediate, or a register that is shifted or extended: the last operands of an instruction. */
const flexible = (emitter: Emitter, operands: readonly string[], width: number): Expression => {
  const [text, change] = operands
  const constantValue = text === undefined ? undefined : immediate(text)
  const value = constantValue ?? read(nameOf(emitter, text))
  return change === undefined ? value : changed(emitter, value, change, width)
}

const changed = (emitter: Emitter, value: Expression, change: string, width: number): Expression => {
  const match = /^(LSL|LSR|ASR|SXTW|UXTW|SXTX|UXTX|SXTH|UXTH|SXTB|UXTB)(?:\s+#(\d+))?$/i.exec(change.trim())
  if (!match) return emitter.fail(`"${change}" is not a shift or an extension`)
  const kind = match[1]!.toUpperCase()
  const amount = constant(Number(match[2] ?? 0))
  if (kind in ARITHMETIC) return operation(ARITHMETIC[kind]!, [value, amount], width)
  const bits = { B: 8, H: 16, W: 32, X: 64 }[kind[3] as 'B' | 'H' | 'W' | 'X']
  const extended = operation(kind.startsWith('S') ? 'sext' : 'zext', [value], bits)
  return match[2] ? operation('<<', [extended, amount], width) : extended
}

/** `[X1]`, `[X1,#4]`, `[X1,X2]`, `[X1,W2,SXTW #2]`; with `!` or an operand behind it the base is updated. */
const addressed = (
  emitter: Emitter,
  operands: readonly string[],
): { readonly address: Expression; readonly after?: () => void } => {
  const match = /^\[([^\]]*)\](!?)$/.exec(operands[0] ?? '')
  if (!match) return emitter.fail(`expected an address in brackets, but found "${operands[0] ?? ''}"`)
  const [baseText, ...offset] = match[1]!.split(',').map((part) => part.trim())
  const base = nameOf(emitter, baseText)
  const start = read(base)
  const isNothing = offset.length === 1 && /^#?0$/.test(offset[0]!)
  const address = offset.length === 0 || isNothing ? start : operation('+', [start, flexible(emitter, offset, 64)])
  if (match[2] === '!') return { address, after: () => write(emitter, base, address) }
  if (operands.length > 1) {
    const step = flexible(emitter, operands.slice(1), 64)
    return { address, after: () => write(emitter, base, operation('+', [start, step])) }
  }
  return { address }
}

const sizeOf = (suffix: string | undefined, data: Name): number =>
  suffix === 'B' || suffix === 'SB' ? 1 : suffix === 'H' || suffix === 'SH' ? 2 : suffix === 'SW' ? 4 : data.width / 8

const load = (
  emitter: Emitter,
  to: Name,
  address: Expression,
  size: number,
  tags: readonly string[],
  pairs = false,
  signed = false,
): Expression => {
  const name = emitter.temporary()
  emitter.emit({
    kind: 'load',
    register: name,
    address,
    size,
    tags,
    ...(pairs && { pairs }),
    ...(signed && { signed }),
  })
  write(emitter, to, register(name))
  return register(name)
}

export const translateAArch64: Translate = (emitter, first, operands) => {
  const mnemonic = first.toUpperCase()
  for (const rule of [barriersAndBranches, exclusives, atomics, accesses, arithmetic])
    if (rule(emitter, mnemonic, operands)) return
  emitter.fail(`the instruction ${first} is not supported for AArch64`)
}

type Rule = (emitter: Emitter, mnemonic: string, operands: readonly string[]) => boolean

const barriersAndBranches: Rule = (emitter, mnemonic, operands) => {
  if (mnemonic === 'DMB' || mnemonic === 'DSB') {
    const option = (operands[0] ?? 'SY').toUpperCase()
    if (!BARRIERS.has(option)) return emitter.fail(`the barrier option ${option} is not supported`)
    emitter.emit({ kind: 'fence', tags: [`${mnemonic}.${option}`] })
    return true
  }
  if (mnemonic === 'ISB') {
    emitter.emit({ kind: 'fence', tags: ['ISB'] })
    return true
  }
  if (mnemonic === 'NOP') return true
  if (mnemonic === 'B') {
    emitter.emitTo({ kind: 'jump', target: 0 }, operands[0]!)
    return true
  }
  if (mnemonic === 'CBZ' || mnemonic === 'CBNZ') {
    const condition = operation(mnemonic === 'CBZ' ? '==' : '!=', [read(nameOf(emitter, operands[0])), constant(0)])
    emitter.emitTo({ kind: 'branch', condition, target: 0 }, operands[1]!)
    return true
  }
  if (mnemonic === 'TBZ' || mnemonic === 'TBNZ') {
    const bit = operation('&', [
      operation('>>>', [read(nameOf(emitter, operands[0])), immediate(operands[1]!) ?? emitter.fail('expected a bit')]),
      constant(1),
    ])
    emitter.emitTo(
      { kind: 'branch', condition: operation(mnemonic === 'TBZ' ? '==' : '!=', [bit, constant(0)]), target: 0 },
      operands[2]!,
    )
    return true
  }
  const condition = /^B\.?([A-Z]{2})$/.exec(mnemonic)?.[1]
  const operator = condition === undefined ? undefined : CONDITIONS[condition]
  if (!operator) return false
  emitter.emitTo(
    { kind: 'branch', condition: operation(operator, [register('nzcv.left'), register('nzcv.right')]), target: 0 },
    operands[0]!,
  )
  return true
}

const exclusives: Rule = (emitter, mnemonic, operands) => {
  const loading = /^LD(A?)XR([BH])?$/.exec(mnemonic)
  if (loading) {
    const to = nameOf(emitter, operands[0])
    const { address } = addressed(emitter, operands.slice(1))
    load(emitter, to, address, sizeOf(loading[2], to), loading[1] ? ['X', 'A'] : ['X'], true)
    return true
  }
  const storing = /^ST(L?)XR([BH])?$/.exec(mnemonic)
  if (!storing) return false
  const [status, from] = [nameOf(emitter, operands[0]), nameOf(emitter, operands[1])]
  const { address } = addressed(emitter, operands.slice(2))
  emitEither(
    emitter,
    emitter.temporary(),
    () => {
      const tags = storing[1] ? ['X', 'L'] : ['X']
      emitter.emit({
        kind: 'store',
        address,
        value: read(from),
        size: sizeOf(storing[2], from),
        tags,
        rmw: 'exclusive',
      })
      write(emitter, status, constant(0))
    },
    () => write(emitter, status, constant(1)),
  )
  return true
}

const combine = (operator: string, old: Expression, operand: Expression, width: number): Expression => {
  const [o, v] = [operation('zext', [old], width), operation('zext', [operand], width)]
  switch (operator) {
    case 'ADD':
      return operation('+', [o, v], width)
    case 'EOR':
      return operation('^', [o, v], width)
    case 'SET':
      return operation('|', [o, v], width)
    case 'CLR':
      return operation('&', [o, operation('^', [v, constant(-1)], width)], width)
    default: {
      const wins = operation(
        `${operator.endsWith('MAX') ? '>=' : '<='}${operator.startsWith('U') ? 'u' : ''}` as Operator,
        [operation('sext', [o], width), operation('sext', [v], width)],
      )
      const loses = operation('==', [wins, constant(0)])
      return operation('+', [operation('*', [wins, o]), operation('*', [loses, v])], width)
    }
  }
}

const atomics: Rule = (emitter, mnemonic, operands) => {
  const match = /^(?:(LD|ST)(ADD|EOR|SET|CLR|SMAX|SMIN|UMAX|UMIN)|(SWP|CAS))(A?)(L?)([BH])?$/.exec(mnemonic)
  if (!match || (match[1] === 'ST' && match[4])) return false
  const [, form, operator, special, acquire, release, suffix] = match
  const source = nameOf(emitter, operands[0])
  const hasResult = form !== 'ST'
  const data = hasResult ? nameOf(emitter, operands[1]) : source
  const { address } = addressed(emitter, operands.slice(hasResult ? 2 : 1))
  const size = sizeOf(suffix, source)
  const storeTags = release ? ['L'] : []
  const store = (value: Expression): void => {
    emitter.emit({ kind: 'store', address, value, size, tags: storeTags, rmw: 'amo' })
  }
  const old = emitter.temporary()
  if (special === 'CAS') {
    // The first register is compared and receives the old value, the second is stored.
    const expected = emitter.temporary()
    emitter.emit({ kind: 'assign', register: expected, value: read(source) })
    emitter.emit({ kind: 'load', register: old, address, size, tags: acquire ? ['A'] : [], pairs: true })
    const test = (op: '==' | '!='): Expression =>
      operation(op, [operation('zext', [register(expected)], size * 8), register(old)])
    emitEither(
      emitter,
      emitter.temporary(),
      () => {
        emitter.emit({ kind: 'assume', condition: test('==') })
        store(read(data))
      },
      () => emitter.emit({ kind: 'assume', condition: test('!=') }),
    )
    write(emitter, source, register(old))
    return true
  }
  // Without a destination there is nothing to acquire.
  const acquires = acquire && hasResult && !data.isZero
  emitter.emit({ kind: 'load', register: old, address, size, tags: acquires ? ['A'] : [], pairs: true })
  store(special === 'SWP' ? read(source) : combine(operator!, register(old), read(source), size * 8))
  if (hasResult) write(emitter, data, register(old))
  return true
}

const accesses: Rule = (emitter, mnemonic, operands) => {
  const match = /^(?:(LDAR|LDAPR|LDLAR|STLR|STLLR|LDAPUR|STLUR)([BH])?|(LD|ST)U?R(S?[BHW])?)$/.exec(mnemonic)
  if (match) {
    const data = nameOf(emitter, operands[0])
    const { address, after } = addressed(emitter, operands.slice(1))
    const kind = match[1] ?? match[3]!
    const suffix = match[2] ?? match[4]
    const size = sizeOf(suffix, data)
    if (kind.startsWith('LD')) {
      const tags = kind === 'LDAR' || kind === 'LDLAR' ? ['A'] : kind.startsWith('LDAP') ? ['Q'] : []
      load(emitter, data, address, size, tags, false, suffix?.startsWith('S') ?? false)
    } else emitter.emit({ kind: 'store', address, value: read(data), size, tags: kind.startsWith('STL') ? ['L'] : [] })
    after?.()
    return true
  }
  if (mnemonic !== 'LDP' && mnemonic !== 'STP') return false
  const [one, two] = [nameOf(emitter, operands[0]), nameOf(emitter, operands[1])]
  const { address, after } = addressed(emitter, operands.slice(2))
  const size = one.width / 8
  const second = operation('+', [address, constant(size)])
  if (mnemonic === 'LDP') {
    const base = emitter.temporary()
    emitter.emit({ kind: 'assign', register: base, value: address })
    load(emitter, one, register(base), size, [])
    load(emitter, two, operation('+', [register(base), constant(size)]), size, [])
  } else {
    emitter.emit({ kind: 'store', address, value: read(one), size, tags: [] })
    emitter.emit({ kind: 'store', address: second, value: read(two), size, tags: [] })
  }
  after?.()
  return true
}

const arithmetic: Rule = (emitter, mnemonic, operands) => {
  const compare = (left: Expression, right: Expression): void => {
    emitter.emit({ kind: 'assign', register: 'nzcv.left', value: left })
    emitter.emit({ kind: 'assign', register: 'nzcv.right', value: right })
  }
  /** Comparisons are signed: values of 32 bits are widened with their sign. */
  const widened = (value: Expression, width: number): Expression =>
    width === 32 ? operation('sext', [value], 32) : value
  if (mnemonic === 'CMP') {
    const left = nameOf(emitter, operands[0])
    compare(widened(read(left), left.width), widened(flexible(emitter, operands.slice(1), left.width), left.width))
    return true
  }
  if (mnemonic === 'TST') {
    const left = nameOf(emitter, operands[0])
    const masked = operation('&', [read(left), flexible(emitter, operands.slice(1), left.width)], left.width)
    compare(widened(masked, left.width), constant(0))
    return true
  }
  const unary = /^(MOV|MOVZ|MVN|NEG|[SU]XT[BHW])$/.exec(mnemonic)?.[1]
  if (unary) {
    const to = nameOf(emitter, operands[0])
    const value = flexible(emitter, operands.slice(1), to.width)
    if (unary === 'MVN') write(emitter, to, operation('^', [value, constant(-1)], to.width))
    else if (unary === 'NEG') write(emitter, to, operation('-', [constant(0), value], to.width))
    else if (unary.includes('XT')) write(emitter, to, changed(emitter, value, unary, to.width))
    else write(emitter, to, value)
    return true
  }
  if (mnemonic === 'CSEL' || mnemonic === 'CSET' || mnemonic === 'CSINC')
    return emitter.fail(`the instruction ${mnemonic} is not supported for AArch64`)
  const records = /^(ADD|SUB|AND)S$/.exec(mnemonic)?.[1]
  const operator = ARITHMETIC[records ?? mnemonic]
  if (!operator) return false
  const to = nameOf(emitter, operands[0])
  const left = read(nameOf(emitter, operands[1]))
  const right = flexible(emitter, operands.slice(2), to.width)
  const result = operation(operator, [left, right], to.width)
  if (records === 'SUB') compare(widened(left, to.width), widened(right, to.width))
  else if (records) compare(widened(result, to.width), constant(0))
  write(emitter, to, result)
  return true
}
