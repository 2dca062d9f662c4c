// Counting instances (docs/any-number.md): what many threads of one kind do, what tells them apart, and what a proof over
// counts must not forget.
import { describe, expect, test } from 'vitest'
import { counted } from '../../../src/engine/explicit/counting/index.js'
import { explicitEngine, preparedFor } from '../../../src/engine/explicit/index.js'
import { oracle, replay } from '../../../src/semantics/index.js'
import type { Result } from '../../../src/verdict/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generateInstances } from '../../generate/instances.js'

const env = { stopped: () => undefined, progress: () => {} }
const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
const HEADER = `#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int x, y; int a[64];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
`

const parser = await testParser()

const count = (text: string) => {
  const raw = compileProgram(parser, HEADER + text)
  return counted(raw, preparedFor(raw, 'assert'), 'assert', env)
}

const verify = (text: string): Result =>
  explicitEngine.verify({ raw: compileProgram(parser, HEADER + text), property: 'assert', settings: SETTINGS }, {}, env)

/** A thread, and main that starts so many of it, joins them all, and goes on. */
const many = (n: number, body: string, after: string, argument = '0'): string => `
void *w(void *p) { ${body} return 0; }
int main(void) {
  pthread_t t[${n}];
  for (int i = 0; i < ${n}; i++) pthread_create(&t[i], 0, w, ${argument});
  for (int i = 0; i < ${n}; i++) pthread_join(t[i], 0);
  ${after}
  return 0;
}`

const LOCKED = 'pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);'
const LOST =
  'pthread_mutex_lock(&m); int r = x; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); x = r + 1; pthread_mutex_unlock(&m);'

describe('main joins all and ends', () => {
  test('what it does by then is left out of the states', () => {
    const found = count(many(300, 'pthread_mutex_lock(&m); x++; assert(x > 0); x--; pthread_mutex_unlock(&m);', ''))
    expect(found.kind).toBe('true')
    expect(found.stats.edges).toBeLessThan(300)
  })

  test('an error on the way is met', () => {
    expect(count(many(5, 'y = 1;', 'assert(a[0] == 1);')).kind).toBe('false')
  })
})

describe('many instances', () => {
  test.each([10, 300])('a counter with a lock counts %i threads', (n) => {
    expect(count(many(n, LOCKED, `assert(x == ${n});`)).kind).toBe('true')
  })

  test.each([10, 80])('an update of %i is lost', (n) => {
    const raw = compileProgram(parser, HEADER + many(n, LOST, `assert(x == ${n});`))
    const found = counted(raw, preparedFor(raw, 'assert'), 'assert', env)
    expect(found.kind === 'false' && replay(raw, found.trace, 'assert').reached).toBe(true)
  })

  test('a few of very many are enough for an error', () => {
    const body = 'if (__VERIFIER_nondet_int()) { x++; x--; } else assert(x == 0);'
    expect(count(many(2000, body, '')).kind).toBe('false')
    const locked =
      'pthread_mutex_lock(&m); if (__VERIFIER_nondet_int()) { x++; x--; } else assert(x == 0); pthread_mutex_unlock(&m);'
    expect(count(many(2000, locked, '')).kind).toBe('true')
  })

  test('a search with few that move begins before any of them has moved', () => {
    const text = `struct { int n; pthread_mutex_t m; } c[8];
void use(int i) { pthread_mutex_lock(&c[i].m);
  if (__VERIFIER_nondet_int()) { c[i].n++; c[i].n--; } else assert(c[i].n == 0);
  pthread_mutex_unlock(&c[i].m); }
void *w(void *p) { for (int i = 0; i < 8; i++) use(i); return 0; }
int main(void) { pthread_t t;
  for (int i = 0; i < 1000; i++) pthread_create(&t, 0, w, 0);
  for (int i = 0; i < 8; i++) use(i);
  assert(c[5].n == 0); return 0; }`
    const found = count(text)
    expect(found.kind).toBe('false')
    // Main and one instance have about 50 places each.
    expect(found.stats.edges).toBeLessThan(4_000)
  })

  test('two mutexes do not exclude each other', () => {
    const text = `
void *v(void *p) { pthread_mutex_lock(&m); x++; x--; pthread_mutex_unlock(&m); return 0; }
void *w(void *p) { pthread_mutex_lock(&k); assert(x == 0); pthread_mutex_unlock(&k); return 0; }
int main(void) { pthread_t t;
  for (int i = 0; i < 100; i++) pthread_create(&t, 0, v, 0);
  for (int i = 0; i < 100; i++) pthread_create(&t, 0, w, 0);
  return 0; }`
    expect(count(text).kind).toBe('false')
    expect(count(text.replace('lock(&k)', 'lock(&m)').replace('unlock(&k)', 'unlock(&m)')).kind).toBe('true')
  })
})

describe('what a proof must not forget', () => {
  test('main has joined one of them, not any', () => {
    const text = (joined: number, asked: number): string => `
void *w(void *p) { a[(long)p] = 1; return 0; }
int main(void) { pthread_t t[8];
  for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, w, (void *)(long)i);
  pthread_join(t[${joined}], 0); assert(a[${asked}] == 1); return 0; }`
    expect(verify(text(3, 3)).verdict).toBe('true')
    expect(verify(text(3, 4)).verdict).toBe('false')
  })

  test('a thread that was joined twice counts once', () => {
    const text = `
void *w(void *p) { x = 1; return 0; }
void *v(void *p) { return 0; }
int main(void) { pthread_t t[8], s;
  for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, i < 7 ? v : w, 0);
  pthread_join(t[0], 0); pthread_join(t[0], 0); assert(x == 0); return 0; }`
    expect(verify(text).verdict).toBe('false')
  })

  test('who ends with a lock held keeps it', () => {
    const body = 'pthread_mutex_lock(&m); x++; assert(x == 1);'
    expect(verify(many(9, body, 'assert(0);')).verdict).toBe('true')
    // The first one ends, and main joins it again and again.
    expect(verify(many(9, body, 'assert(0);').replace('pthread_join(t[i]', 'pthread_join(t[0]')).verdict).toBe('false')
  })

  test('only the owner unlocks', () => {
    const text = `
void *v(void *p) { pthread_mutex_lock(&m); x = 1; x = 0; pthread_mutex_unlock(&m); return 0; }
void *w(void *p) { pthread_mutex_unlock(&m); assert(0); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 9; i++) { pthread_create(&t, 0, v, 0); pthread_create(&t, 0, w, 0); } return 0; }`
    expect(verify(text).verdict).toBe('true')
  })

  test('a loop of one thread hides no error of another', () => {
    const text = `
void *v(void *p) { for (;;) y = 1; return 0; }
void *w(void *p) { x++; assert(x < 3); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 9; i++) { pthread_create(&t, 0, v, 0); pthread_create(&t, 0, w, 0); } for (;;) ; return 0; }`
    expect(verify(text).verdict).toBe('false')
  })

  test('what main does after its joins matters, also where nobody else is there', () => {
    expect(count(many(9, LOCKED, 'x = 0; assert(x == 1);')).kind).toBe('false')
  })
})

describe('what tells instances apart', () => {
  test.each([
    ['numbers that are ordered', 'if (pthread_self() < 4) x = 1;'],
    ['a number as data', 'x = a[pthread_self() & 7];'],
    [
      'a number that is kept',
      'static unsigned long who; unsigned long o = who; y = 1; who = pthread_self(); if (o == who) x = 2;',
    ],
    [
      'a number that is kept from one step to the next, and compared with the own one',
      'static unsigned long who; unsigned long o = who; y = 1; who = pthread_self(); y = 2; if (o == pthread_self()) x = 2;',
    ],
    ['an address in a frame that is shared', 'static long *q; long own = 0; if (!q) q = &own; *q = 1; x = own;'],
  ])('%s', (_, body) => {
    const found = count(many(9, body, 'assert(x >= 0);'))
    expect(found.kind).toBe('open')
    expect(found.kind === 'open' && found.reason).toMatch(/number|frame|handle|address/)
  })

  test('arguments that differ make different kinds, nothing worse', () => {
    const text = (limit: number): string => many(9, `assert((long)p < ${limit});`, '', '(void *)(long)i')
    expect(count(text(9)).kind).toBe('true')
    expect(count(text(8)).kind).toBe('false')
  })

  test('a frame is the own one of each', () => {
    const body = 'int b[3]; for (int i = 0; i < 3; i++) b[i] = i; b[(long)p & 1]++; assert(b[0] + b[1] + b[2] == 4);'
    expect(count(many(9, body, '', '(void *)(long)i')).kind).toBe('true')
    expect(count(many(9, body.replace('== 4', '== 3'), '')).kind).toBe('false')
  })
})

test('generated programs: counting and brute force agree', () => {
  let decided = 0
  for (let seed = 0; seed < 25; seed++) {
    const text = generateInstances(seed, { most: 3 })
    const raw = compileProgram(parser, text)
    const found = counted(raw, preparedFor(raw, 'assert'), 'assert', env)
    if (found.kind === 'open') continue
    const { verdict } = oracle(raw, 'assert', { maxStates: 1_500 })
    if (verdict === 'unknown') continue
    decided++
    expect(`${seed}: ${found.kind}`).toBe(`${seed}: ${verdict}`)
  }
  expect(decided).toBeGreaterThan(5)
})
