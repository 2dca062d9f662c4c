// Small concurrent C programs: a few threads over shared variables, with an assertion that sometimes holds. Only
// defined behaviour besides data races (which have no effect of their own here): indices are masked, locks are
// released by their owner, no value is read before it is set. State spaces are small enough for brute force.
import type { Choices } from './choices.js'
import { ALL_FEATURES, type ConcurrentOptions, type Features } from './features.js'

/** What the program declares. Names are fixed, so that shrinking changes little. */
interface Shared {
  /** Integer lvalues that every thread may read and write. */
  readonly integers: readonly string[]
  /** Of these, plain ints: the ones that pointers and builtins take. */
  readonly ints: readonly string[]
  /** Lock expressions: m0, lock_of.lock, locks[1]. */
  readonly locks: readonly string[]
  readonly declarations: readonly string[]
}

/** The program's text. */
export const concurrentProgram = (choices: Choices, options: ConcurrentOptions = {}): string =>
  new ConcurrentGenerator(choices, options).program()

class ConcurrentGenerator {
  private readonly features: Features
  private readonly shared: Shared
  private readonly threadCount: number
  private readonly statementLimit: number
  private budget = 0
  private locals = 0
  /** Locks held where the generator stands: never taken twice. */
  private held: string[] = []
  /** A thread waits for a condition already, or none should. */
  private waits = false
  /** What some thread assigns so far: a claim is about these. */
  private readonly written = new Set<string>()

  constructor(
    private readonly choices: Choices,
    options: ConcurrentOptions,
  ) {
    this.features = { ...ALL_FEATURES, ...options.features }
    this.threadCount = 2 + (choices.rarely(3) ? Math.max(0, (options.threads ?? 3) - 2) : 0)
    this.statementLimit = options.statements ?? (this.threadCount > 2 ? 2 : 4)
    this.shared = this.declareShared()
  }

  program(): string {
    const distinct = !this.choices.rarely(3)
    // Several that wait, or three threads of which one does, have too many states for brute force.
    this.waits = !distinct || this.threadCount > 2
    const bodies = Array.from({ length: distinct ? this.threadCount : 1 }, (_, index) => this.threadFunction(index))
    const main = this.main(bodies.length)
    const code = [...bodies.flat(), ...main].join('\n')
    const needed = (lines: readonly string[]) => lines.filter((line) => isUsed(line, code))
    const includes = [
      '#include <assert.h>',
      '#include <pthread.h>',
      ...(/atom/.test(code) ? ['#include <stdatomic.h>'] : []),
    ]
    return [
      ...includes,
      ...needed(EXTERNALS),
      '',
      ...needed(this.shared.declarations),
      '',
      ...needed(HELPERS),
      code,
      '',
    ].join('\n')
  }

  // ---- what is shared

  private declareShared(): Shared {
    const { choices, features } = this
    const ints = ['x', 'y', 'z'].slice(0, 1 + choices.below(3))
    const integers = [...ints]
    const declarations = ints.map((name) => `int ${name} = ${choices.below(2)};`)
    const locks: string[] = []
    if (features.narrowTypes && choices.rarely(2)) {
      declarations.push(
        `${choices.pick(['_Bool', 'unsigned char', 'short', 'unsigned'])} narrow = ${choices.below(2)};`,
      )
      integers.push('narrow')
    }
    if (features.arrays && choices.rarely(3)) {
      declarations.push('int cells[2];')
      integers.push('cells[0]', 'cells[1]', 'cells[x & 1]')
      ints.push('cells[1]')
    }
    if (features.structs && choices.rarely(3)) {
      const lock = features.mutexes && choices.rarely(2)
      declarations.push(`struct pair { int left; short right;${lock ? ' pthread_mutex_t lock;' : ''} };`)
      declarations.push(
        lock ? 'struct pair both = { 0, 1, PTHREAD_MUTEX_INITIALIZER };' : 'struct pair both = { 0, 1 };',
      )
      integers.push('both.left', 'both.right')
      ints.push('both.left')
      if (lock) locks.push('both.lock')
      if (features.pointers) {
        declarations.push('struct pair *to_both = &both;')
        integers.push('to_both->left', 'to_both->right')
      }
    }
    if (features.pointers && choices.rarely(3)) {
      declarations.push(`int *pointer = &${choices.pick(ints)};`)
      integers.push('(*pointer)')
    }
    if (features.mutexes) {
      if (choices.rarely(4)) {
        declarations.push('pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };')
        locks.push('locks[0]', 'locks[1]')
      }
      declarations.push('pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;')
      locks.push('mutex')
    }
    if (features.mutexes && features.conditions) {
      declarations.push('pthread_cond_t condition = PTHREAD_COND_INITIALIZER;', 'int ready = 0;')
    }
    if (features.atomics) declarations.push('atomic_int atom = 0;')
    return { integers, ints, locks, declarations }
  }

  // ---- threads

  private threadFunction(index: number): readonly string[] {
    this.locals = 0
    this.budget = 1 + this.choices.below(this.statementLimit)
    const pointsTo = this.features.pointers && this.choices.rarely(4)
    const body = [
      `int r = ${this.choices.below(2)};`,
      ...(pointsTo ? ['int *mine = argument;', '*mine = *mine + 1;'] : []),
    ]
    const statements = this.statements(2)
    return [
      `void *thread${index}(void *argument) {`,
      ...indent([...(pointsTo ? body : [...body, '(void)argument;']), ...statements, 'return 0;']),
      '}',
      '',
    ]
  }

  private main(functions: number): readonly string[] {
    const { choices, features, threadCount } = this
    this.locals = 0
    this.budget = features.busyMain && choices.rarely(3) ? 1 : 0
    const argument = `&${this.shared.ints[choices.below(this.shared.ints.length)]}`
    const inLoop = functions === 1 && features.creationLoops && choices.rarely(2)
    const numbers = Array.from({ length: threadCount }, (_, index) => index)
    const create = inLoop
      ? [`for (int i = 0; i < ${threadCount}; i++)`, `  pthread_create(&handles[i], 0, thread0, ${argument});`]
      : numbers.map((i) => `pthread_create(&handles[${i}], 0, thread${i % functions}, ${argument});`)
    const join = inLoop
      ? [`for (int i = 0; i < ${threadCount}; i++)`, '  pthread_join(handles[i], 0);']
      : numbers.filter(() => !choices.rarely(8)).map((i) => `pthread_join(handles[${i}], 0);`)
    const work = this.budget > 0 ? ['int r = 0;', ...this.statements(1), '(void)r;'] : []
    const body = [...this.input(), `pthread_t handles[${threadCount}];`, ...create, ...work, ...join]
    return ['int main(void) {', ...indent([...body, `assert(${this.claim()});`, 'return 0;']), '}']
  }

  /** An input of a small range, before any thread runs: the values outside multiply no interleavings. */
  private input(): readonly string[] {
    if (!this.features.assumedRanges || !this.choices.rarely(4)) return []
    const limit = 1 + this.choices.below(2)
    return [
      'unsigned char input = __VERIFIER_nondet_uchar();',
      `__VERIFIER_assume(input <= ${limit});`,
      `${this.target()} = input;`,
    ]
  }

  /** Often true, often not: both verdicts should be common. */
  private claim(): string {
    const { choices, shared } = this
    const written = [...this.written].filter((name) => !name.startsWith('(*'))
    const a = choices.pick(written.length > 0 ? written : shared.ints)
    const b = choices.pick(written.length > 1 ? written.toReversed() : shared.ints)
    switch (choices.below(7)) {
      case 0:
        return `${a} != ${1 + choices.below(3)}`
      case 1:
        return `${a} < ${1 + choices.below(3)}`
      case 2:
        return `${a} == ${choices.below(3)}`
      case 3:
        return `${a} <= ${b} + ${choices.below(3)}`
      case 4:
        return `!(${a} == ${choices.below(3)} && ${b} == ${choices.below(3)})`
      case 5:
        return `${a} + ${b} < ${2 + choices.below(4)}`
      default:
        return this.features.atomics ? `atom <= ${choices.below(4)}` : `${a} <= ${1 + choices.below(4)}`
    }
  }

  // ---- statements

  private statements(depth: number): string[] {
    const result: string[] = []
    do result.push(...this.statement(depth))
    while (this.budget > 0 && (depth === 2 || this.choices.rarely(2)))
    return result
  }

  private statement(depth: number): readonly string[] {
    this.budget--
    const kinds: (() => readonly string[])[] = [
      () => [this.assignment()],
      () => [this.assignment()],
      () => [`r = ${this.expression()};`],
      () => [`${this.target()}${this.choices.pick(['++', '--', ' += 1', ' += r', ' ^= 1', ' -= 1'])};`],
      ...this.simpleKinds(),
      ...(depth > 0 ? this.nestedKinds(depth) : []),
    ]
    return this.choices.pick(kinds)()
  }

  private simpleKinds(): (() => readonly string[])[] {
    const { choices, features, shared } = this
    const kinds: (() => readonly string[])[] = []
    const pick = (list: readonly string[]) => choices.pick(list)
    if (features.atomics)
      kinds.push(() => [
        pick([
          'atomic_fetch_add(&atom, 1);',
          'atom = r;',
          'r = atomic_load(&atom);',
          'atom++;',
          'r = atomic_exchange(&atom, 1);',
          'r = atomic_fetch_sub(&atom, 1);',
          '{ int expected = 0; r = atomic_compare_exchange_strong(&atom, &expected, 2); }',
        ]),
      ])
    if (features.builtins)
      kinds.push(() => {
        const lvalue = `&${pick(shared.ints)}`
        return [
          pick([
            `__sync_fetch_and_add(${lvalue}, 1);`,
            `r = __sync_bool_compare_and_swap(${lvalue}, 0, 1);`,
            `r = __sync_val_compare_and_swap(${lvalue}, 1, 2);`,
            `r = __sync_lock_test_and_set(${lvalue}, 1);`,
          ]),
        ]
      })
    if (features.nondet)
      kinds.push(() => [
        pick(['r = __VERIFIER_nondet_bool();', 'r = __VERIFIER_nondet_bool() + 2 * __VERIFIER_nondet_bool();']),
      ])
    if (features.assume) kinds.push(() => [`__VERIFIER_assume(${this.condition()});`])
    if (features.threadAsserts) kinds.push(() => [`assert(${this.claim()});`])
    if (features.pointers && shared.declarations.some((line) => line.startsWith('int *pointer')))
      kinds.push(() => [`pointer = &${pick(shared.ints)};`])
    if (features.calls) kinds.push(() => [`${this.target()} = twice(${this.expression()}) & 3;`])
    return kinds
  }

  private nestedKinds(depth: number): (() => readonly string[])[] {
    const { choices, features } = this
    const block = () => indent(this.statements(depth - 1))
    const kinds: (() => readonly string[])[] = [
      () => [`if (${this.condition()}) {`, ...block(), ...(choices.rarely(3) ? ['} else {', ...block(), '}'] : ['}'])],
    ]
    if (features.mutexes) {
      kinds.push(
        () => this.locked(depth),
        () => this.locked(depth),
      )
      if (features.conditions) kinds.push(() => this.waitOrSignal())
    }
    if (features.loops)
      kinds.push(() => {
        const name = `i${this.locals++}`
        if (choices.rarely(3)) {
          const header = `for (int ${name} = 0; ${name} < 2 && (${this.condition()}); ${name}++) {`
          return [header, ...block(), '}']
        }
        return [`for (int ${name} = 0; ${name} < 2; ${name}++) {`, ...block(), '}']
      })
    if (features.atomicBlocks && this.held.length === 0)
      kinds.push(() => [
        '__VERIFIER_atomic_begin();',
        ...indent([this.assignment(), ...(choices.rarely(2) ? [this.assignment()] : [])]),
        '__VERIFIER_atomic_end();',
      ])
    return kinds
  }

  private locked(depth: number): readonly string[] {
    const free = this.shared.locks.filter((lock) => !this.held.includes(lock))
    if (free.length === 0) return [this.assignment()]
    const lock = this.choices.pick(free.toReversed())
    const trylock = this.features.trylock && this.choices.rarely(5)
    this.held.push(lock)
    const inside = indent(this.statements(depth - 1))
    this.held.pop()
    if (trylock)
      return [`if (pthread_mutex_trylock(&${lock}) == 0) {`, ...inside, `  pthread_mutex_unlock(&${lock});`, '}']
    return [`pthread_mutex_lock(&${lock});`, ...inside.map((line) => line.slice(2)), `pthread_mutex_unlock(&${lock});`]
  }

  private waitOrSignal(): readonly string[] {
    if (this.held.length > 0) return [this.assignment()]
    const wait = !this.waits && this.choices.rarely(2)
    this.waits ||= wait
    const inside = wait
      ? [
          `${this.choices.pick(['while', 'while', 'if'])} (!ready)`,
          '  pthread_cond_wait(&condition, &mutex);',
          this.assignment(),
        ]
      : ['ready = 1;', `pthread_cond_${this.choices.pick(['signal', 'broadcast'])}(&condition);`]
    return ['pthread_mutex_lock(&mutex);', ...inside, 'pthread_mutex_unlock(&mutex);']
  }

  // ---- expressions

  private target(): string {
    const target = this.choices.pick(this.shared.integers)
    this.written.add(target)
    return target
  }

  private assignment(): string {
    return `${this.target()} = ${this.expression()};`
  }

  private expression(): string {
    const { choices } = this
    const a = choices.pick(this.shared.integers)
    switch (choices.below(7)) {
      case 0:
        return String(choices.below(3))
      case 1:
        return `${a} + 1`
      case 2:
        return 'r'
      case 3:
        return a
      case 4:
        return `(${a} ${choices.pick(['+', '-', '*', '^', '|'])} r) & 3`
      case 5:
        return `(${a} + ${choices.pick(this.shared.integers)}) & 3`
      default:
        return `${this.condition()} ? ${choices.below(3)} : ${a}`
    }
  }

  private condition(): string {
    const { choices } = this
    const a = choices.pick([...this.shared.integers, 'r'])
    switch (choices.below(4)) {
      case 0:
        return `${a} ${choices.pick(['==', '!=', '<', '>='])} ${choices.below(3)}`
      case 1:
        return `${a} ${choices.pick(['==', '!=', '<', '>='])} ${choices.pick([...this.shared.integers, 'r'])}`
      case 2:
        return `!${a}`
      default:
        return `${a} ${choices.pick(['&&', '||'])} r ${choices.pick(['>', '=='])} ${choices.below(2)}`
    }
  }
}

const EXTERNALS: readonly string[] = [
  'extern _Bool __VERIFIER_nondet_bool(void);',
  'extern unsigned char __VERIFIER_nondet_uchar(void);',
  'extern void __VERIFIER_assume(int condition);',
  'extern void __VERIFIER_atomic_begin(void);',
  'extern void __VERIFIER_atomic_end(void);',
]

const HELPERS: readonly string[] = ['static int twice(int value) { return value * 2; }\n']

/** A declaration is wanted if the code mentions what it declares; variables that others point to always are. */
const isUsed = (declaration: string, code: string): boolean => {
  const name = /(\w+)(?:\[\d\])?(?: = .*|\(.*)?;?\s*$/.exec(declaration.split(/ = |\(|;/)[0]!)?.[1] ?? ''
  return !/^(?:extern|static|pthread_|atomic_int|int ready)/.test(declaration) || new RegExp(`\\b${name}\\b`).test(code)
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)
