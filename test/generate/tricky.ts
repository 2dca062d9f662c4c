// Small concurrent programs in the corners where wrong verdicts were found: locks in arrays and structures that an input
// chooses, errors inside atomic blocks, ends of the program after an input, gotos and switches into loops, narrow indices,
// tagged pointers, bit-fields that share a word, unions, blocks that are freed and come back, every object of pthread in an
// array or a structure, attributes. Accesses stay inside their objects; what is undefined stops its thread.
import type { Choices } from './choices.js'

const PRELUDE = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct guarded { int value; pthread_mutex_t lock; pthread_rwlock_t rw; pthread_cond_t changed; sem_t sem; };
struct bits { unsigned a : 3; unsigned b : 3; unsigned : 0; unsigned c : 4; };
union mixed { int whole; unsigned char part[4]; };
int x, y;
int cells[4];
struct bits bits;
union mixed mixed;
struct guarded both[2];
int *pointer = &x;
uintptr_t tagged;
int *block;
atomic_int atom;
pthread_mutex_t locks[2];
pthread_spinlock_t spins[2];
pthread_barrier_t barriers[1];
pthread_once_t onces[2] = { PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT };
static void setup(void) { x = x + 1; }
`

/** Before any thread runs. */
const SETUP: readonly (readonly [RegExp, string])[] = [
  [/\blocks\[/, 'for (int k = 0; k < 2; k++) pthread_mutex_init(&locks[k], 0);'],
  [/\.lock\b/, 'for (int k = 0; k < 2; k++) pthread_mutex_init(&both[k].lock, 0);'],
  [/\.rw\b/, 'for (int k = 0; k < 2; k++) pthread_rwlock_init(&both[k].rw, 0);'],
  [/\.changed\b/, 'for (int k = 0; k < 2; k++) pthread_cond_init(&both[k].changed, 0);'],
  [/\.sem\b/, 'for (int k = 0; k < 2; k++) sem_init(&both[k].sem, 0, 1);'],
  [/\bspins\[/, 'for (int k = 0; k < 2; k++) pthread_spin_init(&spins[k], 0);'],
  [/\bbarriers\[/, 'pthread_barrier_init(&barriers[0], 0, 2);'],
  [/\btagged\b/, 'tagged = (uintptr_t)&x;'],
]

/** Statements that anybody may execute anywhere; I is an index that may come from an input. */
const PLAIN: readonly string[] = [
  'x = x + 1;',
  'y = x;',
  'x = 2;',
  'r = y;',
  'cells[I] = cells[I] + 1;',
  'cells[(unsigned char)(r * 3) & 3] = 1;',
  '{ unsigned char n = 254; n += 1 + I; cells[n & 3] += 1; }',
  'bits.a = bits.a + 1;',
  'bits.b = 1;',
  'bits.c = bits.a;',
  'mixed.whole = 258;',
  'mixed.part[I] = 1;',
  'y = mixed.part[1];',
  '*pointer = 1;',
  'pointer = I ? &y : &x;',
  '{ uintptr_t t = tagged | 1; if (t & 1) *(int *)(t & ~(uintptr_t)1) += 1; }',
  'tagged = (uintptr_t)&y;',
  '*(int *)tagged = 2;',
  'atom++;',
  '{ int seen = 0; r = atomic_compare_exchange_strong(&atom, &seen, 1); }',
  'both[I].value = both[I].value + 1;',
  'switch (r) { case 0: while (r < 2) { r++; case 1: x = r; if (r == 2) break; } default: y = r; }',
  '{ int n = 0; goto inLABEL; while (n < 2) { x = n; inLABEL: n++; } y = n; }',
]

const GUARDED: readonly string[] = [
  'pthread_mutex_lock(&locks[I]); INSIDE pthread_mutex_unlock(&locks[I]);',
  'pthread_mutex_lock(&locks[0]); INSIDE pthread_mutex_unlock(&locks[0]);',
  'pthread_mutex_lock(&both[I].lock); INSIDE pthread_mutex_unlock(&both[I].lock);',
  'if (pthread_mutex_trylock(&locks[I]) == 0) { INSIDE pthread_mutex_unlock(&locks[I]); }',
  'pthread_rwlock_rdlock(&both[I].rw); INSIDE pthread_rwlock_unlock(&both[I].rw);',
  'pthread_rwlock_wrlock(&both[0].rw); INSIDE pthread_rwlock_unlock(&both[0].rw);',
  'sem_wait(&both[I].sem); INSIDE sem_post(&both[I].sem);',
  'pthread_spin_lock(&spins[I]); INSIDE pthread_spin_unlock(&spins[I]);',
  'pthread_spin_lock(&spins[0]); INSIDE pthread_spin_unlock(&spins[0]);',
  '__VERIFIER_atomic_begin(); INSIDE __VERIFIER_atomic_end();',
  '__VERIFIER_atomic_begin(); INSIDE assert(CLAIM); __VERIFIER_atomic_end();',
  '__VERIFIER_atomic_begin(); if (x) { INSIDE } assert(CLAIM); __VERIFIER_atomic_end();',
]

const SPECIAL: readonly string[] = [
  'if (__VERIFIER_nondet_bool()) return 0;',
  'if (__VERIFIER_nondet_bool()) exit(0);',
  'if (x) abort();',
  '__VERIFIER_assume(x < 2);',
  'assert(CLAIM);',
  'pthread_once(&onces[I], setup);',
  'pthread_barrier_wait(&barriers[0]);',
  'sem_post(&both[I].sem);',
  '{ int *p = malloc(sizeof *p); *p = r; if (__VERIFIER_nondet_bool()) return 0; y = *p; free(p); }',
  '{ int *p = malloc(sizeof *p); *p = 1; free(p); int *q = malloc(sizeof *q); *q = 2; x = *q; free(q); }',
  'pthread_mutex_lock(&locks[0]); if (!block) { block = malloc(sizeof *block); *block = I; } pthread_mutex_unlock(&locks[0]);',
  'pthread_mutex_lock(&locks[0]); if (block) { y = *block; free(block); block = 0; } pthread_mutex_unlock(&locks[0]);',
  'pthread_mutex_lock(&both[0].lock); while (!x) pthread_cond_wait(&both[0].changed, &both[0].lock); pthread_mutex_unlock(&both[0].lock);',
  'pthread_mutex_lock(&both[0].lock); x = 1; pthread_cond_broadcast(&both[0].changed); pthread_mutex_unlock(&both[0].lock);',
  '{ pthread_mutexattr_t attr; pthread_mutexattr_init(&attr); pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_t own; pthread_mutex_init(&own, &attr); pthread_mutex_lock(&own); r = pthread_mutex_lock(&own) != 0; y = r; pthread_mutex_unlock(&own); }',
]

const CLAIMS: readonly string[] = [
  'x == 0',
  'x < 2',
  'y == 0',
  'cells[0] == 0',
  'x + y < 4',
  'y != 2',
  'cells[0] + cells[1] < 2',
  'cells[2] == 0',
  'bits.a < 2',
  'bits.b == 0 || bits.a < 2',
  'mixed.part[1] < 2',
  'mixed.whole <= 258',
  'atom <= 1',
  'both[0].value + both[1].value < 2',
  '*pointer < 2',
  'block == 0 || *block < 1',
]

export const trickyProgram = (choices: Choices): string => {
  let labels = 0
  const filled = (text: string): string =>
    text
      .replace('INSIDE', () => choices.pick(PLAIN.filter((each) => !each.includes('goto'))))
      .replace('CLAIM', () => choices.pick(CLAIMS))
      .replace(/LABEL/g, String(labels++))
  const index = choices.pick(['i', '0', '1', 'i & 1', '(x & 1)'])
  const statement = (): string => {
    switch (choices.below(5)) {
      case 0:
      case 1:
        return filled(choices.pick(PLAIN))
      case 2:
      case 3:
        return filled(choices.pick(GUARDED))
      default:
        return filled(choices.pick(SPECIAL))
    }
  }
  const body = (most: number): readonly string[] => Array.from({ length: 1 + choices.below(most) }, statement)
  const threads = 1 + choices.below(2)
  const input = choices.pick(['int i = __VERIFIER_nondet_bool();', 'int i = 0;', 'int i = 1;'])
  const functions = Array.from({ length: threads }, (_, n) =>
    [`void *thread${n}(void *argument) {`, 'int r = 0;', input, ...body(3), 'return 0;'].join('\n  ').concat('\n}\n'),
  )
  const work = choices.rarely(2) ? body(2).filter((line) => !/barrier|cond_wait/.test(line)) : []
  const main = [
    'pthread_t t[2];',
    'int r = 0;',
    input,
    ...functions.map((_, n) => `pthread_create(&t[${n}], 0, thread${n}, 0);`),
    ...work,
    ...functions.map((_, n) => `pthread_join(t[${n}], 0);`),
    `assert(${choices.pick(CLAIMS)});`,
    'return r > 100;',
  ]
  // One expression for the index of the whole program, so that locks and what they protect often go together.
  const placed = (text: string): string => text.replace(/\bI\b/g, index)
  const text = placed([...functions, ...main].join('\n'))
  const setup = SETUP.flatMap(([word, one]) => (word.test(text) ? [one] : []))
  const code = placed(`${functions.join('\n')}\nint main(void) {\n  ${[...setup, ...main].join('\n  ')}\n}\n`)
  return `${PRELUDE}\n${code}`
}
