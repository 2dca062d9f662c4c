// C11's <stdatomic.h> in litmus tests. An rmw's order is split between its read and its write, as in the standard; an
// access without a function is not atomic, whatever the location's type.
import { constant, type Expression, type Operator, operation, register } from '../test.js'
import type { Compiler, Library, Operand } from './compiler.js'

export const C11_PLAIN: readonly string[] = ['NA']

const ORDERS: Readonly<Record<string, string>> = {
  relaxed: 'RLX',
  consume: 'ACQ',
  acquire: 'ACQ',
  release: 'REL',
  acq_rel: 'ACQ_REL',
  seq_cst: 'SC',
} // prettier-ignore

const OPERATORS: Readonly<Record<string, Operator>> = { add: '+', sub: '-', or: '|', and: '&', xor: '^' }

const orderOfName = (name: string): string | undefined =>
  ORDERS[
    name
      .replace(/^memory_order_|^mo_/, '')
      .replace(/^__ATOMIC_/, '')
      .toLowerCase()
  ]

const readOrder = (order: string): readonly string[] => [
  'A',
  order === 'REL' ? 'RLX' : order === 'ACQ_REL' ? 'ACQ' : order,
]
const writeOrder = (order: string): readonly string[] => [
  'A',
  order === 'ACQ' ? 'RLX' : order === 'ACQ_REL' ? 'REL' : order,
]

export const c11Library: Library = (compiler, fullName, args) => {
  const orders = args
    .flatMap((arg) => (arg.kind === 'local' ? [orderOfName(arg.name)] : []))
    .filter((o) => o !== undefined)
  const values = args.filter((arg) => !(arg.kind === 'local' && orderOfName(arg.name) !== undefined))
  const name = fullName
    .replace(/^__(?=atomic_|c11_)/, '')
    .replace(/^c11_/, '')
    .replace(/_(?:explicit|n)$/, '')
  const order = orders[0] ?? 'SC'
  const [pointer] = values
  const value = (i: number): Expression =>
    compiler.value(values[i] ?? compiler.fail(`${fullName} needs more arguments`))
  const address = (): Expression => compiler.value(pointer ?? compiler.fail(`${fullName} needs a location`))
  switch (name) {
    case 'atomic_load':
      return compiler.load(address(), ['A', order])
    case 'atomic_store':
    case 'atomic_init':
      compiler.store(address(), value(1), name === 'atomic_init' ? C11_PLAIN : ['A', order])
      return constant(0)
    case 'atomic_thread_fence':
    case 'thread_fence':
      compiler.emitter.emit({ kind: 'fence', tags: [order] })
      return constant(0)
    case 'atomic_signal_fence':
      return constant(0)
    case 'atomic_exchange':
      return exchange(compiler, address(), order, () => value(1))
    case 'atomic_flag_test_and_set':
      return exchange(compiler, address(), order, () => constant(1))
    case 'atomic_flag_clear':
      compiler.store(address(), constant(0), ['A', order])
      return constant(0)
    case 'lock':
    case 'mtx_lock': {
      // A lock waits until it reads that it is free, and executions in which it never does are not finished.
      const old = compiler.load(address(), ['A', 'ACQ'], true)
      compiler.emitter.emit({ kind: 'assume', condition: operation('==', [old, constant(0)]) })
      compiler.store(address(), constant(1), ['A', 'RLX'], true)
      return constant(0)
    }
    case 'unlock':
    case 'mtx_unlock':
      compiler.store(address(), constant(0), ['A', 'REL'])
      return constant(0)
    case 'atomic_compare_exchange_strong':
    case 'atomic_compare_exchange_weak':
    case 'atomic_compare_exchange':
      return compareExchange(
        compiler,
        address(),
        values,
        order,
        orders[1] ?? (order === 'REL' ? 'RLX' : order),
        name.endsWith('weak'),
      )
  }
  const operator = OPERATORS[/^atomic_fetch_(add|sub|or|and|xor)$/.exec(name)?.[1] ?? '']
  if (operator) return exchange(compiler, address(), order, (old) => operation(operator, [old, value(1)]))
  return undefined
}

const exchange = (
  compiler: Compiler,
  address: Expression,
  order: string,
  next: (old: Expression) => Expression,
): Expression => {
  const old = compiler.load(address, readOrder(order), true)
  compiler.store(address, next(old), writeOrder(order), true)
  return old
}

/** The expected value is in an object of its own, which receives the value found if they differ. */
const compareExchange = (
  compiler: Compiler,
  address: Expression,
  values: readonly Operand[],
  success: string,
  failure: string,
  weak: boolean,
): Expression => {
  const [, expected, desired] = values
  if (!expected || !desired) compiler.fail('a compare-exchange needs a location, the expected value and the new one')
  // A pointer argument names the object that holds the expected value: shared memory, or a local of which & was taken.
  const holder: Operand = expected.kind === 'value' ? { kind: 'memory', address: expected.value } : expected
  const wanted = compiler.value(holder)
  const next = compiler.value(desired)
  const result = compiler.emitter.temporary()
  const succeed = (): void => {
    const old = compiler.load(address, readOrder(success), true)
    compiler.emitter.emit({ kind: 'assume', condition: operation('==', [old, wanted]) })
    compiler.store(address, next, writeOrder(success), true)
    compiler.emitter.emit({ kind: 'assign', register: result, value: constant(1) })
  }
  const fail = (differs: boolean) => (): void => {
    const old = compiler.load(address, readOrder(failure))
    compiler.emitter.emit({ kind: 'assume', condition: operation(differs ? '!=' : '==', [old, wanted]) })
    // What is found is written back, which changes nothing if it is what was expected.
    if (differs || holder.kind === 'memory') compiler.assign(holder, old)
    compiler.emitter.emit({ kind: 'assign', register: result, value: constant(0) })
  }
  // A weak one may also fail although the values are equal.
  compiler.choice(succeed, weak ? () => compiler.choice(fail(true), fail(false)) : fail(true))
  return register(result)
}
