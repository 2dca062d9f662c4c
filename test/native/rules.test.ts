// The rules of the runtime one by one: what orders accesses, what each kind of lock does, who is woken. One program holds
// all cases, and its first input says which; each is run under many schedules, and the set of ways in which it ends is
// what C11 and POSIX allow, no more and no less.
import { describe, expect, it } from 'vitest'
import { CHECKS, type Outcome, type Runner, type RunRequest } from '../../src/native/index.js'
import { BASE, hasCompiler, SKIPPED, withProgram } from './harness.js'

interface Case {
  readonly name: string
  /** Functions of two threads, and what main does before and after. */
  readonly first: string
  readonly second: string
  readonly before?: string
  readonly after?: string
  readonly ends: readonly Outcome[]
}

const orders = (name: string, first: string, second: string, before = ''): Case => ({
  ...{ name, first, second, before },
  ends: ['finished'],
})
const handled = (name: string, first: string, second: string): Case => orders(name, first, second, 'handlers();')
const races = (name: string, first: string, second: string, before = ''): Case => ({
  ...{ name, first, second, before },
  ends: ['finished', 'race'],
})

const LOST =
  'pthread_join(t[0], 0); assert(lock(&robust) == EOWNERDEAD); unlock(&robust); assert(lock(&robust) == ENOTRECOVERABLE && pthread_mutex_consistent(&robust) == EINVAL);'

const CASES: readonly Case[] = [
  // ---- what orders two accesses
  { name: 'nothing orders two writes', first: 'd = 1;', second: 'd = 2;', ends: ['race'] },
  { name: 'two reads are no race', first: 'use(d);', second: 'use(d);', ends: ['finished'] },
  orders('a mutex orders', 'lock(&m); d = 1; unlock(&m);', 'lock(&m); d = 2; unlock(&m);'),
  {
    name: 'another mutex does not',
    first: 'lock(&m); d = 1; unlock(&m);',
    second: 'lock(&n); d = 2; unlock(&n);',
    ends: ['race'],
  },
  orders(
    'a lock that is tried orders',
    'lock(&m); d = 1; unlock(&m);',
    'if (!pthread_mutex_trylock(&m)) { d = 2; unlock(&m); }',
  ),
  races(
    'a lock that is not got does not',
    'lock(&m); d = 1; unlock(&m);',
    'if (pthread_mutex_trylock(&m)) d = 2; else unlock(&m);',
  ),
  races('what comes after the unlock is not ordered', 'lock(&m); unlock(&m); d = 1;', 'lock(&m); d = 2; unlock(&m);'),
  orders('a semaphore orders', 'd = 1; sem_post(&s);', 'sem_wait(&s); d = 2;'),
  orders('a barrier orders', 'd = 1; pthread_barrier_wait(&b);', 'pthread_barrier_wait(&b); d = 2;'),
  orders('once orders', 'pthread_once(&o, set); use(d);', 'pthread_once(&o, set); use(d);'),
  orders(
    'a writer and a reader of a read-write lock',
    'pthread_rwlock_wrlock(&r); d = 1; pthread_rwlock_unlock(&r);',
    'pthread_rwlock_rdlock(&r); use(d); pthread_rwlock_unlock(&r);',
  ),
  orders(
    'a reader and then a writer',
    'pthread_rwlock_rdlock(&r); use(d); pthread_rwlock_unlock(&r);',
    'pthread_rwlock_wrlock(&r); d = 1; pthread_rwlock_unlock(&r);',
  ),
  races(
    'two readers of it are not ordered',
    'pthread_rwlock_rdlock(&r); d = 1; pthread_rwlock_unlock(&r);',
    'pthread_rwlock_rdlock(&r); d = 2; pthread_rwlock_unlock(&r);',
  ),
  orders('release and acquire', 'd = 1; store(&f, 1, release);', 'if (load(&f, acquire)) d = 2;'),
  races('a relaxed store does not release', 'd = 1; store(&f, 1, relaxed);', 'if (load(&f, acquire)) d = 2;'),
  races('a relaxed load does not acquire', 'd = 1; store(&f, 1, release);', 'if (load(&f, relaxed)) d = 2;'),
  orders(
    'fences around relaxed accesses',
    'd = 1; fence(release); store(&f, 1, relaxed);',
    'if (load(&f, relaxed)) { fence(acquire); d = 2; }',
  ),
  races(
    'a fence that comes too late',
    'd = 1; store(&f, 1, relaxed); fence(release);',
    'if (load(&f, relaxed)) { fence(acquire); d = 2; }',
  ),
  orders(
    'a release sequence',
    'd = 1; store(&f, 1, release); atomic_fetch_add_explicit(&f, 1, memory_order_relaxed);',
    'if (load(&f, acquire) == 2) d = 2;',
  ),
  orders(
    'a later store of the same thread belongs to it (C11 5.1.2.4p10)',
    'd = 1; store(&f, 1, release); store(&f, 2, relaxed);',
    'if (load(&f, acquire) == 2) d = 2;',
  ),
  races(
    "another thread's store ends it",
    'd = 1; store(&f, 1, release);',
    'if (load(&f, relaxed) == 1) store(&f, 2, relaxed); if (load(&f, acquire) == 2) d = 2;',
  ),
  // ---- what goes through the system
  orders('a pipe orders', 'd = 1; write(ends[1], "x", 1);', 'char x; read(ends[0], &x, 1); d = 2;'),
  {
    name: 'another pipe does not',
    first: 'd = 1; write(ends[1], "x", 1);',
    second: 'char x; write(more[1], "x", 1); read(more[0], &x, 1); d = 2;',
    ends: ['race'],
  },
  {
    name: 'nor does what is sent before',
    first: 'write(ends[1], "x", 1); d = 1;',
    second: 'char x; read(ends[0], &x, 1); d = 2;',
    ends: ['race'],
  },
  {
    name: 'nobody says who would wake a thread that has handlers',
    first: 'sem_wait(&s);',
    second: '',
    before: 'handlers();',
    ends: ['hung'],
  },
  orders(
    'a stream on a pipe orders',
    'd = 1; FILE *to = fdopen(ends[1], "w"); fputs("a\\n", to); fclose(to);',
    'char x[9]; FILE *from = fdopen(ends[0], "r"); fgets(x, 9, from); d = 2;',
  ),
  orders(
    'an event counter orders',
    'd = 1; eventfd_write(counter, 1);',
    'eventfd_t x; eventfd_read(counter, &x); d = 2;',
  ),
  orders(
    'select waits, and orders',
    'd = 1; write(ends[1], "x", 1);',
    'fd_set set; FD_ZERO(&set); FD_SET(ends[0], &set); assert(select(ends[0] + 1, &set, 0, 0, 0) == 1); d = 2;',
  ),
  orders(
    'the lock of a stream orders',
    'flockfile(stdout); d = 1; puts("a"); funlockfile(stdout);',
    'flockfile(stdout); d = 2; funlockfile(stdout);',
  ),
  orders('a semaphore with a name orders', 'd = 1; sem_post(named);', 'sem_wait(named); sem_wait(named); d = 2;'),
  orders('pages that are mapped anew are new', 'map();', 'map();'),
  // ---- signals and timers
  handled(
    'a handler runs in the thread that was sent the signal',
    'wait_for(&s); use(d);',
    'd = 1; pthread_kill(t[0], SIGUSR1);',
  ),
  handled(
    'a signal is waited for',
    'int n; sigwait(&awaited, &n); assert(n == SIGUSR2); d = 2;',
    'd = 1; pthread_kill(t[0], SIGUSR2);',
  ),
  handled('a signal to the process', 'd = 1; kill(getpid(), SIGUSR2);', 'int n; sigwait(&awaited, &n); d = 2;'),
  handled('a timer sends a signal', 'alarm(1); wait_for(&s);', ''),
  handled('a timer starts a thread', 'start_timer(); sem_wait(&s); use(d);', ''),
  handled('a signal ends a pause', 'while (!stopped) pause();', 'pthread_kill(t[0], SIGTERM);'),
  handled(
    'a signal ends a read that is not restarted',
    'char x; int from = ends[0]; while (!stopped) if (read(from, &x, 1) < 0) assert(errno == EINTR);',
    'pthread_kill(t[0], SIGTERM);',
  ),
  orders('a thread that reads can be cancelled', 'char x; read(ends[0], &x, 1); assert(0);', 'pthread_cancel(t[0]);'),
  races(
    'an exchange that fails has the weaker order',
    'd = 1; store(&f, 1, release);',
    'int e = 0; if (!atomic_compare_exchange_strong_explicit(&f, &e, 5, memory_order_acquire, memory_order_relaxed)) d = 2;',
  ),
  {
    name: 'an atomic access and a plain one',
    first: 'store(&f, 1, relaxed);',
    second: '*(int *)&f = 2;',
    ends: ['race'],
  },
  { name: 'neighbouring bytes', first: 'pair.a = 1;', second: 'pair.b = 2;', ends: ['finished'] },
  {
    name: 'a free is a write',
    first: 'use(*p);',
    second: 'free(p);',
    before: 'p = malloc(4); *p = 0;',
    ends: ['race'],
  },
  orders(
    'an atomic block',
    '__VERIFIER_atomic_begin(); d = 1; __VERIFIER_atomic_end();',
    '__VERIFIER_atomic_begin(); d = 2; __VERIFIER_atomic_end();',
  ),
  {
    name: 'join orders, create too',
    first: 'd = d + 1;',
    second: '',
    before: 'd = 1;',
    after: 'assert(d == 2);',
    ends: ['finished'],
  },
  // ---- mutexes
  { name: 'locking twice is a deadlock', first: 'lock(&m); lock(&m);', second: '', ends: ['deadlock'] },
  {
    name: 'a recursive lock is free when it was unlocked as often',
    first: 'lock(&again); lock(&again); unlock(&again); store(&f, 1, release); unlock(&again);',
    second: 'if (load(&f, acquire) == 1 && !pthread_mutex_trylock(&again)) { store(&f, 2, release); unlock(&again); }',
    after: 'assert(f == 1);',
    ends: ['assert', 'finished'],
  },
  {
    name: 'and not before',
    first: 'lock(&again); lock(&again); unlock(&again); store(&f, 1, release); store(&f, 0, release); unlock(&again);',
    second: 'if (!pthread_mutex_trylock(&again)) { assert(load(&f, acquire) == 0); unlock(&again); }',
    ends: ['finished'],
  },
  {
    name: 'an error-checking lock tells',
    first:
      'assert(unlock(&checked) == EPERM); lock(&checked); assert(lock(&checked) == EDEADLK); assert(pthread_mutex_trylock(&checked) == EBUSY); assert(unlock(&checked) == 0);',
    second: '',
    ends: ['finished'],
  },
  {
    name: 'only the owner unlocks it',
    first: 'lock(&checked); sem_post(&s); pthread_barrier_wait(&b); unlock(&checked);',
    second: 'sem_wait(&s); assert(unlock(&checked) == EPERM); pthread_barrier_wait(&b);',
    ends: ['finished'],
  },
  orders('a robust lock that nobody mends is lost', 'lock(&robust);', LOST),
  orders(
    'a routine that leaves runs again',
    'pthread_once(&o, leave);',
    'pthread_join(t[0], 0); pthread_once(&o, set); assert(d == 1);',
  ),
  {
    name: 'a robust lock outlives its owner',
    first: 'lock(&robust);',
    second:
      'pthread_join(t[0], 0); assert(lock(&robust) == EOWNERDEAD); pthread_mutex_consistent(&robust); unlock(&robust);',
    after: 'return 0;',
    ends: ['finished'],
  },
  {
    name: 'a spin lock excludes',
    first: 'pthread_spin_lock(&spin); d = 1; assert(d == 1); d = 0; pthread_spin_unlock(&spin);',
    second: 'pthread_spin_lock(&spin); d = 2; assert(d == 2); d = 0; pthread_spin_unlock(&spin);',
    ends: ['finished'],
  },
  {
    name: 'readers may be two, a writer is alone',
    first:
      'pthread_rwlock_rdlock(&r); atomic_fetch_add(&f, 1); assert(load(&f, acquire) != 2); atomic_fetch_sub(&f, 1); pthread_rwlock_unlock(&r);',
    second: 'pthread_rwlock_rdlock(&r); atomic_fetch_add(&f, 1); atomic_fetch_sub(&f, 1); pthread_rwlock_unlock(&r);',
    ends: ['assert', 'finished'],
  },
  {
    name: 'a writer keeps readers out',
    first: 'pthread_rwlock_wrlock(&r); store(&f, 1, release); store(&f, 0, release); pthread_rwlock_unlock(&r);',
    second: 'pthread_rwlock_rdlock(&r); assert(load(&f, acquire) == 0); pthread_rwlock_unlock(&r);',
    ends: ['finished'],
  },
  {
    name: 'readers keep a writer out',
    first: 'pthread_rwlock_rdlock(&r); store(&f, 1, release); store(&f, 0, release); pthread_rwlock_unlock(&r);',
    second: 'pthread_rwlock_wrlock(&r); assert(load(&f, acquire) == 0); pthread_rwlock_unlock(&r);',
    ends: ['finished'],
  },
  // ---- conditions
  {
    name: 'a signal that nobody waits for is lost',
    first: 'pthread_cond_signal(&c);',
    second: 'lock(&m); pthread_cond_wait(&c, &m); unlock(&m);',
    ends: ['deadlock', 'finished'],
  },
  {
    name: 'one signal wakes one',
    first: 'lock(&m); sem_post(&s); pthread_cond_wait(&c, &m); unlock(&m);',
    second: 'lock(&m); sem_post(&s); pthread_cond_wait(&c, &m); unlock(&m);',
    after: '',
    before: 'signals = 1;',
    ends: ['deadlock'],
  },
  {
    name: 'a broadcast wakes all',
    first: 'lock(&m); sem_post(&s); pthread_cond_wait(&c, &m); unlock(&m);',
    second: 'lock(&m); sem_post(&s); pthread_cond_wait(&c, &m); unlock(&m);',
    before: 'signals = 2;',
    ends: ['finished'],
  },
  {
    name: 'a wait gives the mutex away and takes it again',
    first:
      'lock(&m); while (!d) pthread_cond_wait(&c, &m); assert(pthread_mutex_trylock(&m) == EBUSY); d = 2; unlock(&m);',
    second: 'lock(&m); d = 1; pthread_cond_signal(&c); assert(d == 1); unlock(&m);',
    ends: ['finished'],
  },
  {
    name: 'a wait with a limit may end by it',
    first:
      'struct timespec limit = { 1, 0 }; lock(&m); int e = pthread_cond_timedwait(&c, &m, &limit); assert(e == 0 || e == ETIMEDOUT); assert(e == 0); unlock(&m);',
    second: 'lock(&m); pthread_cond_signal(&c); unlock(&m);',
    ends: ['assert', 'finished'],
  },
  // ---- assumptions stop their own thread
  {
    name: 'an assumption that does not hold stops its own thread only',
    first: 'store(&f, 1, release); assume_abort_if_not(0); store(&f, 0, release);',
    second:
      'for (int i = 0; i < 4; i++) store(&f, 2 + load(&f, acquire) % 2, release); assert(load(&f, acquire) == 2);',
    ends: ['assert', 'stopped'],
  },
  // ---- semaphores, barriers
  { name: 'a semaphore counts', first: 'sem_wait(&s); sem_wait(&s);', second: 'sem_post(&s);', ends: ['deadlock'] },
  {
    name: 'a barrier has one last',
    first:
      'if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&f, 1); pthread_barrier_wait(&b);',
    second:
      'if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&f, 1); pthread_barrier_wait(&b); assert(load(&f, acquire) == 1);',
    ends: ['finished'],
  },
  { name: 'a barrier waits for all', first: 'pthread_barrier_wait(&b);', second: '', ends: ['deadlock'] },
]

const PROGRAM = `#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#define lock pthread_mutex_lock
#define unlock pthread_mutex_unlock
#define load(p, o) atomic_load_explicit(p, memory_order_##o)
#define store(p, v, o) atomic_store_explicit(p, v, memory_order_##o)
#define fence(o) atomic_thread_fence(memory_order_##o)
#define use(v) ((void)*(volatile int *)&(v))
int d, signals, *p;
struct { char a, b; } pair;
atomic_int f;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, again, checked, robust;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
pthread_barrier_t b;
pthread_once_t o = PTHREAD_ONCE_INIT;
sem_t s;
pthread_t t[2];
static void set(void) { d = 1; }
static void leave(void) { pthread_exit(0); }
int ends[2], more[2], counter;
sem_t *named;
sigset_t awaited;
volatile sig_atomic_t stopped;
static void handle(int number) { if (number == SIGTERM) stopped = 1; else sem_post(&s); }
static void handle_by(int number, int flags) { struct sigaction a = { .sa_handler = handle, .sa_flags = flags }; sigaction(number, &a, 0); }
static void handlers(void) {
  handle_by(SIGUSR1, 0);
  handle_by(SIGALRM, SA_RESTART);
  handle_by(SIGTERM, 0);
}
static void wait_for(sem_t *semaphore) { while (sem_wait(semaphore) && errno == EINTR) {} }
static void in_thread(union sigval value) { d = value.sival_int; sem_post(&s); }
static void start_timer(void) {
  struct sigevent e = { .sigev_notify = SIGEV_THREAD, .sigev_value = { .sival_int = 3 } };
  struct itimerspec when = { .it_value = { 0, 1000 } };
  timer_t timer;
  e.sigev_notify_function = in_thread;
  d = 1;
  timer_create(CLOCK_MONOTONIC, &e, &timer);
  timer_settime(timer, 0, &when, 0);
}
static void map(void) {
  int *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  page[0] = 1;
  page[5] = 2;
  munmap(page, 4096);
}
static void assume_abort_if_not(int condition) { if (!condition) abort(); }
static void init(pthread_mutex_t *mutex, int type, int robust) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, type);
  if (robust) pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(mutex, &a);
}
static void wake(void) {
  sem_wait(&s);
  sem_wait(&s);
  lock(&m);
  if (signals == 1) pthread_cond_signal(&c); else pthread_cond_broadcast(&c);
  unlock(&m);
}
${CASES.map(({ first, second }, i) => `static void *a${i}(void *u) { ${first} return 0; }\nstatic void *b${i}(void *u) { ${second} return 0; }`).join('\n')}
int main(void) {
  init(&again, PTHREAD_MUTEX_RECURSIVE, 0);
  init(&checked, PTHREAD_MUTEX_ERRORCHECK, 0);
  init(&robust, PTHREAD_MUTEX_NORMAL, 1);
  pthread_spin_init(&spin, 0);
  pthread_barrier_init(&b, 0, 2);
  sem_init(&s, 0, 0);
  pipe(ends);
  pipe(more);
  counter = eventfd(0, 0);
  named = sem_open("/rules", O_CREAT, 0600, 1);
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &awaited, 0);
  switch (__VERIFIER_nondet_int()) {
${CASES.map(
  ({ before = '', after = '' }, i) =>
    `  case ${i}: ${before} pthread_create(&t[0], 0, a${i}, 0); pthread_create(&t[1], 0, b${i}, 0); if (signals) wake(); pthread_join(t[1], 0); ${after.startsWith('return') ? after : `pthread_join(t[0], 0); ${after}`} break;`,
).join('\n')}
  }
  return 0;
}
`

const RUN: RunRequest = { ...BASE, checks: CHECKS.races, length: 16, spurious: 0 }
const SCHEDULES = 60n

const endsOf = async (runner: Runner, number: number): Promise<readonly Outcome[]> => {
  const seen = new Set<Outcome>()
  for (let seed = 1n; seed <= SCHEDULES; seed++) {
    const policy = seed % 2n === 0n ? 'random' : 'pct'
    const values = [{ thread: 0, value: BigInt(number) }]
    seen.add((await runner.run({ ...RUN, policy, seed, values })).outcome)
  }
  return [...seen].sort()
}

describe.skipIf(!hasCompiler)(`rules of the runtime${hasCompiler ? '' : ` (${SKIPPED})`}`, { timeout: 120_000 }, () => {
  it('each case ends in every way that it may, and in no other', async () => {
    const found = await withProgram(PROGRAM, async (runner) => {
      const results: (readonly [string, string])[] = []
      for (const [number, { name }] of CASES.entries()) results.push([name, (await endsOf(runner, number)).join()])
      return results
    })
    expect(found).toEqual(CASES.map(({ name, ends }) => [name, [...ends].sort().join()]))
  })
})
