// RuleSafety: verdicts with and without reduction, threads of unknown number, answers that the abstraction cannot give.
import { describe, expect, test } from 'vitest'
import { p1, p2, stack, twostage } from '../../../bench/redcomp/programs.js'
import type { HornCertificate } from '../../../src/certificate/index.js'
import { hornText } from '../../../src/engine/redcomp/horn-text.js'
import { reduce } from '../../../src/engine/redcomp/program/reduce.js'
import { specialise } from '../../../src/engine/redcomp/program/specialise.js'
import { stateSpace } from '../../../src/engine/redcomp/program/state.js'
import { withoutConditions } from '../../../src/engine/redcomp/safety/forget.js'
import { ruleSafety } from '../../../src/engine/redcomp/safety/rule-safety.js'
import { reasonText } from '../../../src/output/reason.js'
import { errorsOf } from '../../../src/property/index.js'
import type { Result } from '../../../src/verdict/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { createEncoding } from '../../../src/xcfa/terms/index.js'
import { rawOf, run, threadsOf } from './support.js'

const verdict = async (text: string, options: Record<string, string> = {}): Promise<string> => {
  const result = await run(text, options)
  return result.verdict === 'unknown' ? `unknown: ${reasonText(result.reason)}` : result.verdict
}

describe('programs of the paper', () => {
  test.each([
    ['P1-1', p1(1), 'true'],
    ['P1-1 with a claim that thread 2 before thread 1 breaks', p1(1, true), 'false'],
    ['P1-5', p1(5), 'true'],
    ['P2-1', p2(1), 'true'],
    ['stack, safe', stack(3, true), 'true'],
    ['stack, unsafe', stack(3, false), 'false'],
    ['twostage', twostage(1), 'false'],
  ])('%s', async (_, text, expected) => {
    expect(await verdict(text)).toBe(expected)
  })
})

const LOCKED = (start: string): string => `
#include <assert.h>
#include <pthread.h>
int busy = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  pthread_mutex_lock(&m);
  busy = busy + 1;
  assert(busy == 1);
  busy = busy - 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  ${start}
  return 0;
}`
const ONCE = 'pthread_create(&t, 0, worker, 0);'
const FOREVER = `while (1) ${ONCE}`
const unlocked = (text: string): string => text.replaceAll(/pthread_mutex_(un)?lock\(&m\);/g, '')

describe('threads of any number', () => {
  test('mutual exclusion holds however many there are', async () => {
    expect(await verdict(LOCKED(FOREVER))).toBe('true')
  })

  test('one instance is not disturbed by itself, a second one is', async () => {
    expect(await verdict(unlocked(LOCKED(ONCE)))).toBe('true')
    expect(await verdict(unlocked(LOCKED(ONCE + ONCE)))).toBe('false')
  })

  test('two at a time, too, and never where they break it', async () => {
    expect(await verdict(LOCKED(FOREVER), { view: 'pairs' })).toBe('true')
    expect(await verdict(unlocked(LOCKED(FOREVER)), { view: 'pairs', 'horn-limit': '3000' })).toMatch(/^unknown/)
  })

  test('where many threads break it, the abstraction says unknown, never false', async () => {
    expect(await verdict(unlocked(LOCKED(FOREVER)), { 'horn-limit': '3000' })).toMatch(/^unknown/)
  })

  test('a loop of known length starts threads of their own', async () => {
    const { threads } = await threadsOf(LOCKED(`for (int i = 0; i < 3; i++) ${ONCE}`))
    expect(threads.map((t) => t.number)).toEqual([0, 1, 2, 3])
  })
})

test('the view by threads proves what the view of everything proves', async () => {
  expect(await verdict(LOCKED(ONCE + ONCE), { view: 'threads' })).toBe('true')
  expect(await verdict(LOCKED(ONCE + ONCE), { view: 'all', reduction: 'off' })).toBe('true')
})

test('signed overflow is not assumed away', async () => {
  const overflow = `
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { int a = __VERIFIER_nondet_int(); if (a > 0) { int b = a + 1; assert(b > a); } return 0; }`
  expect(await verdict(overflow)).not.toBe('true')
})

test('clauses as SMT-LIB: one assertion a clause, in logic HORN', async () => {
  const space = stateSpace(reduce(await threadsOf(LOCKED(ONCE))), createEncoding('int'))
  const { rules } = ruleSafety(space, { overflow: true, counters: true, owners: true, counts: false })
  const text = hornText(rules)
  expect(text.startsWith('(set-logic HORN)\n')).toBe(true)
  expect(text.match(/^\(assert /gm)!.length).toBe(rules.length)
})

/** One hands over, the other waits for it; `wait` is how. */
const handOver = (wait: string): string => `
#include <assert.h>
#include <pthread.h>
int full = 0, value = 0;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
void *giver(void *argument) {
  pthread_mutex_lock(&m);
  value = 7;
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, giver, 0);
  pthread_mutex_lock(&m);
  ${wait} (!full) pthread_cond_wait(&filled, &m);
  assert(value == 7);
  pthread_mutex_unlock(&m);
  return 0;
}`

describe('condition variables that are forgotten', () => {
  test('are not needed where a loop asks again', async () => {
    const result = await run(handOver('while'), { view: 'threads' })
    expect(result.verdict).toBe('true')
    const { configuration } = (result as Extract<Result, { verdict: 'true' }>).certificate!.data as HornCertificate
    expect(configuration.forgets).toBe(true)
  })
  test('leave what a lock protects in one block', async () => {
    const prepared = prepare(errorsOf(await rawOf(handOver('while')), 'assert'))
    const outside = (program: Program): number => {
      const { threads } = reduce(specialise(program))
      return threads.flatMap(({ template }) => template.locations.filter((l) => l.kind === 'plain' && !l.atomic)).length
    }
    expect(outside(withoutConditions(prepared)!)).toBeLessThan(outside(prepared))
  })
  test('one who does not ask again may wake for nothing', async () => {
    expect((await run(handOver('if'), { view: 'threads' })).verdict).toBe('unknown')
    expect((await run(handOver('if'))).verdict).toBe('false')
  })
})
