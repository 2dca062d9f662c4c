// Proofs by assertions at the heads of loops alone: loops in step are proved without refuting a single trace, the checker
// accepts the proofs, and programs of the same shape that are wrong are not proved.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commuteEngine } from '../../../src/engine/commute/index.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { createSmt, type Smt } from '../../../src/smt/index.js'
import { reducedAnswer } from '../../check/tampered.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { limitOf } from '../../stopwatch.js'

let parser: CParser
let smt: Smt
beforeAll(async () => {
  parser = await testParser()
  smt = await createSmt('auto')
})
afterAll(() => smt.dispose())

const program = (globals: string, first: string, second: string, before: string, end: string): string => `
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void assume(int holds) { if (!holds) abort(); }
${globals}
void *one(void *p) { ${first} return 0; }
void *two(void *p) { ${second} return 0; }
int main(void) {
  pthread_t a, b;
  ${before}
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  ${end}
  return 0;
}
`
const atomic = (text: string): string => `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();`
const rounds = (text: string, bound = 'n'): string => `for (int i = 0; i < ${bound}; i++) { ${text} }`
const CHOSEN = 'n = __VERIFIER_nondet_int();'

const verify = (text: string, order: string, seconds = 10) => {
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: limitOf(seconds), progress: () => {} }
  const raw = compileProgram(parser, text)
  return { raw, result: commuteEngine.verify({ raw, property: 'assert', settings, smt }, { order }, env) }
}

const PROVED: readonly (readonly [string, string])[] = [
  [
    'one adds what the other takes away as soon as it is there',
    program('int n, c;', rounds(atomic('c++;')), rounds(atomic('assume(c > 0); c--;')), CHOSEN, 'assert(c == 0);'),
  ],
  [
    'two doubled numbers that wrap',
    program(
      'unsigned x, y, n;',
      'while (x < n) { x = x + x; }',
      'while (y < n) { y = y + y; }',
      'n = __VERIFIER_nondet_uint(); x = __VERIFIER_nondet_uint(); y = x;',
      'assert(x == y);',
    ),
  ],
]

test.each(PROVED)('%s', (_, text) => {
  const { raw, result } = verify(text, 'lockstep')
  expect(result).toMatchObject({ verdict: 'true', stats: { rounds: 0 } })
  if (result.verdict === 'true') expect(reducedAnswer(raw, result.certificate.data, smt)).toBe('accepted')
})

const WRONG: readonly (readonly [string, string])[] = [
  [
    'one adds more often',
    program(
      'int n, c;',
      rounds(atomic('c++;'), 'n + 1'),
      rounds(atomic('assume(c > 0); c--;')),
      CHOSEN,
      'assert(c == 0);',
    ),
  ],
  [
    // The first thread's step can be taken first only; what the order prefers must not hide the other one.
    'a step is possible before another one only',
    program('int x, y;', atomic('x = 1;'), `while (!y) { ${atomic('assume(x == 0); y = 1;')} }`, '', 'assert(!y);'),
  ],
  [
    'a loop that comes to the same head with less asleep',
    program(
      'int x, y;',
      atomic('x = x + 1;'),
      `while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) { ${atomic('x = x + 2;')} } else { y = x; } }`,
      '',
      'assert(y != 1);',
    ),
  ],
]

test.each(WRONG)('%s', (_, text) => {
  for (const order of ['sequential', 'lockstep', '2|1'])
    expect({ order, verdict: verify(text, order, 2).result.verdict }).not.toEqual({ order, verdict: 'true' })
})
