// Programs whose number of threads is an input: what is proved holds for each number.
import { beforeAll, describe, expect, test } from 'vitest'
import { counted } from '../../../src/engine/explicit/counting/index.js'
import { withFreeStarts } from '../../../src/engine/explicit/free-starts.js'
import { explicitEngine, preparedFor } from '../../../src/engine/explicit/index.js'
import { mayRace } from '../../../src/engine/explicit/modular/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generateInstances } from '../../generate/instances.js'
import { limitOf } from '../../stopwatch.js'

let parser: CParser
beforeAll(async () => {
  parser = await testParser()
})

const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

const verdict = (text: string, property: 'no-data-race' | 'assert' = 'no-data-race'): string => {
  const raw = compileProgram(parser, text, property)
  const task = { raw, property, settings: SETTINGS } as const
  return explicitEngine.verify(task, {}, { stopped: limitOf(2), progress: () => {} }).verdict
}

const many = (body: string, after = '', inLoop = '', argument = '0'): string => `#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x, y, total; int d[64]; int *heap; atomic_int flag; _Bool ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_t locks[4];
void *w(void *p) { ${body} return 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  for (int k = 0; k < 4; k++) pthread_mutex_init(&locks[k], 0);
  pthread_t *t = malloc(n * sizeof(pthread_t));
  for (int i = 0; i < n; i++) { pthread_create(&t[i], 0, w, ${argument}); ${inLoop} }
  ${after}
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  free(t);
  return 0;
}`

const SPIN = 'int e = 0; while (!atomic_compare_exchange_strong(&flag, &e, 1)) e = 0;'
const LOOK = 'pthread_mutex_lock(&m); int r = ready; pthread_mutex_unlock(&m);'
const OPEN = 'pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);'

describe('as many threads as an input says', () => {
  test.each([
    ['a lock that is tried', many('if (pthread_mutex_trylock(&m) == 0) { x++; pthread_mutex_unlock(&m); }')],
    ['a lock of the program', many(`${SPIN} x++; flag = 0;`)],
    ['the first one alone', many('int e = 0; if (atomic_compare_exchange_strong(&flag, &e, 1)) x = 1;')],
    ['a flag that main sets', many(`${LOOK} if (r) { int v = x; }`, `x = 1; ${OPEN}`)],
  ])('%s: no race', (_, text) => {
    expect(verdict(text)).toBe('true')
  })

  test.each([
    ['a lock that is let go too early', many(`${SPIN} flag = 0; x++;`)],
    ['a flag that main sets too early', many(`${LOOK} if (r) { int v = x; }`, `${OPEN} x = 1;`)],
    ['the number in memory', many('if (total > 5) x++;', '', '', '0').replace('if (n < 0) return 0;', 'total = n;')],
    ['the counter as an argument', many('if ((long)p > 2) x++;', '', '', '(void *)(long)i')],
    ['memory of others by the counter', many('int r = d[3];', '', 'd[i & 7] = 1;')],
    [
      'memory of others by a pointer that moves',
      many('int r = d[3];', '', '*at = 1; at++;').replace('int n', 'int *at = d; int n'),
    ],
    [
      'a block of unknown size that others see',
      many('heap[0] = 1;').replace('pthread_t *t', 'heap = malloc(n + 4); pthread_t *t'),
    ],
    [
      'a value that depends on the number',
      many('if (total == 1) x++;', '', 'if (i == 3) total = 1;').replace('int total', 'atomic_int total'),
    ],
  ])('%s: nothing is proved', (_, text) => {
    expect(verdict(text)).not.toBe('true')
  })

  const LOCKED = (body: string): string => `pthread_mutex_lock(&m); ${body} pthread_mutex_unlock(&m);`

  test.each([
    ['with a lock', many(LOCKED('x++; assert(x == 1); x--;'))],
    [
      'if a lock is free',
      many('if (pthread_mutex_trylock(&m) == 0) { x++; assert(x == 1); x--; pthread_mutex_unlock(&m); }'),
    ],
    ['about what nobody changes', many('assert(y == 0);', LOCKED('x = 1; assert(x == 1);'))],
  ])('an assertion %s: holds', (_, text) => {
    expect(verdict(text, 'assert')).toBe('true')
  })

  test.each([
    ['without a lock', many('x++; assert(x == 1); x--;')],
    ['about the number', many('x = 1;', 'assert(n < 5);')],
    ['about what threads have done by then', many('x = 1;', '').replace('free(t);', 'assert(x == 0);')],
    ['about what main does in one round', many('assert(y == 0);', '', 'if (i == 3) y = 1;')],
    ['about what main does last', many('assert(y == 0);', 'y = 1;')],
  ])('an assertion %s: is not proved', (_, text) => {
    expect(verdict(text, 'assert')).not.toBe('true')
  })

  test('what is proved of generated programs holds for one, two and three instances', () => {
    let proved = 0
    for (let seed = 0; seed < 20; seed++) {
      const generated = generateInstances(seed, { most: 1 })
      const number = (n: string): string =>
        generated
          .replaceAll(/pthread_t t(\d)\[\d+\]/g, 'pthread_t t$1[4]')
          .replaceAll(/i < 1; i\+\+\)/g, 'i < n; i++)')
          .replace('int main(void) {', `int main(void) { int n = ${n};`)
      const property = seed % 2 === 0 ? 'no-data-race' : 'assert'
      const raw = compileProgram(parser, number('__VERIFIER_nondet_int()'), property)
      const relaxed = withFreeStarts(preparedFor(raw, property))
      if (!relaxed) continue
      const env = { stopped: () => undefined, progress: () => {} }
      const isProved =
        counted(raw, relaxed, property, env, 'proof').kind === 'true' ||
        (property === 'no-data-race' && mayRace(relaxed, () => false) === undefined)
      if (!isProved) continue
      proved++
      for (const n of ['1', '2', '3']) {
        const found = oracle(compileProgram(parser, number(n), property), property, { maxStates: 400 })
        expect(`${seed}, ${n}: ${found.verdict}`).not.toBe(`${seed}, ${n}: false`)
      }
    }
    expect(proved).toBeGreaterThan(0)
  })
})
