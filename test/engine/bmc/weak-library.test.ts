// What pthread functions order under rc11: to take a lock acquires and to give it back releases (C11, 7.26.4; POSIX),
// whoever merely sees a lock held is told nothing, and each call is atomic however many cells it accesses.
import { beforeAll, describe, expect, it } from 'vitest'
import { bmcEngine } from '../../../src/engine/bmc/index.js'
import { graphsEngine } from '../../../src/engine/graphs/index.js'
import type { Engine } from '../../../src/engine/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { builtInModel } from '../../../src/memory-model/index.js'
import { reasonText } from '../../../src/output/reason.js'
import type { Property } from '../../../src/property/index.js'
import { createSmt, type Smt } from '../../../src/smt/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

let parser: CParser
let smt: Smt
const model = builtInModel('rc11')
beforeAll(async () => {
  parser = await testParser()
  smt = await createSmt('auto')
})

const verdict = (text: string, property: Property, engine: Engine = bmcEngine): string => {
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'rc11', spuriousWakeups: true } as const
  const task = { raw: compileProgram(parser, text), property, settings, smt, model }
  const result = engine.verify(task, {}, { stopped: () => undefined, progress: () => {} })
  return result.verdict === 'unknown' ? reasonText(result.reason) : result.verdict
}

const twoThreads = (first: string, second: string, end = ''): string => `
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <assert.h>
int data, seen; atomic_int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier; sem_t sem;
#define RELAXED(x) atomic_load_explicit(&x, memory_order_relaxed)
void *one(void *a) { ${first} return 0; }
void *two(void *a) { ${second} return 0; }
int main(void) {
  pthread_barrier_init(&barrier, 0, 2); sem_init(&sem, 0, 0);
  pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  pthread_join(a, 0); pthread_join(b, 0); ${end} return 0;
}`

describe('races', () => {
  it.each([
    {
      what: 'a trylock that fails tells nothing',
      first: 'data = 1; pthread_mutex_lock(&m);',
      second: 'if (pthread_mutex_trylock(&m)) seen = data;',
      expected: 'false',
    },
    {
      what: 'a trylock that succeeds acquires',
      first: 'pthread_mutex_lock(&m); data = 1; pthread_mutex_unlock(&m);',
      second: 'if (!pthread_mutex_trylock(&m)) seen = data;',
      expected: 'true',
    },
    {
      what: 'to take a lock for reading does not release',
      first: 'data = 1; pthread_rwlock_rdlock(&rw); atomic_store_explicit(&flag, 1, memory_order_relaxed);',
      second: 'if (RELAXED(flag)) { pthread_rwlock_rdlock(&rw); seen = data; }',
      expected: 'false',
    },
    {
      what: 'a read-write lock orders a writer and a reader',
      first: 'pthread_rwlock_wrlock(&rw); data = 1; pthread_rwlock_unlock(&rw);',
      second: 'pthread_rwlock_rdlock(&rw); seen = data; pthread_rwlock_unlock(&rw);',
      expected: 'true',
    },
    {
      what: 'a barrier orders',
      first: 'data = 1; pthread_barrier_wait(&barrier);',
      second: 'pthread_barrier_wait(&barrier); seen = data;',
      expected: 'true',
    },
    {
      what: 'a semaphore orders',
      first: 'data = 1; sem_post(&sem);',
      second: 'sem_wait(&sem); seen = data;',
      expected: 'true',
    },
    {
      what: "a look at a semaphore's value orders nothing",
      first: 'data = 1; sem_post(&sem);',
      second: 'int v; sem_getvalue(&sem, &v); if (v) seen = data;',
      expected: 'false',
    },
  ])('$what', ({ first, second, expected }) => {
    expect(verdict(twoThreads(first, second), 'no-data-race')).toBe(expected)
  })

  it('a fence whose order is computed orders nothing that is known', () => {
    const text = twoThreads(
      'data = 1; atomic_thread_fence(seen + 3); atomic_store_explicit(&flag, 1, memory_order_relaxed);',
      'if (atomic_load_explicit(&flag, memory_order_acquire)) seen = data;',
    )
    expect(verdict(text, 'no-data-race')).toContain('a memory order that is computed when the program runs')
  })

  it('a weak compare-exchange that fails for no reason has the order of its failure', () => {
    const text = twoThreads(
      'data = 1; atomic_store_explicit(&flag, 1, memory_order_release);',
      'int e = 1; if (!atomic_compare_exchange_weak_explicit(&flag, &e, 2, memory_order_acquire, memory_order_relaxed) && e == 1) seen = data;',
    )
    expect(verdict(text, 'no-data-race')).toBe('false')
    expect(verdict(text, 'no-data-race', graphsEngine)).not.toBe('true')
  })
})

describe('calls that access several cells are atomic', () => {
  const locked = (lock: string, work: string): string =>
    `pthread_rwlock_${lock}(&rw); ${work} pthread_rwlock_unlock(&rw);`
  it.each([
    ['wrlock', 'true'],
    ['rdlock', 'false'],
  ])('two threads that count under %s: %s', (lock, expected) => {
    const text = twoThreads(locked(lock, 'data++;'), locked(lock, 'data++;'), 'assert(data == 2);')
    expect(verdict(text, 'assert')).toBe(expected)
  })

  it('a reader and a writer are never inside together', () => {
    const text = twoThreads(locked('wrlock', 'data = 1; data = 0;'), locked('rdlock', 'assert(data == 0);'))
    expect(verdict(text, 'assert')).toBe('true')
  })
})
