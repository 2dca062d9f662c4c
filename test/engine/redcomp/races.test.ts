// Race freedom by locks and by who runs at the same time: what it must prove, what it must leave, and brute force.
import { beforeAll, expect, test } from 'vitest'
import { verifyRaceFreedom } from '../../../src/engine/redcomp/races.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generate } from '../../generate/index.js'

let parser: CParser
beforeAll(async () => {
  parser = await testParser()
})

const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
const verdictOf = (raw: Program): string =>
  verifyRaceFreedom({ raw, property: 'no-data-race', settings: SETTINGS }).verdict

const program = (thread: string, rest: string, main = 'pthread_join(t, 0);'): string => `
#include <pthread.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void *thread(void *argument) { ${thread} return 0; }
int main(void) { pthread_t t; ${rest.includes('pthread_create') ? '' : 'pthread_create(&t, 0, thread, 0);'} ${rest} ${main} }`

const LOCKED = 'while (__VERIFIER_nondet_int()) { pthread_mutex_lock(&m); x += 1; pthread_mutex_unlock(&m); }'

test.each([
  ['a common lock, with values that have no bound', LOCKED, LOCKED],
  ['any number of threads', LOCKED, 'while (1) pthread_create(&t, 0, thread, 0);'],
  [
    'atomic blocks',
    '__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();',
    '__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();',
  ],
  ['before the start and after the join', 'x++;', 'x = 1; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); x++;'],
])('proved: %s', (_, thread, main) => {
  expect(verdictOf(compileProgram(parser, program(thread, main, 'return 0;')))).toBe('true')
})

test.each([
  ['two locks', LOCKED, LOCKED.replaceAll('&m', '&n')],
  ['a write of the value that is there already', 'x = 0;', 'y = x;'],
  ['a lock that is given back too early', LOCKED, 'pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++;'],
  ['a lock tried in vain', LOCKED, 'pthread_mutex_trylock(&m); x++; pthread_mutex_unlock(&m);'],
  ['an atomic block beside a plain access', '__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();', 'x++;'],
])('left open: %s', (_, thread, main) => {
  const raw = compileProgram(parser, program(thread, main))
  expect(verdictOf(raw)).toBe('unknown')
})

test('what it proves, brute force proves', () => {
  let proved = 0
  for (let seed = 0; seed < 40; seed++) {
    const raw = compileProgram(parser, generate(seed))
    if (verdictOf(raw) !== 'true') continue
    const { verdict } = oracle(raw, 'no-data-race', { maxStates: 5_000 })
    expect({ seed, verdict }).not.toEqual({ seed, verdict: 'false' })
    if (verdict === 'true') proved++
  }
  expect(proved).toBeGreaterThanOrEqual(5)
})
