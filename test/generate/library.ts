// Small concurrent programs over what the other generators leave out: the rest of the thread library (semaphores,
// rwlocks, spin locks, barriers, once, keys, recursive locks), objects on the heap, thread-local variables, threads that
// end early or wait in a loop, results of threads, calls through pointers, copies of structs, unusual control flow.
import type { Choices } from './choices.js'

const PRELUDE = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { int value; struct node *next; };
struct pair { int left; short right; };
int x, y, flag;
_Thread_local int mine;
struct node *top;
struct pair both, other = { 1, 2 };
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t again;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key;
sem_t sem;
static void setup(void) { x = x + 1; }
static int twice(int value) { return value * 2; }
static int next(int value) { return value + 1; }
static int down(int value) { return value <= 0 ? 0 : 1 + down(value - 1); }
int (*step)(int) = next;
`

/** What some of this needs before any thread runs. */
const SETUP: readonly (readonly [word: RegExp, statement: string])[] = [
  [/&sem\b/, 'sem_init(&sem, 0, 1);'],
  [/&spin\b/, 'pthread_spin_init(&spin, 0);'],
  [/&barrier\b/, 'pthread_barrier_init(&barrier, 0, 2);'],
  [/\bkey\b/, 'pthread_key_create(&key, 0);'],
  [
    /&again\b/,
    'pthread_mutexattr_t attr; pthread_mutexattr_init(&attr); pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&again, &attr);',
  ],
]

const PLAIN: readonly string[] = [
  'x = 1;',
  'x = y;',
  'y = x + 1;',
  'r = x;',
  'y = r;',
  'x++;',
  'flag = 1;',
  'mine++; x = mine;',
  'mine = y; r = mine + 1;',
  'both = other;',
  '{ struct pair copy = both; copy.left++; other = copy; }',
  'both.right = x; y = other.right;',
  'step = x ? twice : next;',
  'y = step(y) & 3;',
  'r = down(2); y = r & x;',
  'switch (x) { case 0: y = 1; case 1: y++; break; default: y = 0; }',
  'do { y--; if (x) break; } while (y > 0);',
  'if (!x) goto out; y = 2;',
  'r = (x = 2, y);',
  '{ union { int whole; unsigned char part[4]; } u; u.whole = 258 + x; y = u.part[0]; }',
  '{ int local[2] = { x, 1 }; y = local[y & 1]; }',
]

const GUARDED: readonly string[] = [
  'pthread_rwlock_rdlock(&rw); INSIDE pthread_rwlock_unlock(&rw);',
  'pthread_rwlock_wrlock(&rw); INSIDE pthread_rwlock_unlock(&rw);',
  'if (pthread_rwlock_trywrlock(&rw) == 0) { INSIDE pthread_rwlock_unlock(&rw); }',
  'if (pthread_rwlock_tryrdlock(&rw) == 0) { INSIDE pthread_rwlock_unlock(&rw); }',
  'sem_wait(&sem); INSIDE sem_post(&sem);',
  'if (sem_trywait(&sem) == 0) { INSIDE sem_post(&sem); }',
  'pthread_spin_lock(&spin); INSIDE pthread_spin_unlock(&spin);',
  'if (pthread_spin_trylock(&spin) == 0) { INSIDE pthread_spin_unlock(&spin); }',
  'pthread_mutex_lock(&again); pthread_mutex_lock(&again); INSIDE pthread_mutex_unlock(&again); pthread_mutex_unlock(&again);',
  'pthread_mutex_lock(&mutex); INSIDE pthread_mutex_unlock(&mutex);',
]

const SPECIAL: readonly string[] = [
  'sem_post(&sem);',
  'sem_wait(&sem);',
  'pthread_barrier_wait(&barrier);',
  'pthread_once(&once, setup);',
  'pthread_setspecific(key, &both); r = pthread_getspecific(key) != 0;',
  'r = pthread_getspecific(key) == 0; y = r;',
  'while (!flag) ;',
  'while (!flag) { x = 0; }',
  'if (x) return 0;',
  'if (y) pthread_exit((void *)1);',
  'if (x == 2) exit(0);',
  'if (y == 2) abort();',
  'pthread_mutex_lock(&mutex); { struct node *n = malloc(sizeof *n); n->value = x; n->next = top; top = n; } pthread_mutex_unlock(&mutex);',
  'pthread_mutex_lock(&mutex); if (top) { struct node *n = top; top = n->next; y = n->value; free(n); } pthread_mutex_unlock(&mutex);',
  '{ struct node *n = malloc(sizeof *n); n->value = 1; n->next = 0; top = n; }',
  'if (top) y = top->value;',
]

const CLAIMS: readonly string[] = [
  'x != 2',
  'y < 2',
  'x <= y + 1',
  'x + y < 4',
  'both.left == 0 || both.right == 2',
  '!(x == 1 && y == 1)',
  'top == 0 || top->value < 2',
  'mine < 2',
]

export const libraryProgram = (choices: Choices): string => {
  const statement = (): string => {
    switch (choices.below(4)) {
      case 0:
        return choices.pick(PLAIN)
      case 1:
      case 2: {
        // A jump out of the block would keep the lock.
        const inside = choices.pick(PLAIN.filter((each) => !each.includes('goto')))
        return choices.pick(GUARDED).replace('INSIDE', () => inside)
      }
      default:
        return choices.rarely(6) ? `assert(${choices.pick(CLAIMS)});` : choices.pick(SPECIAL)
    }
  }
  const body = (most: number): readonly string[] => Array.from({ length: 1 + choices.below(most) }, statement)
  const threads = 1 + choices.below(2)
  const functions = Array.from({ length: threads }, (_, n) => {
    const lines = ['int r = 0;', ...body(3)]
    const end = lines.some((line) => line.includes('goto out')) ? ['out:'] : []
    return [`void *thread${n}(void *argument) {`, ...lines, ...end, 'return (void *)(long)r;']
      .join('\n  ')
      .concat('\n}\n')
  })
  const work = choices.rarely(2) ? body(2).filter((line) => !/goto|return 0/.test(line)) : []
  const result = choices.rarely(3)
  const main = [
    'pthread_t t[2];',
    'int r = 0;',
    ...functions.map((_, n) => `pthread_create(&t[${n}], 0, thread${n}, 0);`),
    ...work,
    ...functions.map((_, n) =>
      n === 0 && result ? 'void *v; pthread_join(t[0], &v); r = (int)(long)v;' : `pthread_join(t[${n}], 0);`,
    ),
    `assert(${choices.pick([...CLAIMS, ...(result ? ['r < 1', 'r < 2'] : [])])});`,
    'return 0;',
  ]
  const text = [...functions, ...main].join('\n')
  const setup = SETUP.flatMap(([word, one]) => (word.test(text) ? [one] : []))
  return `${PRELUDE}\n${functions.join('\n')}\nint main(void) {\n  ${[...setup, ...main].join('\n  ')}\n}\n`
}
