// The Linux kernel's primitives in litmus tests (Documentation/atomic_t.txt, tools/memory-model): what each reads and
// writes, and with which order. A fully ordered read-modify-write has a full barrier on either side, if it writes.
import { constant, type Expression, type Operator, operation, register } from '../test.js'
import type { Compiler, Library, Operand } from './compiler.js'

export const LKMM_PLAIN: readonly string[] = []

/** Names by which a test in C is recognised as one of the kernel's. */
export const LKMM_NAMES =
  /\b(?:READ_ONCE|WRITE_ONCE|smp_\w+|rcu_\w+|srcu_\w+|synchronize_s?rcu\w*|spin_\w+|atomic(?:64|_long)?_(?:read|set|add|sub|inc|dec|and|or|xor|andnot|cmpxchg|xchg|try_cmpxchg|fetch_(?:inc|dec|andnot)|(?:add|sub|inc|dec)_\w+)\b|(?:cmp)?xchg\w*|atomic_t|spinlock_t|barrier)\s*[(*]/

const FENCES: Readonly<Record<string, string>> = {
  smp_mb: 'Mb',
  smp_rmb: 'Rmb',
  smp_wmb: 'Wmb',
  mb: 'Mb',
  rmb: 'Rmb',
  wmb: 'Wmb',
  barrier: 'Barrier',
  smp_mb__before_atomic: 'Before-atomic',
  smp_mb__after_atomic: 'After-atomic',
  smp_mb__after_spinlock: 'After-spinlock',
  smp_mb__after_unlock_lock: 'After-unlock-lock',
  smp_mb__after_srcu_read_unlock: 'After-srcu-read-unlock',
  rcu_read_lock: 'Rcu-lock',
  rcu_read_unlock: 'Rcu-unlock',
  synchronize_rcu: 'Sync-rcu',
  synchronize_rcu_expedited: 'Sync-rcu',
  smp_read_barrier_depends: '',
  cpu_relax: '',
  smp_acquire__after_ctrl_dep: 'Rmb',
} // prettier-ignore

const OPERATORS: Readonly<Record<string, Operator>> = {
  add: '+',
  sub: '-',
  and: '&',
  or: '|',
  xor: '^',
  inc: '+',
  dec: '-',
  andnot: '&',
}

type Ordering = 'full' | 'relaxed' | 'acquire' | 'release'

interface Update {
  readonly address: Expression
  readonly ordering: Ordering
  readonly noReturn?: boolean
}

const readTags = ({ ordering, noReturn }: Update): readonly string[] => [
  noReturn ? 'Noreturn' : ordering === 'acquire' ? 'Acquire' : 'Once',
]
const writeTags = ({ ordering }: Update): readonly string[] => [ordering === 'release' ? 'Release' : 'Once']

const fence = (compiler: Compiler, tag: string): void => compiler.emitter.emit({ kind: 'fence', tags: [tag] })

/** An unconditional read-modify-write; the old value is returned. */
const update = (compiler: Compiler, how: Update, next: (old: Expression) => Expression): Expression => {
  if (how.ordering === 'full' && !how.noReturn) fence(compiler, 'Mb')
  const old = compiler.load(how.address, readTags(how), true)
  compiler.store(how.address, next(old), writeTags(how), true)
  if (how.ordering === 'full' && !how.noReturn) fence(compiler, 'Mb')
  return old
}

/** One that writes only if a test of the old value holds; a failed one only reads, without order. */
const updateIf = (
  compiler: Compiler,
  how: Update,
  test: (old: Expression) => Expression,
  next: (old: Expression) => Expression,
): { readonly old: Expression; readonly success: Expression } => {
  const [old, success] = [compiler.emitter.temporary(), compiler.emitter.temporary()]
  const assign = (name: string, value: Expression): void =>
    compiler.emitter.emit({ kind: 'assign', register: name, value })
  compiler.choice(
    () => {
      const read = update(compiler, how, (value) => {
        compiler.emitter.emit({ kind: 'assume', condition: operation('!=', [test(value), constant(0)]) })
        return next(value)
      })
      assign(old, read)
      assign(success, constant(1))
    },
    () => {
      const read = compiler.load(how.address, ['Once', 'RMW'])
      compiler.emitter.emit({ kind: 'assume', condition: operation('==', [test(read), constant(0)]) })
      assign(old, read)
      assign(success, constant(0))
    },
  )
  return { old: register(old), success: register(success) }
}

const orderingOf = (suffix: string | undefined): Ordering =>
  suffix === undefined || suffix === '' ? 'full' : (suffix.slice(1) as Ordering)

export const lkmmLibrary: Library = (compiler, fullName, args) => {
  const name = fullName.replace(/^atomic(?:64|_long)_/, 'atomic_')
  const value = (i: number): Expression => compiler.value(args[i] ?? compiler.fail(`${fullName} needs more arguments`))
  const nothing = constant(0)
  if (name in FENCES) {
    if (FENCES[name] !== '') fence(compiler, FENCES[name]!)
    return nothing
  }
  switch (name) {
    case 'READ_ONCE':
    case 'rcu_dereference':
    case 'rcu_dereference_raw':
    case 'rcu_dereference_check':
    case 'lockless_dereference':
      return compiler.load(compiler.addressOf(args[0], fullName), ['Once'])
    case 'WRITE_ONCE':
      compiler.store(compiler.addressOf(args[0], fullName), value(1), ['Once'])
      return nothing
    case 'rcu_assign_pointer':
      compiler.store(compiler.addressOf(args[0], fullName), value(1), ['Release'])
      return nothing
    case 'smp_store_mb':
    case 'set_mb':
      compiler.store(compiler.addressOf(args[0], fullName), value(1), ['Once'])
      fence(compiler, 'Mb')
      return nothing
    case 'smp_load_acquire':
    case 'atomic_read_acquire':
      return compiler.load(value(0), ['Acquire'])
    case 'smp_store_release':
    case 'atomic_set_release':
      compiler.store(value(0), value(1), ['Release'])
      return nothing
    case 'atomic_read':
      return compiler.load(value(0), ['Once'])
    case 'atomic_set':
      compiler.store(value(0), value(1), ['Once'])
      return nothing
  }
  return locks(compiler, name, args) ?? atomics(compiler, fullName, name, args)
}

/** Locks are cells: 0 is free. A lock waits until it reads that, and executions in which it never does are not finished. */
const locks = (compiler: Compiler, name: string, args: readonly Operand[]): Expression | undefined => {
  const { emitter } = compiler
  const lock = (): Expression => compiler.value(args[0] ?? compiler.fail(`${name} needs a lock`))
  switch (name) {
    case 'spin_lock': {
      const address = lock()
      const old = compiler.load(address, ['LKR', 'Acquire'], true)
      emitter.emit({ kind: 'assume', condition: operation('==', [old, constant(0)]) })
      compiler.store(address, constant(1), ['LKW'], true)
      return constant(0)
    }
    case 'spin_unlock':
      compiler.store(lock(), constant(0), ['UL', 'Release'])
      return constant(0)
    case 'spin_trylock': {
      const address = lock()
      const result = emitter.temporary()
      compiler.choice(
        () => {
          const old = compiler.load(address, ['LKR', 'Acquire'], true)
          emitter.emit({ kind: 'assume', condition: operation('==', [old, constant(0)]) })
          compiler.store(address, constant(1), ['LKW'], true)
          emitter.emit({ kind: 'assign', register: result, value: constant(1) })
        },
        () => {
          const old = compiler.load(address, ['LF'])
          emitter.emit({ kind: 'assume', condition: operation('!=', [old, constant(0)]) })
          emitter.emit({ kind: 'assign', register: result, value: constant(0) })
        },
      )
      return register(result)
    }
    case 'spin_is_locked': {
      const address = lock()
      const result = emitter.temporary()
      const seen = (tag: string, wanted: number) => () => {
        const old = compiler.load(address, [tag])
        emitter.emit({ kind: 'assume', condition: operation(wanted ? '!=' : '==', [old, constant(0)]) })
        emitter.emit({ kind: 'assign', register: result, value: constant(wanted) })
      }
      compiler.choice(seen('RL', 1), seen('RU', 0))
      return register(result)
    }
    case 'srcu_read_lock':
    case 'srcu_down_read': {
      const cookie = emitter.temporary()
      emitter.emit({ kind: 'fence', tags: ['Srcu-lock'], address: lock(), result: cookie })
      return register(cookie)
    }
    case 'srcu_read_unlock':
    case 'srcu_up_read':
      emitter.emit({
        kind: 'fence',
        tags: ['Srcu-unlock'],
        address: lock(),
        uses: compiler.value(args[1] ?? compiler.fail(`${name} needs the cookie`)),
      })
      return constant(0)
    case 'synchronize_srcu':
    case 'synchronize_srcu_expedited':
      emitter.emit({ kind: 'fence', tags: ['Sync-srcu'], address: lock() })
      return constant(0)
    default:
      return undefined
  }
}

const atomics = (
  compiler: Compiler,
  fullName: string,
  name: string,
  args: readonly Operand[],
): Expression | undefined => {
  const value = (i: number): Expression => compiler.value(args[i] ?? compiler.fail(`${fullName} needs more arguments`))
  const suffix = '(_relaxed|_acquire|_release)?'
  const exchange = new RegExp(`^(?:atomic_)?xchg${suffix}$`).exec(name)
  if (exchange) {
    const next = value(1)
    return update(compiler, { address: value(0), ordering: orderingOf(exchange[1]) }, () => next)
  }
  const compare = new RegExp(`^(?:atomic_)?cmpxchg${suffix}$`).exec(name)
  if (compare) {
    const [address, wanted, next] = [value(0), value(1), value(2)]
    return updateIf(
      compiler,
      { address, ordering: orderingOf(compare[1]) },
      (old) => operation('==', [old, wanted]),
      () => next,
    ).old
  }
  const tryCompare = new RegExp(`^(?:atomic_)?try_cmpxchg${suffix}$`).exec(name)
  if (tryCompare) {
    const [address, next] = [value(0), value(2)]
    const holder: Operand = args[1]!.kind === 'value' ? { kind: 'memory', address: args[1]!.value } : args[1]!
    const wanted = compiler.value(holder)
    const { old, success } = updateIf(
      compiler,
      { address, ordering: orderingOf(tryCompare[1]) },
      (o) => operation('==', [o, wanted]),
      () => next,
    )
    compiler.either(
      success,
      () => {},
      () => compiler.assign(holder, old),
    )
    return success
  }
  if (name === 'atomic_add_unless' || name === 'atomic_fetch_add_unless' || name === 'atomic_inc_not_zero') {
    const address = value(0)
    const [amount, unless] = name === 'atomic_inc_not_zero' ? [constant(1), constant(0)] : [value(1), value(2)]
    const { old, success } = updateIf(
      compiler,
      { address, ordering: 'full' },
      (o) => operation('!=', [o, unless]),
      (o) => operation('+', [o, amount]),
    )
    return name === 'atomic_fetch_add_unless' ? old : success
  }
  const match = new RegExp(
    `^atomic_(fetch_)?(add|sub|inc|dec|and|or|xor|andnot)(?:(_return${suffix})|(_and_test|_negative)|${suffix})$`,
  ).exec(name)
  if (!match) return undefined
  const [, fetch, operatorName, returns, returnSuffix, test, fetchSuffix] = match
  if (!fetch && !returns && !test && fetchSuffix) return undefined
  const alone = operatorName === 'inc' || operatorName === 'dec'
  const amount = alone ? constant(1) : value(0)
  const operand = operatorName === 'andnot' ? operation('^', [amount, constant(-1)]) : amount
  const address = value(alone ? 0 : 1)
  const next = (old: Expression): Expression => operation(OPERATORS[operatorName!]!, [old, operand])
  const ordering = orderingOf(returns ? returnSuffix : fetchSuffix)
  if (!fetch && !returns && !test) {
    update(compiler, { address, ordering: 'relaxed', noReturn: true }, next)
    return constant(0)
  }
  const old = update(compiler, { address, ordering }, next)
  if (fetch) return old
  if (returns) return next(old)
  return operation(test === '_and_test' ? '==' : '<', [next(old), constant(0)])
}
