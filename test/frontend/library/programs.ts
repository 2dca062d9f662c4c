// Small programs about one function of the library each, with verdicts that POSIX or C give them.
import type { StateProperty } from '../../../src/semantics/index.js'

export interface Case {
  readonly name: string
  readonly text: string
  readonly expect: readonly (readonly [StateProperty, boolean])[]
  readonly options?: Readonly<Record<string, boolean>>
}

const holds: Case['expect'] = [
  ['assert', true],
  ['no-deadlock', true],
]

const HEAD = '#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n'

/** Threads a and b (where defined) run beside each other, then `after` is executed. */
const threads = (globals: string, bodies: readonly string[], after = '', before = ''): string => {
  const names = bodies.map((_, i) => `t${i}`)
  const functions = bodies.map((body, i) => `void *f${i}(void *unused) { ${body} return 0; }`)
  const starts = names.map((name, i) => `pthread_create(&${name}, 0, f${i}, 0);`)
  const joins = names.map((name) => `pthread_join(${name}, 0);`)
  const main = `int main(void) { pthread_t ${names.join(', ')}; ${before} ${starts.join(' ')} ${joins.join(' ')} ${after} }`
  return [HEAD + globals, ...functions, main, ''].join('\n')
}

const MUTEX = 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n'
const CONDITION = `${MUTEX}pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nint flag;\n`
const attributed = (kind: string): string =>
  `static pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, ${kind}); pthread_mutex_init(&m, &a);`
const main = (text: string, globals = ''): string => `${HEAD}${globals}\nint main(void) { ${text} return 0; }\n`

export const MUTEXES: readonly Case[] = [
  {
    name: 'a normal mutex blocks its owner too',
    text: main('pthread_mutex_lock(&m); pthread_mutex_lock(&m);', MUTEX),
    expect: [
      ['assert', true],
      ['no-deadlock', false],
    ],
  },
  {
    name: 'a recursive mutex counts',
    text: threads(
      `${MUTEX}int inside;`,
      [
        'pthread_mutex_lock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); inside = 1; inside = 0; pthread_mutex_unlock(&m);',
        'pthread_mutex_lock(&m); assert(inside == 0); pthread_mutex_unlock(&m);',
      ],
      'assert(pthread_mutex_trylock(&m) == 0 && pthread_mutex_trylock(&m) == 0);',
      attributed('PTHREAD_MUTEX_RECURSIVE'),
    ),
    expect: [...holds, ['no-data-race', true]],
  },
  {
    name: 'an error-checking mutex returns EDEADLK, EBUSY and EPERM',
    text: threads(
      MUTEX,
      ['assert(pthread_mutex_unlock(&m) == EPERM); assert(pthread_mutex_trylock(&m) == EBUSY);'],
      'assert(pthread_mutex_unlock(&m) == 0); assert(pthread_mutex_unlock(&m) == EPERM);',
      `${attributed('PTHREAD_MUTEX_ERRORCHECK')} assert(pthread_mutex_lock(&m) == 0);
       assert(pthread_mutex_lock(&m) == EDEADLK); assert(pthread_mutex_trylock(&m) == EBUSY);`,
    ),
    expect: holds,
  },
  {
    name: 'the static initialiser of a recursive mutex',
    text: main(
      'pthread_mutex_lock(&m); assert(pthread_mutex_lock(&m) == 0);',
      'pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n',
    ),
    expect: holds,
  },
  {
    name: 'trylock fails only while another holds the mutex',
    text: threads(
      `${MUTEX}int r;`,
      ['r = pthread_mutex_trylock(&m);'],
      'assert(r == EBUSY);',
      'pthread_mutex_lock(&m);',
    ),
    expect: holds,
  },
  {
    name: 'a timed lock may time out and never blocks for ever',
    text: threads(
      `${MUTEX}struct timespec until;`,
      ['assert(pthread_mutex_timedlock(&m, &until) == ETIMEDOUT);'],
      'assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_timedlock(&m, &until) == 0);',
      'pthread_mutex_lock(&m);',
    ),
    expect: holds,
  },
  {
    name: 'destroying a locked mutex is refused',
    text: main('pthread_mutex_lock(&m); assert(pthread_mutex_destroy(&m) == EBUSY);', MUTEX),
    expect: holds,
  },
  {
    name: 'a mutex excludes',
    text: threads(
      `${MUTEX}int x;`,
      [
        'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);',
        'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);',
      ],
      'assert(x == 2);',
    ),
    expect: [...holds, ['no-data-race', true]],
  },
  {
    name: 'locks taken in two orders can block for ever',
    text: threads('pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;', [
      'pthread_mutex_lock(&m); pthread_mutex_lock(&n);',
      'pthread_mutex_lock(&n); pthread_mutex_lock(&m);',
    ]),
    expect: [['no-deadlock', false]],
  },
  {
    name: 'a spin lock excludes and blocks its owner',
    text: threads(
      'pthread_spinlock_t s; int x;',
      ['pthread_spin_lock(&s); x++; pthread_spin_unlock(&s);', 'pthread_spin_lock(&s); x++; pthread_spin_unlock(&s);'],
      'assert(x == 2); assert(pthread_spin_trylock(&s) == 0); assert(pthread_spin_trylock(&s) == EBUSY);',
      'pthread_spin_init(&s, 0);',
    ),
    expect: [...holds, ['no-data-race', true]],
  },
]

export const READ_WRITE: readonly Case[] = [
  {
    name: 'two readers may be inside together',
    text: threads('pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; _Atomic int n;', [
      'pthread_rwlock_rdlock(&l); n++; assert(n < 2); n--; pthread_rwlock_unlock(&l);',
      'pthread_rwlock_rdlock(&l); n++; assert(n < 2); n--; pthread_rwlock_unlock(&l);',
    ]),
    expect: [['assert', false]],
  },
  {
    name: 'a writer is alone',
    text: threads('pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int n;', [
      'pthread_rwlock_wrlock(&l); n++; assert(n == 1); n--; pthread_rwlock_unlock(&l);',
      'pthread_rwlock_rdlock(&l); assert(n == 0); pthread_rwlock_unlock(&l);',
    ]),
    expect: [...holds, ['no-data-race', true]],
  },
  {
    name: 'who may try what',
    text: main(
      `pthread_rwlock_rdlock(&l); assert(pthread_rwlock_tryrdlock(&l) == 0); assert(pthread_rwlock_trywrlock(&l) == EBUSY);
       pthread_rwlock_unlock(&l); assert(pthread_rwlock_trywrlock(&l) == EBUSY); pthread_rwlock_unlock(&l);
       assert(pthread_rwlock_trywrlock(&l) == 0); assert(pthread_rwlock_tryrdlock(&l) == EBUSY);`,
      'pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;',
    ),
    expect: holds,
  },
]

const waiter = (test: string): string =>
  `pthread_mutex_lock(&m); ${test} pthread_cond_wait(&c, &m); assert(flag); pthread_mutex_unlock(&m);`
const setter = (wake: string): string => `pthread_mutex_lock(&m); flag = 1; ${wake}(&c); pthread_mutex_unlock(&m);`

export const CONDITIONS: readonly Case[] = [
  {
    name: 'a loop around the wait is right',
    text: threads(CONDITION, [waiter('while (!flag)'), setter('pthread_cond_signal')]),
    expect: [...holds, ['no-data-race', true]],
    options: { 'spurious-wakeups': true },
  },
  {
    name: 'an if around the wait breaks when it wakes spuriously',
    text: threads(CONDITION, [waiter('if (!flag)'), setter('pthread_cond_signal')]),
    expect: [['assert', false]],
    options: { 'spurious-wakeups': true },
  },
  {
    name: 'an if around the only wait is enough without spurious wake-ups',
    text: threads(CONDITION, [waiter('if (!flag)'), setter('pthread_cond_signal')]),
    expect: holds,
  },
  {
    name: 'a signal that nobody waits for is lost',
    text: threads(CONDITION, ['pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);', 'pthread_cond_signal(&c);']),
    expect: [['no-deadlock', false]],
    options: { 'spurious-wakeups': true },
  },
  {
    name: 'a signal wakes one of two',
    text: threads(CONDITION, [waiter('while (!flag)'), waiter('while (!flag)'), setter('pthread_cond_signal')]),
    expect: [
      ['assert', true],
      ['no-deadlock', false],
    ],
  },
  {
    name: 'a broadcast wakes both',
    text: threads(CONDITION, [waiter('while (!flag)'), waiter('while (!flag)'), setter('pthread_cond_broadcast')]),
    expect: holds,
    options: { 'spurious-wakeups': true },
  },
  ...[0, 1].map((first): Case => {
    const numbered = (n: number): string =>
      `pthread_mutex_lock(&m); n++; pthread_cond_wait(&c, &m); if (woken < 0) woken = ${n}; pthread_cond_signal(&c); pthread_mutex_unlock(&m);`
    return {
      name: `a signal may wake waiter ${1 - first} first`,
      text: threads(
        `${CONDITION}int n, woken = -1;`,
        [
          numbered(0),
          numbered(1),
          'pthread_mutex_lock(&m); if (n == 2) pthread_cond_signal(&c); else woken = 7; pthread_mutex_unlock(&m);',
        ].map((body) => body),
        `assert(woken == 7 || woken == ${first});`,
      ),
      expect: [['assert', false]],
    }
  }),
  {
    name: 'a woken thread needs the mutex again',
    text: threads(`${CONDITION}int inside;`, [
      'pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m); assert(!inside); pthread_mutex_unlock(&m);',
      'pthread_mutex_lock(&m); inside = 1; flag = 1; pthread_cond_signal(&c); inside = 0; pthread_mutex_unlock(&m);',
    ]),
    expect: [...holds, ['no-data-race', true]],
    options: { 'spurious-wakeups': true },
  },
  {
    name: 'a wait releases the mutex in the same step',
    text: threads(CONDITION, [
      'pthread_mutex_lock(&m); flag = 1; pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);',
      'pthread_mutex_lock(&m); int waits = flag; pthread_mutex_unlock(&m); if (waits) pthread_cond_signal(&c); else _Exit(0);',
    ]).replace('#include <assert.h>', '#include <assert.h>\n#include <stdlib.h>'),
    expect: [['no-deadlock', true]],
  },
  {
    name: 'a timed wait ends without a signal, with ETIMEDOUT and the mutex',
    text: main(
      `pthread_mutex_lock(&m); assert(pthread_cond_timedwait(&c, &m, &until) == ETIMEDOUT);
       assert(pthread_mutex_trylock(&m) == EBUSY); assert(pthread_mutex_unlock(&m) == 0);`,
      `${CONDITION}struct timespec until;`,
    ),
    expect: holds,
  },
  {
    name: 'a timed wait may be woken or not',
    text: threads(
      `${CONDITION}struct timespec until; int r;`,
      [
        'pthread_mutex_lock(&m); if (!flag) r = pthread_cond_timedwait(&c, &m, &until); else r = 0; pthread_mutex_unlock(&m);',
        setter('pthread_cond_signal'),
      ],
      'assert(r == 0);',
    ),
    expect: [
      ['assert', false],
      ['no-deadlock', true],
    ],
  },
  {
    name: 'waiting with a mutex of another is refused by an error-checking one',
    text: main(`${attributed('PTHREAD_MUTEX_ERRORCHECK')} assert(pthread_cond_wait(&c, &m) == EPERM);`, CONDITION),
    expect: holds,
  },
]

const BARRIER = 'pthread_barrier_t b; int x, y, s;\n'
const COUNT_SERIAL =
  'if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&s, 1, 5); pthread_barrier_wait(&b); assert(s == 1);'

export const BARRIERS: readonly Case[] = [
  {
    name: 'nobody passes before all have come',
    text: threads(
      BARRIER,
      ['x = 1; pthread_barrier_wait(&b); assert(y == 1);', 'y = 1; pthread_barrier_wait(&b); assert(x == 1);'],
      '',
      'pthread_barrier_init(&b, 0, 2);',
    ),
    expect: [...holds, ['no-data-race', true]],
  },
  {
    name: 'one of them is the serial thread, and the barrier can be used again',
    text: threads(BARRIER, [COUNT_SERIAL, COUNT_SERIAL], '', 'pthread_barrier_init(&b, 0, 2);'),
    expect: holds,
  },
  ...[0, 1].map(
    (who): Case => ({
      name: `thread ${who} need not be the serial one`,
      text: threads(
        BARRIER,
        [0, 1].map((n) => `if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) s = ${n};`),
        `assert(s == ${who});`,
        'pthread_barrier_init(&b, 0, 2);',
      ),
      expect: [['assert', false]],
    }),
  ),
  {
    name: 'three threads at a barrier of two: one stays',
    text: threads(
      BARRIER,
      ['pthread_barrier_wait(&b);', 'pthread_barrier_wait(&b);', 'pthread_barrier_wait(&b);'],
      '',
      'pthread_barrier_init(&b, 0, 2);',
    ),
    expect: [['no-deadlock', false]],
  },
  {
    name: 'four threads at a barrier of two: all pass',
    text: threads(
      BARRIER,
      Array.from({ length: 4 }, () => 'pthread_barrier_wait(&b);'),
      '',
      'pthread_barrier_init(&b, 0, 2);',
    ),
    expect: holds,
  },
  {
    name: 'once runs its routine once, before anybody goes on',
    text: threads(
      'pthread_once_t o = PTHREAD_ONCE_INIT; int x; void init(void) { x++; }',
      ['pthread_once(&o, init); assert(x == 1);', 'pthread_once(&o, init); assert(x == 1);'],
      'assert(x == 1);',
    ),
    expect: [...holds, ['no-data-race', true]],
  },
]

const SEMAPHORE = '#include <semaphore.h>\nsem_t s; int n;\n'
const inside = (limit: number): string =>
  `sem_wait(&s); __atomic_fetch_add(&n, 1, 5); assert(__atomic_load_n(&n, 5) <= ${limit}); __atomic_fetch_sub(&n, 1, 5); sem_post(&s);`

export const SEMAPHORES: readonly Case[] = [
  {
    name: 'a semaphore of two lets two in, not three',
    text: threads(SEMAPHORE, [inside(2), inside(2), inside(2)], '', 'sem_init(&s, 0, 2);'),
    expect: [['assert', true]],
  },
  {
    name: 'a semaphore of two lets more than one in',
    text: threads(SEMAPHORE, [inside(1), inside(1)], '', 'sem_init(&s, 0, 2);'),
    expect: [['assert', false]],
  },
  {
    name: 'trywait, timedwait and getvalue',
    text: main(
      `static struct timespec until; static int v; sem_init(&s, 0, 1); assert(sem_trywait(&s) == 0);
       assert(sem_trywait(&s) == -1 && errno == EAGAIN); assert(sem_timedwait(&s, &until) == -1 && errno == ETIMEDOUT);
       sem_post(&s); sem_post(&s); sem_getvalue(&s, &v); assert(v == 2);`,
      SEMAPHORE,
    ),
    expect: holds,
  },
  {
    name: 'who waits for a post that never comes waits for ever',
    text: main('sem_init(&s, 0, 0); sem_wait(&s);', SEMAPHORE),
    expect: [['no-deadlock', false]],
  },
  {
    name: 'a name leads to the same semaphore until it is removed, and then to another one',
    text: main(
      `char name[4] = "/a"; assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
       sem_t *a = sem_open(name, O_CREAT, 0600, 1); name[1] = 'b'; sem_t *b = sem_open(name, O_CREAT, 0600, 0);
       assert(a != SEM_FAILED && b != SEM_FAILED && a != b && sem_open("/a", O_CREAT, 0600, 9) == a);
       assert(sem_open("/a", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
       assert(sem_trywait(b) == -1 && sem_trywait(a) == 0 && sem_trywait(a) == -1);
       assert(sem_unlink("/a") == 0 && sem_unlink("/a") == -1 && errno == ENOENT);
       assert(sem_open("/a", O_CREAT | O_EXCL, 0600, 1) != a && sem_post(a) == 0 && sem_trywait(a) == 0);
       sem_close(a); sem_unlink("/a"); sem_unlink("/b");`,
      `#include <fcntl.h>\n${SEMAPHORE}`,
    ),
    expect: holds,
  },
]

export const THREADS: readonly Case[] = [
  {
    name: 'join gives what the thread returned',
    text: `${HEAD}void *f(void *p) { return p; }
int main(void) { static int x; pthread_t t; static void *r; pthread_create(&t, 0, f, &x); pthread_join(t, &r); assert(r == &x); }`,
    expect: holds,
  },
  {
    name: 'pthread_exit gives its argument, from any depth',
    text: `${HEAD}int x, y; void g(void) { pthread_exit(&x); } void *f(void *p) { g(); y = 1; return 0; }
int main(void) { pthread_t t; static void *r; pthread_create(&t, 0, f, 0); pthread_join(t, &r); assert(r == &x && y == 0); }`,
    expect: holds,
  },
  {
    name: 'handlers that are still there run at pthread_exit, the last one first; others when they are taken away',
    text: `${HEAD}int n; void add(void *p) { n = 10 * n + *(int *)p; }
void *f(void *p) { static int one = 1, two = 2; pthread_cleanup_push(add, &one); pthread_cleanup_push(add, &two);
  if (p) pthread_exit(0); pthread_cleanup_pop(0); pthread_cleanup_pop(1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 1);
  pthread_create(&t, 0, f, &n); pthread_join(t, 0); assert(n == 121); }`,
    expect: holds,
  },
  ...['printf("%d %*d%%: %s", 1, 2, 3, text)', 'puts(text)', 'fputs(text, stderr)'].map((output) => ({
    name: `${output} reads the text`,
    text: `#include <stdio.h>\n${HEAD}char text[2]; void *f(void *p) { text[0] = 'x'; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); ${output}; pthread_join(t, 0); return 0; }`,
    expect: [['no-data-race', false] as const],
  })),
  {
    name: 'printf reads nothing but the text of %s',
    text: `#include <stdio.h>\n${HEAD}char text[2]; void *f(void *p) { text[0] = 'x'; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); printf("%c%s%p", 1, "x", text); pthread_join(t, 0); return 0; }`,
    expect: [['no-data-race', true]],
  },
  {
    name: 'a thread that is cancelled while it waits has its mutex when its handlers run',
    text: `${HEAD}${CONDITION}int cleaned; void clean(void *p) { cleaned = 1; pthread_mutex_unlock(&m); }
void *f(void *p) { pthread_mutex_lock(&m); pthread_cleanup_push(clean, 0); while (!flag) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1); return 0; }
int main(void) { pthread_t t; static void *r; pthread_create(&t, 0, f, 0); pthread_cancel(t); pthread_join(t, &r);
  assert(r == PTHREAD_CANCELED && cleaned && pthread_mutex_trylock(&m) == 0); }`,
    expect: [...holds, ['no-data-race', true]],
  },
  {
    name: 'a semaphore and a join are cancellation points, a mutex is none',
    text: `#include <semaphore.h>\n${HEAD}${MUTEX}sem_t s; pthread_t t, u; int reached;
void *g(void *p) { pthread_join(u, 0); return 0; }
void *f(void *p) { pthread_mutex_lock(&m); reached = 1; pthread_mutex_unlock(&m); sem_wait(&s); reached = 2; return 0; }
int main(void) { pthread_t v; sem_init(&s, 0, 0); pthread_create(&u, 0, f, 0); pthread_create(&v, 0, g, 0);
  pthread_cancel(v); pthread_join(v, 0); pthread_cancel(u); pthread_join(u, 0); assert(reached == 1); }`,
    expect: holds,
  },
  {
    name: 'who is not cancellable goes on until it is',
    text: `${HEAD}int n; void *f(void *p) { int old; pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old); n = 1;
  pthread_testcancel(); n = 2; pthread_setcancelstate(old, 0); pthread_testcancel(); n = 3; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_cancel(t); pthread_join(t, 0); assert(n == 2); }`,
    expect: [
      ['assert', false],
      ['no-deadlock', true],
    ],
  },
  {
    name: 'a request that comes in time is not missed',
    text: `${HEAD}int n; void *f(void *p) { pthread_cancel(pthread_self()); n = 1; pthread_testcancel(); n = 2; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(n == 1); }`,
    expect: holds,
  },
  {
    name: 'threads know themselves',
    text: `${HEAD}pthread_t t; void *f(void *p) { assert(pthread_equal(t, pthread_self())); return 0; }
int main(void) { assert(pthread_self() != 0); pthread_create(&t, 0, f, 0); assert(!pthread_equal(t, pthread_self()));
pthread_join(t, 0); }`,
    expect: holds,
  },
  {
    name: 'main may end before the others with pthread_exit, which lets them go on',
    text: `${HEAD}int x; void *f(void *p) { assert(x == 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; pthread_exit(0); }`,
    expect: [
      ['assert', false],
      ['no-deadlock', true],
    ],
  },
  {
    name: 'two threads may share one pthread_t only at their peril',
    text: threads('pthread_t shared; void *g(void *p) { return 0; }', [
      'pthread_create(&shared, 0, g, 0);',
      'pthread_t mine = shared;',
    ]),
    expect: [['no-data-race', false]],
  },
  {
    name: 'two threads may not create into one pthread_t',
    text: threads('pthread_t shared; void *g(void *p) { return 0; }', [
      'pthread_create(&shared, 0, g, 0);',
      'pthread_create(&shared, 0, g, 0);',
    ]),
    expect: [['no-data-race', false]],
  },
  {
    name: 'two threads may create threads beside each other, also where conditions count them',
    text: threads(`${CONDITION}void *g(void *p) { pthread_cond_signal(&c); return 0; }`, [
      'static pthread_t mine; pthread_create(&mine, 0, g, 0);',
      'static pthread_t mine; pthread_create(&mine, 0, g, 0);',
    ]),
    expect: [['no-data-race', true]],
  },
  {
    name: 'a value of a key is per thread, and its destructor runs at the end with it',
    text: `${HEAD}pthread_key_t k; int x, seen; void d(void *p) { assert(p == &x); assert(pthread_getspecific(k) == 0); seen++; }
void *f(void *p) { assert(pthread_getspecific(k) == 0); pthread_setspecific(k, &x); return 0; }
int main(void) { static int here; pthread_t t; pthread_key_create(&k, d); pthread_setspecific(k, &here);
pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(seen == 1 && pthread_getspecific(k) == &here); }`,
    expect: holds,
  },
  {
    name: 'every destructor runs once, also after pthread_exit',
    text: `${HEAD}pthread_key_t k, l; int sum; void d(void *p) { sum += 1; } void e(void *p) { sum += 10; }
void *f(void *p) { pthread_setspecific(l, &k); pthread_setspecific(k, &l); pthread_exit(0); }
int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_key_create(&l, e);
pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(sum == 11); }`,
    expect: holds,
  },
  {
    name: 'a destructor that sets its value again runs PTHREAD_DESTRUCTOR_ITERATIONS times',
    text: `${HEAD}pthread_key_t k; int n; void d(void *p) { n++; pthread_setspecific(k, p); }
void *f(void *p) { pthread_setspecific(k, &n); return 0; }
int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_create(&t, 0, f, 0); pthread_join(t, 0);
assert(n == PTHREAD_DESTRUCTOR_ITERATIONS); }`,
    expect: holds,
  },
  {
    name: 'errno is per thread',
    text: threads('', ['errno = 5; assert(errno == 5);', 'errno = 6; assert(errno == 6);'], 'assert(errno == 0);'),
    expect: [...holds, ['no-data-race', true]],
  },
]

export const C11: readonly Case[] = [
  {
    name: 'C11 threads: results, mutexes, once and storage',
    text: `#include <assert.h>
#include <threads.h>
mtx_t m; once_flag o = ONCE_FLAG_INIT; tss_t k; int x, once;
void init(void) { once++; }
int f(void *p) { call_once(&o, init); mtx_lock(&m); x++; mtx_unlock(&m); tss_set(k, p); assert(tss_get(k) == p); return 7; }
int main(void) { thrd_t t, u; static int r; mtx_init(&m, mtx_plain); tss_create(&k, 0); thrd_create(&t, f, &x);
thrd_create(&u, f, &r); thrd_join(t, &r); assert(r == 7); thrd_join(u, 0); assert(x == 2 && once == 1);
assert(mtx_lock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy); }`,
    expect: [...holds, ['no-data-race', true]],
  },
  {
    name: 'atomics',
    text: `#include <assert.h>
#include <stdatomic.h>
atomic_int x; atomic_flag f = ATOMIC_FLAG_INIT; atomic_bool b;
int main(void) { int e = 1; assert(!atomic_compare_exchange_strong(&x, &e, 2) && e == 0);
assert(atomic_compare_exchange_strong(&x, &e, 2) && x == 2); assert(atomic_exchange(&x, 6) == 2);
assert(atomic_fetch_add(&x, 2) == 6 && atomic_fetch_sub(&x, 1) == 8 && atomic_fetch_and(&x, 3) == 7);
assert(atomic_fetch_or(&x, 4) == 3 && atomic_fetch_xor(&x, 1) == 7 && atomic_load(&x) == 6);
assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f)); atomic_flag_clear(&f);
assert(!atomic_flag_test_and_set(&f)); b = 5; assert(b == 1); }`,
    expect: holds,
  },
  {
    name: 'records that are read, written, exchanged and compared as one',
    text: `#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
struct tagged { long count; int *node; };
_Atomic struct tagged a; struct tagged plain; int k;
void *t(void *x) { struct tagged o = atomic_load(&a), n;
do { n.count = o.count + 1; n.node = &k; } while (!atomic_compare_exchange_weak(&a, &o, n));
struct tagged e, d; __atomic_load(&plain, &e, 5);
do { d = e; d.count++; } while (!__atomic_compare_exchange(&plain, &e, &d, 0, 5, 5)); return 0; }
int main(void) { pthread_t s; struct tagged z = { 0, 0 }; atomic_init(&a, z); pthread_create(&s, 0, t, 0);
struct tagged m = atomic_load(&a); assert((m.count == 0) == (m.node == 0)); t(0); pthread_join(s, 0);
struct tagged r = atomic_exchange(&a, z); assert(r.count == 2 && r.node == &k); r = atomic_load(&a);
assert(r.count == 0 && plain.count == 2); r.count = 7; atomic_store(&a, r); assert(atomic_load(&a).count == 7);
assert(!atomic_compare_exchange_strong(&a, &z, m) && z.count == 7); }`,
    expect: holds,
  },
  {
    name: 'members that are written apart are seen apart',
    text: `#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
struct tagged { long count; int *node; } a; int k;
void *t(void *x) { a.count = 1; a.node = &k; return 0; }
int main(void) { pthread_t s; struct tagged m; pthread_create(&s, 0, t, 0); __atomic_load(&a, &m, 5);
assert((m.count == 0) == (m.node == 0)); }`,
    expect: [
      ['assert', false],
      ['no-data-race', false],
    ],
  },
]

export const STRINGS: readonly Case[] = [
  {
    name: 'numbers in a text',
    text: `#include <assert.h>
#include <stdio.h>
int main(void) { int a = 7, b = 7; long c = 7; unsigned u = 7;
assert(sscanf("  -12x", "%d", &a) == 1 && a == -12); assert(sscanf("x12", "%d", &b) == 0 && b == 7);
assert(sscanf(" ", "%d", &b) == -1 && sscanf("", "%d", &b) == -1 && sscanf("-", "%d", &b) == 0 && b == 7);
assert(sscanf("3,4", "%d,%ld", &a, &c) == 2 && a == 3 && c == 4); assert(sscanf("5;6", "%d,%ld", &a, &c) == 1 && c == 4);
assert(sscanf("5 6", "%*d %u", &u) == 1 && u == 6); }`,
    expect: [['assert', true]],
  },
  {
    name: 'strings and memory',
    text: `#include <assert.h>
#include <string.h>
int main(void) { static char a[8] = "abc", b[8]; static int x[2] = { 1, 2 }, y[2];
assert(strlen(a) == 3 && strcmp(a, "abd") < 0 && strcmp(a, "ab") > 0 && strncmp(a, "abd", 2) == 0);
strcpy(b, a); strcat(b, "de"); assert(strcmp(b, "abcde") == 0 && strchr(b, 'd') == b + 3 && strchr(b, 'x') == 0);
memmove(b + 1, b, 4); assert(memcmp(b, "aabcd", 5) == 0); memcpy(y, x, sizeof x); assert(y[1] == 2);
memset(y, 255, sizeof y); assert(y[0] == -1 && memcmp(x, y, 4) < 0); strncpy(b, "z", 4); assert(b[1] == 0 && b[3] == 0 && b[4] == 'd'); }`,
    expect: [['assert', true]],
  },
  {
    name: 'letters',
    text: `#include <assert.h>
#include <ctype.h>
int main(void) { assert(isdigit('7') && !isdigit('a') && isspace(' ') && toupper('q') == 'Q' && isxdigit('F') && ispunct('!')); }`,
    expect: [['assert', true]],
  },
  {
    name: 'memory from calloc is zero, from malloc anything',
    text: `#include <assert.h>
#include <stdlib.h>
int main(void) { int *p = calloc(2, sizeof(int)); assert(p[0] == 0 && p[1] == 0); p[1] = 5; free(p);
char *q = malloc(1); assert(q != 0); q[0] = 3; assert(q[0] == 3 && abs(-3) == 3); free(q); }`,
    expect: [['assert', true]],
  },
  {
    name: 'malloc may fail if asked to',
    text: '#include <assert.h>\n#include <stdlib.h>\nint main(void) { assert(malloc(1) != 0); }',
    expect: [['assert', false]],
    options: { 'malloc-may-fail': true },
  },
]

export const ENDS: readonly Case[] = [
  {
    name: 'abort in one thread does not hide a failure in another',
    text: threads('#include <stdlib.h>\n', ['abort();', 'assert(0);']),
    expect: [['assert', false]],
  },
  {
    name: 'reach_error is the violation, whatever its body does',
    text: 'void reach_error(void) { }\nint main(void) { reach_error(); }',
    expect: [
      ['assert', false],
      ['unreach-call', false],
    ],
  },
  {
    name: 'a failing assertion is not a call of reach_error',
    text: main('assert(0);'),
    expect: [
      ['assert', false],
      ['unreach-call', true],
    ],
  },
  {
    name: 'an assumption cuts',
    text: `#include <assert.h>
extern void __VERIFIER_assume(int); extern _Bool __VERIFIER_nondet_bool(void);
int main(void) { _Bool x = __VERIFIER_nondet_bool(); __VERIFIER_assume(x); assert(x); }`,
    expect: holds,
  },
  {
    name: 'an atomic block is one step',
    text: `extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n${threads(
      'int x;',
      Array.from({ length: 2 }, () => '__VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end();'),
      'assert(x == 2);',
    )}`,
    expect: [...holds, ['no-data-race', true]],
  },
]

const GETOPT = `#include <getopt.h>
#include <string.h>
`

export const SYSTEM: readonly Case[] = [
  {
    name: 'a call that fails sets errno',
    text: main(
      `errno = 0; if (close(3) < 0) assert(errno > 0);
       errno = 0; if (fopen("f", "r") == 0) assert(errno != 0);`,
      '#include <stdio.h>\n#include <unistd.h>\n',
    ),
    expect: [['assert', true]],
  },
  {
    name: 'errno after a failed read may be EAGAIN',
    text: main('if (write(1, "", 1) < 0) assert(errno != EAGAIN);', '#include <unistd.h>\n'),
    expect: [['assert', false]],
  },
  {
    name: 'an error number that is kept may be any',
    text: main('if (close(3) < 0) { int kept = errno; assert(kept * 2 != 80); }', '#include <unistd.h>\n'),
    expect: [['assert', false]],
  },
  {
    name: 'an error that is called through a pointer is one, with a body and without',
    text: main('handler();', 'void reach_error(void) { }\nstatic void (*handler)(void) = reach_error;\n'),
    expect: [['assert', false]],
  },
  {
    name: 'an error without a body that is called through a pointer',
    text: main('handler();', 'extern void reach_error(void);\nstatic void (*handler)(void) = reach_error;\n'),
    expect: [['assert', false]],
  },
  {
    name: 'exit and abort through pointers end the program',
    text: main(
      'if (close(3)) die(1); else crash(); assert(0);',
      '#include <stdlib.h>\n#include <unistd.h>\nstatic void (*die)(int) = exit, (*crash)(void) = abort;\n',
    ),
    expect: [['assert', true]],
  },
  {
    name: 'malloc that fails sets ENOMEM',
    text: main('errno = 0; void *p = malloc(4); assert(p != 0 || errno == ENOMEM);', '#include <stdlib.h>\n'),
    options: { 'malloc-may-fail': true },
    expect: [['assert', true]],
  },
  {
    name: 'getopt takes letters, their arguments, and moves other arguments to the end',
    text: main(
      `char *v[] = { "p", "file", "-ab", "-n", "5", "-ox", "last", 0 };
       char seen[8] = ""; int i = 0, letter;
       while ((letter = getopt(7, v, "abn:o::")) != -1) {
         seen[i++] = (char)letter;
         if (letter == 'n') assert(!strcmp(optarg, "5"));
         if (letter == 'o') assert(!strcmp(optarg, "x"));
       }
       assert(!strcmp(seen, "abno") && optind == 5);
       assert(!strcmp(v[5], "file") && !strcmp(v[6], "last"));`,
      GETOPT,
    ),
    expect: [['assert', true]],
  },
  {
    name: 'getopt tells unknown letters, missing arguments and --',
    text: main(
      `char *v[] = { "p", "-x", "--", "-a", 0 };
       opterr = 0;
       assert(getopt(4, v, "a") == '?' && optopt == 'x');
       assert(getopt(4, v, "a") == -1 && optind == 3);
       char *w[] = { "p", "-a", 0 };
       optind = 1;
       assert(getopt(2, w, ":a:") == ':' && optopt == 'a');`,
      GETOPT,
    ),
    expect: [['assert', true]],
  },
  {
    name: 'getopt_long takes names, beginnings of names, and sets flags',
    text: main(
      `static int verbose; int at = -1;
       struct option o[] = { { "threads", required_argument, 0, 't' }, { "verbose", no_argument, &verbose, 3 },
                             { "out", optional_argument, 0, 'o' }, { 0, 0, 0, 0 } };
       char *v[] = { "p", "--threads=4", "--verb", "--threads", "5", "--out", "--none", 0 };
       opterr = 0;
       assert(getopt_long(7, v, "t:", o, &at) == 't' && !strcmp(optarg, "4") && at == 0);
       assert(getopt_long(7, v, "t:", o, &at) == 0 && verbose == 3 && at == 1);
       assert(getopt_long(7, v, "t:", o, &at) == 't' && !strcmp(optarg, "5"));
       assert(getopt_long(7, v, "t:", o, &at) == 'o' && optarg == 0);
       assert(getopt_long(7, v, "t:", o, &at) == '?' && getopt_long(7, v, "t:", o, &at) == -1 && optind == 7);`,
      GETOPT,
    ),
    expect: [['assert', true]],
  },
  {
    name: 'text beyond that of C',
    text: main(
      `char t[] = "a,b;c", *rest = t, b[8];
       assert(!strcmp(strsep(&rest, ",;"), "a") && !strcmp(strsep(&rest, ",;"), "b") && !strcmp(strsep(&rest, ",;"), "c"));
       assert(rest == 0 && strsep(&rest, ",") == 0);
       assert(strpbrk("hello", "xl")[0] == 'l' && strpbrk("hello", "z") == 0);
       assert(*stpcpy(b, "ab") == 0 && b[1] == 'b' && stpncpy(b, "x", 3) == b + 1 && b[2] == 0);
       assert(!strcmp(strndup("hello", 2), "he") && *strchrnul("ab", 'c') == 0);
       assert(!strcmp(strcasestr("aHEb", "he"), "HEb") && strcasestr("a", "b") == 0);
       assert(memccpy(b, "abc", 'b', 3) == b + 2 && mempcpy(b, "ab", 2) == b + 2);
       char twice[] = "abab"; assert(memrchr(twice, 'a', 4) == twice + 2 && memmem(twice, 4, "ba", 2) == twice + 1);
       assert(div(7, 2).quot == 3 && div(7, 2).rem == 1);
       char *made; assert(asprintf(&made, "%d-%s", 12, "x") == 4 && !strcmp(made, "12-x"));`,
      '#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n',
    ),
    expect: [['assert', true]],
  },
  {
    name: 'epoll tells of files that were added, with what was stored for them',
    text: main(
      `int set = epoll_create1(0); struct epoll_event e = { .events = EPOLLIN, .data.u32 = 7 }, got[2];
       if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, 5, &e) < 0) return 1;
       int n = epoll_wait(set, got, 2, 10);
       assert(n <= 1);
       if (n == 1) assert(got[0].data.u32 == 7 && got[0].events != 0 && !(got[0].events & EPOLLOUT));
       if (epoll_ctl(set, EPOLL_CTL_DEL, 5, 0) == 0) assert(epoll_wait(set, got, 2, 0) <= 0);`,
      '#include <sys/epoll.h>\n',
    ),
    expect: [['assert', true]],
  },
]
