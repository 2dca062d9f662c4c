// Small concurrent programs over the breadth of the language and of the thread library, for comparison with the machine:
// jumps into loops, compound assignments with calls, bit-fields, unions, copies of bytes, calls through pointers,
// recursion, arrays of variable length, heap blocks of computed size, static and thread-local data, narrow arithmetic,
// and pthread's functions with attributes and with what they return, errors included. `e` keeps what a call returned.
// Where only other threads could tell in which order operands are evaluated, the interpreter has one order and the
// compiler perhaps another (docs/semantics.md): targets of compound assignments with calls are a thread's own, and so
// are their indices, which gcc -O0 reads twice.
import type { Choices } from './choices.js'

const PRELUDE = `#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct bits { signed a : 3; unsigned b : 2; int c : 9; };
struct pair { int left; short right; };
union mixed { int whole; short half[2]; unsigned char part[4]; };
int x, y, z, e;
int cells[4];
struct bits bits;
struct pair both, other = { 1, 2 };
union mixed mixed;
atomic_int atom;
_Atomic unsigned char small = 250;
static _Thread_local signed char mine = 100;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t checked, nested, robust;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_key_t key;
sem_t sem;
static short calls(void) { static short count; count = count + 1; return count; }
static int bump(void) { int seen = x; x = seen + 1; return seen + 1; }
static int deep(int n) { return n < 1 ? y : deep(n - 1) + 1; }
static int same(int value) { return value; }
static int less(int value) { return value - 1; }
static int (*const table[2])(int) = { same, less };
static void store(int *place, int value) { *place = value; }
static void at_end(void *value) { (void)value; z = z + 1; }
static void *quick(void *argument) { *(int *)argument += 1; return argument; }
static void fill(unsigned char *bytes, int n) { for (int k = 0; k < n; k++) bytes[k] = (unsigned char)(k + 1); }
`

const mutexWith = (name: string, attribute: string): string =>
  `{ pthread_mutexattr_t a; pthread_mutexattr_init(&a); ${attribute}; pthread_mutex_init(&${name}, &a); pthread_mutexattr_destroy(&a); }`

/** Before any thread runs. */
const SETUP: readonly (readonly [RegExp, string])[] = [
  [/&checked\b/, mutexWith('checked', 'pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK)')],
  [/&nested\b/, mutexWith('nested', 'pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE)')],
  [/&robust\b/, mutexWith('robust', 'pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST)')],
  [/&spin\b/, 'pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);'],
  [/&barrier\b/, 'pthread_barrier_init(&barrier, 0, 2);'],
  [/\(key\b/, 'pthread_key_create(&key, at_end);'],
  [/&sem\b/, 'sem_init(&sem, 0, 1);'],
]

const PLAIN: readonly string[] = [
  'x = x + 1;',
  'y = x;',
  'x = 2;',
  'mine += bump(); y = mine;',
  '{ int own[2] = { 0, 5 }, i = x & 1; own[i] -= bump(); z = own[0] + 2 * own[1]; }',
  '{ struct bits own = { 1, 2, 250 }; own.c += 4 * bump(); y = own.c < 0; }',
  'z = deep(2);',
  'z = table[y & 1](x);',
  'y = calls();',
  'z = calls() + calls();',
  'store(x ? &y : &z, 1);',
  '{ int n = 1 + (y & 1); int v[n]; for (int k = 0; k < n; k++) v[k] = x; z = v[n - 1]; }',
  '{ int n = 1 + (x & 3); unsigned char v[n]; fill(v, n); y = v[n - 1] + (int)sizeof v; }',
  '{ int n = 1 + (x & 1); int *p = malloc(n * sizeof *p); p[n - 1] = y; z = p[n - 1]; free(p); }',
  '{ int n = 2 + (y & 1); short *p = calloc(n, sizeof *p); p[n - 1] = (short)x; z = p[n - 1] + p[0]; free(p); }',
  '{ unsigned char b[4]; memcpy(b, &x, sizeof x); b[0]++; memcpy(&y, b, sizeof y); }',
  'memset(&z, 0, sizeof z);',
  'z = memcmp(&x, &y, sizeof x) == 0;',
  'memmove(&cells[1], &cells[0], 2 * sizeof(int)); y = cells[2];',
  'cells[0] = x + 1;',
  'bits.a--;',
  'bits.b += 3;',
  'bits.c += 200; bits.c += 200; z = bits.c < 0;',
  'y = bits.a + bits.b;',
  'mixed.whole = x + 65537; y = mixed.half[1];',
  'mixed.part[1] = 1; z = mixed.whole >> 8;',
  '{ union mixed u = { .whole = x }; u.half[1] = 1; y = u.whole >> 16; }',
  '{ struct pair p = { x, y }, q = p; q.right--; other = q; z = other.right; }',
  'both = other; both.left++;',
  'mine += 100; z = mine;',
  'mine = (signed char)(mine + x); y = mine < 0;',
  '{ unsigned short s = 65535; s += x; y = s == 0; }',
  '{ unsigned char c = 200; c *= 2 + x; z = c; }',
  '{ signed char c = 127; c += x; y = c < 0; }',
  'z = (int)(((unsigned)x - 1u) >> 31);',
  'y = (x << 3) % 5;',
  'z = -x / 2 + -x % 2;',
  'small += 3; z = small;',
  'y = atomic_fetch_or(&atom, 2);',
  '{ int seen = x; z = atomic_compare_exchange_strong(&atom, &seen, 1); y = seen; }',
  'z = x > y ? x-- : y++;',
  'z = (x && y++) || z;',
  'y = (x = 1, x + 1);',
  '{ int *p = &cells[y & 1]; *p++ = 1; z = (int)(p - cells); }',
  '{ int k = 0; do { if (x) continue; y++; } while (++k < 2); }',
  'switch (x & 3) { case 0: for (; z < 2; z++) { case 1: y++; case 2:; } break; default: z = 3; }',
  '{ int n = 0; if (x) goto inLABEL; for (; n < 2; n++) { inLABEL: y += n; } }',
  '{ int n = 0; againLABEL: n++; if (n < 2 && y < 2) goto againLABEL; z = n; }',
]

const GUARDED: readonly string[] = [
  'pthread_mutex_lock(&mutex); INSIDE pthread_mutex_unlock(&mutex);',
  'if (pthread_mutex_lock(&checked) == 0) { INSIDE e = pthread_mutex_lock(&checked) == EDEADLK; pthread_mutex_unlock(&checked); }',
  'e = pthread_mutex_trylock(&checked); if (e == 0) { INSIDE e = pthread_mutex_unlock(&checked); } else e = e == EBUSY ? 2 : 3;',
  'pthread_mutex_lock(&nested); e = pthread_mutex_trylock(&nested); INSIDE pthread_mutex_unlock(&nested); pthread_mutex_unlock(&nested); y = pthread_mutex_unlock(&nested) == EPERM;',
  'e = pthread_mutex_trylock(&mutex); if (e == 0) { INSIDE pthread_mutex_unlock(&mutex); } else e = e == EBUSY ? 2 : 3;',
  'e = pthread_mutex_lock(&robust); if (e == EOWNERDEAD) { e = pthread_mutex_consistent(&robust) + 5; } INSIDE pthread_mutex_unlock(&robust);',
  'e = pthread_rwlock_tryrdlock(&rw); if (e == 0) { INSIDE pthread_rwlock_unlock(&rw); } else e = e == EBUSY ? 2 : 3;',
  'e = pthread_rwlock_trywrlock(&rw); if (e == 0) { INSIDE pthread_rwlock_unlock(&rw); } else e = e == EBUSY ? 2 : 3;',
  'pthread_rwlock_wrlock(&rw); INSIDE pthread_rwlock_unlock(&rw);',
  'pthread_rwlock_rdlock(&rw); INSIDE pthread_rwlock_unlock(&rw);',
  'e = pthread_spin_trylock(&spin); if (e == 0) { INSIDE pthread_spin_unlock(&spin); } else e = e == EBUSY ? 2 : 3;',
  'pthread_spin_lock(&spin); INSIDE pthread_spin_unlock(&spin);',
  'if (sem_trywait(&sem) == 0) { INSIDE sem_post(&sem); } else e = errno == EAGAIN ? 2 : 3;',
  'sem_wait(&sem); INSIDE sem_post(&sem);',
  '{ struct timespec none = { 0, 0 }; e = pthread_mutex_timedlock(&mutex, &none); if (e == 0) { INSIDE pthread_mutex_unlock(&mutex); } else e = e == ETIMEDOUT ? 2 : 3; }',
  '{ struct timespec none = { 0, 0 }; if (sem_timedwait(&sem, &none) == 0) { INSIDE sem_post(&sem); } else e = errno == ETIMEDOUT ? 2 : 3; }',
]

const SPECIAL: readonly string[] = [
  'e = pthread_mutex_unlock(&checked) == EPERM;',
  'e = pthread_join(pthread_self(), 0) == EDEADLK;',
  'e = pthread_equal(pthread_self(), pthread_self()) != 0;',
  'e = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;',
  'pthread_setspecific(key, &both); e = pthread_getspecific(key) == &both;',
  'if (x) pthread_exit(0);',
  'pthread_mutex_lock(&robust); if (y) return 0; pthread_mutex_unlock(&robust);',
  '{ int v; sem_getvalue(&sem, &v); z = v; }',
  'sem_post(&sem);',
  '{ int own = 0; pthread_t t; pthread_create(&t, 0, quick, &own); void *v; e = pthread_join(t, &v); z = *(int *)v; }',
  '{ pthread_attr_t a; pthread_attr_init(&a); int s; pthread_attr_getdetachstate(&a, &s); e = s == PTHREAD_CREATE_JOINABLE; pthread_attr_destroy(&a); }',
  '{ pthread_mutexattr_t a; int t; pthread_mutexattr_init(&a); e = pthread_mutexattr_settype(&a, 77) == EINVAL; pthread_mutexattr_gettype(&a, &t); z = t == PTHREAD_MUTEX_DEFAULT; }',
  'pthread_mutex_lock(&mutex); while (!x) pthread_cond_wait(&condition, &mutex); pthread_mutex_unlock(&mutex);',
  'pthread_mutex_lock(&mutex); if (!x) { struct timespec none = { 0, 0 }; e = pthread_cond_timedwait(&condition, &mutex, &none) == ETIMEDOUT; } pthread_mutex_unlock(&mutex);',
  'pthread_mutex_lock(&mutex); x = 1; pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex);',
  'x = 1; pthread_cond_broadcast(&condition);',
  'e = pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);',
]

export const broadProgram = (choices: Choices): string => {
  let labels = 0
  const filled = (text: string): string =>
    text
      .replace('INSIDE', () => choices.pick(PLAIN.filter((each) => !each.includes('goto'))))
      .replace(/LABEL/g, String(labels++))
  const statement = (): string => {
    switch (choices.below(8)) {
      case 0:
      case 1:
        return filled(choices.pick(GUARDED))
      case 2:
        return filled(choices.pick(SPECIAL))
      default:
        return filled(choices.pick(PLAIN))
    }
  }
  const body = (most: number): readonly string[] => Array.from({ length: 1 + choices.below(most) }, statement)
  const threads = 1 + choices.below(2)
  const functions = Array.from({ length: threads }, (_, n) =>
    [`void *thread${n}(void *argument) {`, ...body(threads === 1 ? 4 : 2), 'return 0;'].join('\n  ').concat('\n}\n'),
  )
  // What waits for ever, or ends its thread, would mostly hide the rest here.
  const work = choices.rarely(2) ? body(2).filter((line) => !/barrier|cond_wait|return 0|pthread_exit/.test(line)) : []
  const main = [
    'pthread_t t[2];',
    ...functions.map((_, n) => `pthread_create(&t[${n}], 0, thread${n}, 0);`),
    ...work,
    ...functions.map((_, n) => `pthread_join(t[${n}], 0);`),
    'assert(x < 3);',
    'return 0;',
  ]
  const text = [...functions, ...main].join('\n')
  const setup = SETUP.flatMap(([word, one]) => (word.test(text) ? [one] : []))
  return `${PRELUDE}\n${functions.join('\n')}\nint main(void) {\n  ${[...setup, ...main].join('\n  ')}\n}\n`
}
