// no-overflow by C11's rules (6.5p5: a signed result that its type cannot represent), as brute force sees them, and
// the engines that have error locations with it.
import { describe, expect, it } from 'vitest'
import { ENGINES } from '../../src/engine/index.js'
import { compile } from '../../src/frontend/c/index.js'
import { reasonText } from '../../src/output/reason.js'
import { oracle } from '../../src/semantics/index.js'
import { createSmt } from '../../src/smt/index.js'
import type { Program } from '../../src/xcfa/index.js'
import { testParser } from '../frontend/parse/load.js'

const parser = await testParser()

const compiled = (text: string): Program =>
  compile([{ name: 'overflow.c', text }], { dataModel: 'lp64', checkOverflow: true }, parser).program

const inMain = (statements: string): string =>
  `#include <limits.h>\nextern unsigned char __VERIFIER_nondet_uchar(void);\nint main(void) { ${statements} return 0; }`

const verdictOf = (statements: string): string => oracle(compiled(inMain(statements)), 'no-overflow').verdict

describe('overflows', () => {
  it.each([
    'int x = INT_MAX; x = x + 1;',
    'int x = INT_MAX; x++;',
    'int x = INT_MIN; --x;',
    'int x = INT_MIN; x -= 1;',
    'int x = INT_MIN; x = -x;',
    'int x = INT_MIN; int y = -1; x = x / y;',
    'int x = INT_MIN; int y = -1; x = x % y;',
    'int x = 65536; x = x * x;',
    'int x = 1; x = x << 31;',
    'int x = -1; x = x << 1;',
    'long x = LONG_MAX; x = x + 1;',
    'long x = LONG_MIN; x = x - 1;',
    'long x = 1L << 62; x = x * 2;',
    'int x = INT_MAX + 1;',
    'int x = (INT_MAX + 1) * 0;',
    'int x = -(-2147483647 - 1);',
    'int x = INT_MAX; unsigned char c = __VERIFIER_nondet_uchar(); if (c == 7) x = x + (c - 6);',
    'int a[2] = { INT_MAX, 1 }; a[0] += a[1];',
    'short s = 32767; int x = s * s * s;',
  ])('%s', (statements) => {
    expect(verdictOf(statements)).toBe('false')
  })
})

describe('does not overflow', () => {
  it.each([
    'int x = INT_MAX - 1; x = x + 1;',
    'unsigned x = UINT_MAX; x = x + 1;',
    'unsigned x = 0; x--;',
    // Conversions are implementation-defined, and small types are promoted (C11 6.3.1.3, 6.3.1.1).
    'short s = 32767; s++;',
    'signed char c = 127; c += 1;',
    'int x = (int)4294967295u;',
    'int x = INT_MIN; int y = x / 1; y = x % 2;',
    'int x = 46340; x = x * x;',
    'int x = 1; x = x << 30;',
    'int x = INT_MIN; x = x >> 31;',
    'int x = 0; int y = x && (INT_MAX + 1);',
    'int x = 1; int y = x ? 0 : INT_MAX + x;',
    'long x = LONG_MIN; x = x + LONG_MAX;',
    'int x = INT_MAX; unsigned y = 1; unsigned z = x + y;',
    'long x = INT_MAX; x = x + 1;',
  ])('%s', (statements) => {
    expect(verdictOf(statements)).toBe('true')
  })
})

const COUNTER = (limit: string): string => `
#include <pthread.h>
#include <limits.h>
int count = ${limit};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) { pthread_mutex_lock(&m); if (count < INT_MAX - 1) count = count + 1; pthread_mutex_unlock(&m); return 0; }
void *bump(void *arg) { count = count + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, bump, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}`

describe.each(['explicit', 'bmc', 'cegar', 'impact', 'redcomp'])('%s', (name) => {
  it.each([
    ['INT_MAX', 'false'],
    ['INT_MAX - 5', 'true'],
  ])('two threads that count from %s: %s', { timeout: 60_000 }, async (limit, expected) => {
    const raw = compiled(COUNTER(limit))
    expect(oracle(raw, 'no-overflow').verdict).toBe(expected)
    const engine = await ENGINES.find((e) => e.name === name)!.load()
    const options = Object.fromEntries(Object.entries(engine.options).map(([key, option]) => [key, option.default]))
    const smt = engine.needsSolver ? await createSmt('auto') : undefined
    const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
    const env = { stopped: () => undefined, progress: () => {} }
    const result = engine.verify({ raw, property: 'no-overflow', settings, ...(smt && { smt }) }, options, env)
    expect(result.verdict === 'unknown' ? reasonText(result.reason) : result.verdict).toBe(expected)
    smt?.dispose()
  })
})
