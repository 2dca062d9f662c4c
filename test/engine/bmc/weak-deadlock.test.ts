// Deadlocks under memory models: whoever waits for a lock sees its last value, whatever else was read was read by the model.
import { describe, expect, it } from 'vitest'
import { bmcEngine } from '../../../src/engine/bmc/index.js'
import { builtInModel, type ModelName } from '../../../src/memory-model/index.js'
import { reasonText } from '../../../src/output/reason.js'
import type { Property } from '../../../src/property/index.js'
import { createSmt } from '../../../src/smt/index.js'
import type { Result } from '../../../src/verdict/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

const parser = await testParser()
const smt = await createSmt('auto')

const decide = (text: string, memoryModel: ModelName, property: Property = 'no-deadlock'): Result => {
  const settings = { arith: 'auto', solver: 'auto', memoryModel, spuriousWakeups: true } as const
  const task = { raw: compileProgram(parser, text), property, settings, smt, model: builtInModel(memoryModel) }
  return bmcEngine.verify(task, {}, { stopped: () => undefined, progress: () => {} })
}
const verdict = (text: string, memoryModel: ModelName): string => {
  const result = decide(text, memoryModel)
  return result.verdict === 'unknown' ? reasonText(result.reason) : result.verdict
}

const twoThreads = (first: string, second: string): string => `
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#define LOAD(x, o) atomic_load_explicit(&x, memory_order_##o)
#define STORE(x, o) atomic_store_explicit(&x, 1, memory_order_##o)
#define LOCK(m) pthread_mutex_lock(&m);
#define UNLOCK(m) pthread_mutex_unlock(&m);
atomic_int x, y; sem_t sem;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *one(void *a) { ${first} return 0; }
void *two(void *a) { ${second} return 0; }
int main(void) {
  sem_init(&sem, 0, 0);
  pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  pthread_join(a, 0); pthread_join(b, 0); return 0;
}`

/** Locks in opposite orders, unless the one sees the other: store buffering. */
const opposite = (order: string): string =>
  twoThreads(
    `STORE(x, ${order}); if (!LOAD(y, ${order})) { LOCK(m) LOCK(n) UNLOCK(n) UNLOCK(m) }`,
    `STORE(y, ${order}); if (!LOAD(x, ${order})) { LOCK(n) LOCK(m) UNLOCK(m) UNLOCK(n) }`,
  )
/** Waits for nobody if a message arrives before what it announces. */
const message = (order: string): string =>
  twoThreads(`STORE(x, relaxed); STORE(y, ${order});`, 'if (LOAD(y, acquire) && !LOAD(x, relaxed)) sem_wait(&sem);')
const wakeUp = (before: string, after: string): string =>
  twoThreads(
    `${before} STORE(x, relaxed); pthread_cond_signal(&c); ${after}`,
    'LOCK(m) if (!LOAD(x, relaxed)) pthread_cond_wait(&c, &m); UNLOCK(m)',
  )

describe('no-deadlock', () => {
  it.each([
    { what: 'locks in opposite orders after relaxed flags', text: opposite('relaxed'), rc11: 'false', sc: 'true' },
    { what: 'locks in opposite orders after seq_cst flags', text: opposite('seq_cst'), rc11: 'true', sc: 'true' },
    { what: 'a relaxed message', text: message('relaxed'), rc11: 'false', sc: 'true' },
    { what: 'a released message', text: message('release'), rc11: 'true', sc: 'true' },
    { what: 'a signal without the mutex', text: wakeUp('', ''), rc11: 'false', sc: 'false' },
    { what: 'a signal under the mutex', text: wakeUp('LOCK(m)', 'UNLOCK(m)'), rc11: 'true', sc: 'true' },
    { what: 'a loop that waits', text: twoThreads('while (!LOAD(x, relaxed));', ''), rc11: 'true', sc: 'true' },
  ])('$what: rc11 $rc11, sc $sc', ({ text, rc11, sc }) => {
    expect([verdict(text, 'rc11'), verdict(text, 'sc')]).toEqual([rc11, sc])
  })

  it('says who waits where', () => {
    const result = decide(opposite('relaxed'), 'rc11')
    if (result.verdict !== 'false') throw new Error(result.verdict)
    const notes = result.execution!.notes!.join('\n')
    expect(notes).toContain('thread 1 waits for ever at line 12: pthread_mutex_lock(&n)')
    expect(notes).toContain('thread 2 waits for ever at line 13: pthread_mutex_lock(&m)')
  })
})

describe('what is no matter of single executions is refused by name', () => {
  it.each(['termination', 'valid-memsafety'] as const)('%s', (property) => {
    const result = decide(twoThreads('while (!LOAD(x, relaxed));', ''), 'rc11', property)
    expect(result.verdict === 'unknown' && reasonText(result.reason)).toContain(`${property} under a memory model`)
  })
})
