// Races beside atomic operations that are weaker than sequentially consistent. What each program does under C11 is known
// from its litmus shape; TRUE must never be said of one with a race.
import { expect, test } from 'vitest'
import { explicitEngine } from '../../src/engine/explicit/index.js'
import { verifyAsSequential, verifyWithOrders } from '../../src/engine/index.js'
import { compileText } from '../frontend/lower/support.js'

const env = { stopped: () => undefined, progress: () => {} }
const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

/** `decided`: TRUE is said whatever the weak operations order. */
const raceFree = (globals: string, first: string, second: string, options = {}): boolean | 'race' => {
  const { program: raw } = compileText(
    `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define load(x, o) atomic_load_explicit(&x, memory_order_##o)
#define store(x, v, o) atomic_store_explicit(&x, v, memory_order_##o)
${globals}
static void *t(void *a) { ${first} return a; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); ${second} pthread_join(a, 0); return 0; }`,
    options,
  )
  const decided = verifyWithOrders(explicitEngine, { raw, property: 'no-data-race', settings }, { por: 'both' }, env)
  return decided.result.verdict === 'false' ? 'race' : decided.ordersDecided === true
}

const DATA = 'static int data; static atomic_int flag, other; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;'
const LOCKED = 'pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m);'
const COUNT = 'atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);'

test.each([
  ['a relaxed counter beside a lock', DATA, LOCKED + COUNT, LOCKED + COUNT],
  ['its value decides something that is locked', DATA, `if (load(flag, relaxed)) { ${LOCKED} }`, `${COUNT} ${LOCKED}`],
  ['only atomics are shared', DATA, 'store(flag, 1, relaxed); store(other, 1, release);', 'load(other, acquire);'],
  ['message passing', DATA, 'data = 1; store(flag, 1, release);', 'if (load(flag, acquire)) data = 2;'],
  [
    'message passing beside a wait for some time',
    `${DATA} static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static struct timespec until;`,
    'data = 1; store(flag, 1, release); pthread_cond_signal(&c);',
    'pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &until); pthread_mutex_unlock(&m); if (load(flag, acquire)) data = 2;',
  ],
  [
    'publication',
    'static _Atomic(int *) p;',
    'int *q = malloc(4); *q = 1; store(p, q, release);',
    'int *r = load(p, acquire); if (r) *r = 2;',
  ],
  [
    'an exchange that acquires and releases',
    DATA,
    'data = 1; atomic_exchange_explicit(&flag, 1, memory_order_acq_rel);',
    'if (atomic_exchange_explicit(&flag, 2, memory_order_acq_rel)) data = 2;',
  ],
])('%s: no race', (_, globals, first, second) => {
  expect(raceFree(globals, first, second)).toBe(true)
})

/** Which element is meant is not known before it runs. */
const ARRAY = 'static int data, zero, one = 1; static atomic_int flags[2];'
const ENTER = (mine: string, theirs: string): string =>
  `store(${mine}, 1, release); if (!load(${theirs}, acquire)) data++;`

test.each([
  [
    'message passing by a relaxed store',
    DATA,
    'data = 1; store(flag, 1, relaxed);',
    'if (load(flag, acquire)) data = 2;',
  ],
  [
    'message passing by a relaxed load',
    DATA,
    'data = 1; store(flag, 1, release);',
    'if (load(flag, relaxed)) data = 2;',
  ],
  ['store buffering', DATA, ENTER('flag', 'other'), ENTER('other', 'flag')],
  ['store buffering in an array', ARRAY, ENTER('flags[zero]', 'flags[one]'), ENTER('flags[one]', 'flags[zero]')],
  [
    'store buffering with a sequentially consistent place',
    DATA,
    'store(flag, 1, release); if (!atomic_load(&other)) data++;',
    'atomic_store(&other, 1); if (!load(flag, acquire)) data++;',
  ],
  [
    'publication by a relaxed store',
    'static _Atomic(int *) p;',
    'int *q = malloc(4); *q = 1; store(p, q, relaxed);',
    'int *r = load(p, acquire); if (r) *r = 2;',
  ],
  [
    'an exchange that only acquires',
    DATA,
    'data = 1; atomic_exchange_explicit(&flag, 1, memory_order_acquire);',
    'if (load(flag, acquire)) data = 2;',
  ],
  [
    'a compare-exchange whose failure is relaxed',
    DATA,
    'data = 1; store(flag, 1, release);',
    'int e = 0; if (!atomic_compare_exchange_strong_explicit(&flag, &e, 2, memory_order_acq_rel, memory_order_relaxed)) data = 2;',
  ],
])('%s: not shown to be free of races', (_, globals, first, second) => {
  expect(raceFree(globals, first, second)).toBe(false)
})

test('a race beside a weak atomic is one', () => {
  expect(raceFree(DATA, `data = 1; ${COUNT}`, `data = 2; ${COUNT}`)).toBe('race')
})

test('volatile accesses race, unless they are said to be atomic', () => {
  const volatile = ['static volatile int v;', 'v = 1;', 'int r = v;'] as const
  expect(raceFree(...volatile)).toBe('race')
  expect(raceFree(...volatile, { volatileIsAtomic: true })).not.toBe('race')
})

// Proofs under sequential consistency that hold under rc11, too: loops without an end are beyond any unrolling.
const LOOPS = (lock: string, unlock: string, flag: string): string => `
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static int c; static atomic_int go; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t(void *a) { for (;;) { ${lock} assert(c == 0); c = 1; c = 0; ${unlock} ${flag} } return a; }
int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); t(0); return 0; }`
const LOCK = ['pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'] as const

test.each([
  { what: 'locks', program: LOOPS(...LOCK, ''), carried: true },
  { what: 'locks and a seq_cst flag', program: LOOPS(...LOCK, 'atomic_store(&go, 1);'), carried: true },
  {
    what: 'locks and a relaxed counter, whose value tells nothing',
    program: LOOPS(...LOCK, 'if (atomic_fetch_xor_explicit(&go, 1, memory_order_relaxed)) continue;'),
    carried: true,
  },
  {
    what: 'a release and an acquire of one place',
    program: LOOPS(
      'if (atomic_load_explicit(&go, memory_order_acquire)) { assert(c == 0); continue; }',
      'if (a) continue;',
      'atomic_store_explicit(&go, 1, memory_order_release);',
    )
      .replace('c = 1; c = 0;', '')
      .replace('t(0)', 't(&c)'),
    carried: true,
  },
  {
    what: 'a relaxed flag, on which the assertion depends',
    program: LOOPS(
      'if (!a) { c = 1; atomic_store_explicit(&go, 1, memory_order_relaxed); return a; }',
      'if (atomic_load_explicit(&go, memory_order_acquire)) assert(c == 1);',
      '',
    )
      .replace('assert(c == 0); c = 1; c = 0;', '')
      .replace('t(0)', 't(&go)'),
    carried: false,
  },
  {
    what: 'a trylock, which sees locks held',
    program: LOOPS('if (pthread_mutex_trylock(&m)) continue;', LOCK[1], ''),
    carried: false,
  },
])('a proof under sequential consistency carries over to rc11 with $what: $carried', ({ program, carried }) => {
  const { program: raw } = compileText(program)
  const decided = verifyAsSequential(explicitEngine, { raw, property: 'assert', settings }, { por: 'both' }, env)
  expect(decided.result.verdict).toBe('true')
  expect(decided.ordersDecided === true).toBe(carried)
  const ledger = decided.result.verdict === 'true' ? decided.result.assumptions : []
  expect(ledger.some(({ kind, status }) => kind === 'race-free' && status === 'discharged')).toBe(carried)
})

test('a program with a race is not carried over', () => {
  const racy = LOOPS(...LOCK, '')
    .replace('assert(c == 0); c = 1; c = 0;', '')
    .replace('for (;;) {', 'for (;;) { c = 1;')
  const { program: raw } = compileText(racy)
  const decided = verifyAsSequential(explicitEngine, { raw, property: 'assert', settings }, { por: 'both' }, env)
  expect([decided.result.verdict, decided.ordersDecided]).toEqual(['true', undefined])
})
