// What a person is told of a violation: both accesses of a race with threads and locks, the circle of a deadlock, a main
// that has ended and leaves threads waiting, the step that uses freed memory.
import { expect, test } from 'vitest'
import { explicitEngine } from '../../src/engine/explicit/index.js'
import type { Property } from '../../src/property/index.js'
import { interpreterOf, minimise, replayWith } from '../../src/semantics/index.js'
import { type TraceReport, tellTrace } from '../../src/verdict/index.js'
import { compiled } from './run.js'

const told = async (text: string, property: Property): Promise<TraceReport> => {
  const raw = await compiled(text, property)
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: () => undefined, progress: () => {} }
  const result = explicitEngine.verify({ raw, property, settings }, { por: 'both' }, env)
  if (result.verdict !== 'false') throw new Error(result.verdict)
  const interpreter = interpreterOf(raw)
  const replayed = replayWith(interpreter, result.trace, property)
  return tellTrace(minimise(interpreter, replayed, result.trace, property), interpreter.layout)
}

test('a race: both accesses, both threads, the locks that each holds', async () => {
  const { headline, details } = await told(
    `#include <pthread.h>
int balance; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *locked(void *arg) { pthread_mutex_lock(&m); balance = 1; pthread_mutex_unlock(&m); return 0; }
void *careless(void *arg) { balance = 2; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, locked, 0); pthread_create(&b, 0, careless, 0); return 0; }`,
    'no-data-race',
  )
  expect(headline).toBe('data race on balance')
  expect(details).toEqual([
    'T1 locked writes balance at program.c:3 (balance = 1), holding m',
    'T2 careless writes balance at program.c:4 (balance = 2), holding no lock',
  ])
})

test('a race of two readers: a lock that is held for reading, and not one that was given back', async () => {
  const { details } = await told(
    `#include <pthread.h>
int hits; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
void *one(void *arg) { pthread_rwlock_rdlock(&l); hits = 1; pthread_rwlock_unlock(&l); return 0; }
void *two(void *arg) { pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); hits = 2; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0); return 0; }`,
    'no-data-race',
  )
  expect(details).toEqual([
    'T1 one writes hits at program.c:3 (hits = 1), holding l for reading',
    'T2 two writes hits at program.c:4 (hits = 2), holding no lock',
  ])
})

const DEADLOCK = (end: string): string => `#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 0; }
void *two(void *arg) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  ${end} }`

test('a deadlock: the circle, what everybody waits for and who holds it', async () => {
  const { headline, story, details } = await told(DEADLOCK('pthread_join(a, 0); pthread_join(b, 0);'), 'no-deadlock')
  expect(headline).toBe('deadlock: every thread waits')
  expect(story).toBe('The threads wait in a circle: T1 one waits for T2 two, which waits for T1 one.')
  expect(details).toEqual([
    'main waits at program.c:6 for T1 one to end',
    'T1 one waits at program.c:3 for n, held by T2 two',
    'T2 two waits at program.c:4 for m, held by T1 one',
  ])
})

test('a main that has ended and leaves threads blocked is told apart', async () => {
  const { headline } = await told(DEADLOCK('pthread_exit(0);'), 'no-deadlock')
  expect(headline).toBe('deadlock: main has ended, but other threads wait for ever')
})

test('freed memory: where it was allocated, and the step that uses it comes last', async () => {
  const { headline, steps } = await told(
    `#include <pthread.h>
#include <stdlib.h>
int *shared;
void *user(void *arg) { *shared = 1; return 0; }
int main(void) {
  pthread_t t;
  shared = malloc(4);
  pthread_create(&t, 0, user, 0);
  free(shared);
  pthread_join(t, 0); }`,
    'valid-memsafety',
  )
  expect(headline).toBe('invalid access: what line 7 allocated was freed before')
  expect(steps.slice(-2).map(({ thread, line, fails }) => ({ thread, line, fails }))).toEqual([
    { thread: 0, line: 9, fails: undefined },
    { thread: 1, line: 4, fails: true },
  ])
})
