// Races among counted instances, and the values that are left out of a program when only its accesses matter.
import { describe, expect, test } from 'vitest'
import { counted } from '../../../src/engine/explicit/counting/index.js'
import { explicitEngine, preparedFor } from '../../../src/engine/explicit/index.js'
import { oracle, replay } from '../../../src/semantics/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generateInstances } from '../../generate/instances.js'

const env = { stopped: () => undefined, progress: () => {} }
const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

const parser = await testParser()

/** A race that is found is one of the program. */
const race = (text: string): string => {
  const raw = compileProgram(parser, text)
  const found = counted(raw, preparedFor(raw, 'no-data-race'), 'no-data-race', env)
  if (found.kind === 'false') expect(replay(raw, found.trace, 'no-data-race').reached).toBe(true)
  return found.kind
}

const many = (n: number, body: string, after = '', argument = '0'): string => `#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
int x, y, z; int a[64]; int *q = &a[3]; _Atomic int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) { ${body} return 0; }
int main(void) {
  pthread_t t[${n}];
  for (int i = 0; i < ${n}; i++) pthread_create(&t[i], 0, w, ${argument});
  ${after}
  for (int i = 0; i < ${n}; i++) pthread_join(t[i], 0);
  return x;
}`

const locked = (body: string): string => `pthread_mutex_lock(&m); ${body} pthread_mutex_unlock(&m);`

describe('instances that are counted', () => {
  test.each([
    ['each of 900 with a lock', many(900, locked('x++;')), 'true'],
    ['each of 900 without', many(900, 'x++;'), 'false'],
    ['two of one kind', many(2, 'x = 1;'), 'false'],
    ['only reads', many(40, 'int r = x;'), 'true'],
    ['main beside them', many(40, locked('x++;'), 'x = 1;'), 'false'],
    ['main beside them, with the lock', many(32, locked('x++;'), locked('x = 1;')), 'true'],
    ['the first one alone', many(40, 'if (!atomic_exchange(&flag, 1)) y = 1;'), 'true'],
    ['the first one, and again', many(40, 'if (!atomic_exchange(&flag, 1)) { flag = 0; y = 1; }'), 'false'],
    ['a frame of their own', many(40, 'int b[4]; b[(long)p & 1] = 1; int *r = &b[2]; *r = 3;'), 'true'],
    [
      'a branch that nobody takes while the lock is held',
      many(
        300,
        'pthread_mutex_lock(&m); if (x == 0) pthread_mutex_unlock(&m); else { pthread_mutex_unlock(&m); x = 5; }',
      ),
      'true',
    ],
    [
      'a branch that somebody takes',
      many(
        300,
        'pthread_mutex_lock(&m); if (y++ == 0) pthread_mutex_unlock(&m); else { pthread_mutex_unlock(&m); x = 5; }',
      ),
      'false',
    ],
    ['own elements', many(9, 'a[(long)p] = 1;', '', '(void *)(long)i'), 'true'],
    ['elements of two', many(9, 'a[(long)p / 2] = 1;', '', '(void *)(long)i'), 'false'],
  ])('%s', (_, text, verdict) => {
    expect(race(text)).toBe(verdict)
  })
})

describe('values that nobody depends on', () => {
  test.each([
    ['any number is written', locked('x = __VERIFIER_nondet_int(); y = x * 3; a[2] = y;'), 'true'],
    ['an address is read from memory', `${locked('q = q == &a[3] ? &a[4] : &a[3];')}flag++;`, 'true'],
    ['an address that others change', `${locked('q = &a[(long)p];')}*q = 1;`, 'false'],
    ['a condition on what is written', locked('x ^= 1; if (x > 1) q = 0; y = z;'), 'true'],
    ['a condition that holds at last', `${locked('x = x < 9 ? x + 1 : x; z = x;')}if (flag++ > 5) y = 1;`, 'false'],
  ])('%s', (_, body, verdict) => {
    const text = many(8, body).replace('return x;', 'return 0;')
    const raw = compileProgram(parser, text)
    const task = { raw, property: 'no-data-race', settings: SETTINGS } as const
    expect(explicitEngine.verify(task, {}, env).verdict).toBe(verdict)
    expect(explicitEngine.verify(task, { counting: 'off' }, env).verdict).toBe(verdict)
  })
})

test('generated programs: counting and brute force agree on races', () => {
  const decided = { true: 0, false: 0 }
  for (let seed = 100; seed < 115; seed++) {
    const text = generateInstances(seed, { most: 3 }).replaceAll(/&k\b|&locks\[me & 1\]/g, '&m')
    const raw = compileProgram(parser, seed % 2 === 0 ? text : text.replaceAll(/assert\([^;]*;/g, ''))
    const { verdict } = oracle(raw, 'no-data-race', { maxStates: 1_500 })
    if (verdict === 'unknown') continue
    const found = counted(raw, preparedFor(raw, 'no-data-race'), 'no-data-race', env)
    if (found.kind === 'open') continue
    decided[found.kind]++
    expect(`${seed}: ${found.kind}`).toBe(`${seed}: ${verdict}`)
  }
  expect(Math.min(decided.true, decided.false)).toBeGreaterThan(2)
})
