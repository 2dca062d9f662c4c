// A search that says it has seen every order has seen every outcome: what a program can end with, by the rules of C and
// POSIX, against what the systematic search has met. Each program ends by telling its result.
import { expect, it } from 'vitest'
import { Exploration, type Runner, type RunRequest } from '../../src/native/index.js'
import { BASE, hasCompiler, SKIPPED, withProgram } from './harness.js'

const RUN: RunRequest = { ...BASE, record: 1 }

/** The outcomes that the search has seen by the time it calls itself complete. */
const outcomes = async (runner: Runner, checks: number): Promise<readonly string[]> => {
  const exploration = new Exploration([0n, 1n])
  const seen = new Set<string>()
  for (let beginning = exploration.take(); beginning; beginning = exploration.take()) {
    const { segments, values } = beginning
    const answer = await runner.run({ ...RUN, checks, segments, values }, exploration.knows)
    exploration.learn(beginning, answer)
    seen.add(answer.outcome === 'finished' ? answer.address.toString(16) : answer.outcome)
    if (seen.size > 100) throw new Error('more outcomes than any of these programs has')
  }
  expect(exploration.isComplete).toBe(true)
  return [...seen].sort()
}

const HEAD = `#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
extern void __heddle_outcome(unsigned long long);
#define START(t, f, a) pthread_create(&t, 0, f, (void *)(a))
pthread_t t, u, self;
int x, y, z;
`

interface Case {
  readonly name: string
  readonly text: string
  readonly expected: readonly string[]
  readonly checks?: number
}

const CASES: readonly Case[] = [
  {
    name: 'inputs that lead through the same steps',
    text: `int main(void) { x = __VERIFIER_nondet_int(); y = __VERIFIER_nondet_int(); __heddle_outcome(x * 16 + y); }`,
    expected: ['0', '1', '10', '11'],
  },
  {
    name: 'a semaphore that is taken and given back',
    text: `sem_t s;
      void *f(void *p) { sem_wait(&s); y = x; sem_post(&s); return p; }
      int main(void) {
        sem_init(&s, 0, 1); START(t, f, 0);
        sem_wait(&s); x = 1; sem_post(&s);
        pthread_join(t, 0); __heddle_outcome(y);
      }`,
    expected: ['0', '1'],
  },
  {
    name: 'sem_trywait beside sem_wait',
    text: `sem_t s;
      void *f(void *p) { sem_wait(&s); x = 1; sem_post(&s); return p; }
      int main(void) {
        sem_init(&s, 0, 1); START(t, f, 0);
        if (sem_trywait(&s) == 0) { y = x; sem_post(&s); } else y = 2;
        pthread_join(t, 0); __heddle_outcome(y);
      }`,
    expected: ['0', '1', '2'],
  },
  {
    name: 'a recursive mutex that is unlocked once too often',
    text: `pthread_mutex_t m;
      void *f(void *p) { pthread_mutex_lock(&m); x = y; pthread_mutex_unlock(&m); return p; }
      int main(void) {
        pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&m, &a); START(t, f, 0);
        pthread_mutex_lock(&m); pthread_mutex_unlock(&m); z = pthread_mutex_unlock(&m) == EPERM; y = 1;
        pthread_join(t, 0); __heddle_outcome(z * 16 + x);
      }`,
    expected: ['10', '11'],
  },
  {
    name: 'a wait that wakes by itself, before and after the signal',
    text: `pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
      void *f(void *p) {
        pthread_mutex_lock(&m); x = 1; pthread_cond_wait(&c, &m); y = z; pthread_mutex_unlock(&m); return p;
      }
      int main(void) {
        START(t, f, 0);
        pthread_mutex_lock(&m); z = 1; if (x) z = 2; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
        pthread_join(t, 0); __heddle_outcome(y * 16 + z);
      }`,
    // 11: it begins to wait after the signal, and wakes by itself; 2: it wakes by itself before main has the mutex.
    expected: ['11', '2', '22', 'deadlock'],
  },
  {
    name: 'pthread_tryjoin_np against the end of the thread',
    text: `int pthread_tryjoin_np(pthread_t thread, void **result);
      void *f(void *p) { return p; }
      int main(void) { START(t, f, 0); x = pthread_tryjoin_np(t, 0); __heddle_outcome(x == EBUSY); }`,
    expected: ['0', '1'],
  },
  {
    name: 'two threads that join each other: the C library tells one of them',
    text: `void *f(void *p) { x = pthread_join(self, 0) == EDEADLK; return p; }
      int main(void) { self = pthread_self(); START(t, f, 0); y = pthread_join(t, 0) == EDEADLK; __heddle_outcome(y * 16 + x); }`,
    expected: ['1', '10'],
  },
  {
    name: 'free is a write for other threads',
    text: `void *f(void *p) { free(p); return 0; }
      int main(void) { int *p = calloc(1, 4); START(t, f, p); x = *p; pthread_join(t, 0); __heddle_outcome(x); }`,
    expected: ['0', 'invalid-access'],
    checks: 2,
  },
  {
    name: 'what goes through a pipe',
    text: `int ends[2];
      void *f(void *p) { char c = (char)(long)p; return (void *)write(ends[1], &c, 1); }
      int main(void) {
        char a = 0, b = 0;
        if (pipe(ends)) return 1;
        START(t, f, 1); START(u, f, 2);
        if (read(ends[0], &a, 1) != 1 || read(ends[0], &b, 1) != 1) return 1;
        __heddle_outcome(a * 16 + b);
      }`,
    expected: ['12', '21'],
  },
  {
    name: 'a thread that is cancelled early or late',
    text: `void *f(void *p) { x = 1; pthread_testcancel(); x = 2; pthread_testcancel(); x = 3; return p; }
      int main(void) { START(t, f, 0); pthread_cancel(t); pthread_join(t, 0); __heddle_outcome(x); }`,
    expected: ['1', '2', '3'],
  },
  {
    name: 'a structure that is copied from another',
    text: `struct pair { int a, b; } p = { 1, 2 }, q;
      void *f(void *a) { q.b = 5; return a; }
      int main(void) { START(t, f, 0); q = p; pthread_join(t, 0); __heddle_outcome(q.a * 16 + q.b); }`,
    expected: ['12', '15'],
  },
]

it.skipIf(!hasCompiler).each(CASES)(
  `complete: $name (${SKIPPED})`,
  { timeout: 30_000 },
  async ({ text, expected, checks = 0 }) => {
    expect(await withProgram(HEAD + text, (runner) => outcomes(runner, checks))).toEqual(expected)
  },
)

it.skipIf(!hasCompiler || process.arch !== 'x64')(
  `the copy of a structure is one unit, other statements are not (${SKIPPED}; x86-64 only)`,
  { timeout: 30_000 },
  async () => {
    const unitsOf = (statements: string): Promise<number> =>
      withProgram(
        `${HEAD} struct pair { int a, b; } p, q; int main(void) { ${statements} __heddle_outcome(0); }`,
        async (runner) => {
          const { log } = await runner.run(RUN)
          return Array.from({ length: log.length }, (_, at) => log.isOneWithLast(at)).filter(Boolean).length
        },
      )
    expect(await unitsOf('q = p;')).toBe(1)
    expect(await unitsOf('x = 1; y = z; x = y; *(volatile int *)&x = z;')).toBe(0)
  },
)

it.skipIf(!hasCompiler)(
  `a thread that goes round for ever lets those begin that it has created (${SKIPPED})`,
  { timeout: 30_000 },
  async () => {
    const text = 'void *f(void *p) { y = x; return p; } int main(void) { START(t, f, 0); while (!z) x = 0; return 0; }'
    await withProgram(HEAD + text, async (runner) => {
      const races = async (policy: 'random' | 'pct'): Promise<boolean> => {
        for (let seed = 1n; seed <= 20n; seed++)
          if ((await runner.run({ ...BASE, checks: 1, policy, seed })).outcome === 'race') return true
        return false
      }
      expect(await races('random')).toBe(true)
      expect(await races('pct')).toBe(true)
    })
  },
)
