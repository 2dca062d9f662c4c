// AArch64's accesses to memory: loads and stores of all sizes and orders, exclusives, the atomic instructions of
// version 8.1. The read of an atomic instruction without a destination (NoRet) acquires nothing.
import { type Emitter, emitEither, type Rule } from '../assembly.js'
import { constant, type Expression, type Operator, operation, register } from '../test.js'
import { addressed, type Name, nameOf, read, write } from './operands.js'

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

export const exclusives: Rule = (emitter, mnemonic, operands) => {
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

export const atomics: Rule = (emitter, mnemonic, operands) => {
  const match = /^(?:(LD|ST)(ADD|EOR|SET|CLR|SMAX|SMIN|UMAX|UMIN)|(SWP))(A?)(L?)([BH])?$/.exec(mnemonic)
  if (!match || (match[1] === 'ST' && match[4])) return compareAndSwap(emitter, mnemonic, operands)
  const [, form, operator, , acquire, release, suffix] = match
  const source = nameOf(emitter, operands[0])
  const to = form === 'ST' ? undefined : nameOf(emitter, operands[1])
  const { address } = addressed(emitter, operands.slice(to ? 2 : 1))
  const size = sizeOf(suffix, source)
  const old = emitter.temporary()
  const tags = readTags(acquire === 'A', !to || to.isZero)
  emitter.emit({ kind: 'load', register: old, address, size, tags, pairs: true })
  const value = operator ? combine(operator, register(old), read(source), size * 8) : read(source)
  emitter.emit({ kind: 'store', address, value, size, tags: release ? ['L'] : [], rmw: 'amo' })
  if (to) write(emitter, to, register(old))
  return true
}

/** Without a destination there is nothing to acquire. */
const readTags = (acquires: boolean, discarded: boolean): readonly string[] =>
  discarded ? ['NoRet'] : acquires ? ['A'] : []

/** The first register is compared and receives the old value, the second is stored if they are equal. */
const compareAndSwap: Rule = (emitter, mnemonic, operands) => {
  const match = /^CAS(A?)(L?)([BH])?$/.exec(mnemonic)
  if (!match) return false
  const [source, data] = [nameOf(emitter, operands[0]), nameOf(emitter, operands[1])]
  const { address } = addressed(emitter, operands.slice(2))
  const size = sizeOf(match[3], source)
  const [old, expected] = [emitter.temporary(), emitter.temporary()]
  emitter.emit({ kind: 'assign', register: expected, value: operation('zext', [read(source)], size * 8) })
  const tags = readTags(match[1] === 'A', source.isZero)
  emitter.emit({ kind: 'load', register: old, address, size, tags, pairs: true })
  const assume = (comparison: '==' | '!='): void =>
    emitter.emit({ kind: 'assume', condition: operation(comparison, [register(expected), register(old)]) })
  const succeed = (): void => {
    assume('==')
    const picks = register(expected)
    emitter.emit({
      ...{ kind: 'store', address, value: read(data), size, tags: match[2] ? ['L'] : [], rmw: 'amo', picks },
    })
  }
  // If it succeeds, the register may be left as it is, which the value that was read only picks.
  const unchanged = (): void => {
    succeed()
    write(emitter, source, register(expected), register(old))
  }
  const overwritten = (store: () => void) => (): void => {
    store()
    write(emitter, source, register(old))
  }
  const fail = overwritten(() => assume('!='))
  emitEither(
    emitter,
    emitter.temporary(),
    source.isZero ? succeed : () => emitEither(emitter, emitter.temporary(), overwritten(succeed), unchanged),
    fail,
  )
  return true
}

export const accesses: Rule = (emitter, mnemonic, operands) => {
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
  if (!/^(?:LD|ST)N?P$/.test(mnemonic)) return false
  const [one, two] = [nameOf(emitter, operands[0]), nameOf(emitter, operands[1])]
  const { address, after } = addressed(emitter, operands.slice(2))
  const size = one.width / 8
  const second = operation('+', [address, constant(size)])
  if (mnemonic.startsWith('LD')) {
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
