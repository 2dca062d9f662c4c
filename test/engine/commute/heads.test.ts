// Proofs by assertions at the heads of loops alone: loops in step are proved without refuting a single trace, the checker
// accepts the proofs, and programs of the same shape that are wrong are not proved.
import { afterAll, expect, test } from 'vitest'
import { reducedCertificate } from '../../../src/check/index.js'
import { commuteEngine } from '../../../src/engine/commute/index.js'
import { createSmt } from '../../../src/smt/index.js'
import { reducedAnswer } from '../../check/tampered.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { limitOf } from '../../stopwatch.js'

const parser = await testParser()
const smt = await createSmt('auto')
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

/** What is added and taken away is any number; that something is there is assumed, and the proof does not need it. */
const MULTIPLES = program(
  'unsigned n, c, k;',
  rounds(atomic('c += k;')),
  rounds(atomic('assume(c > 0); c -= k;')),
  'n = __VERIFIER_nondet_uint(); k = __VERIFIER_nondet_uint();',
  'assert(c == 0);',
).replaceAll('int i = 0', 'unsigned i = 0')

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
  [
    // Without rounds both are 0; with some, the second thread never has all, and spins.
    'what holds by the sign of an input',
    program(
      'unsigned sent, got; int n; _Atomic int ready;',
      rounds('sent += 2; ready = i;'),
      'int i = 0; while (i < n) { if (i < ready) { got += 3; i++; } }',
      CHOSEN,
      'assert(sent == got);',
    ),
  ],
]

test('without an assumption that keeps steps from commuting', () => {
  const { raw, result } = verify(MULTIPLES, 'lockstep')
  if (result.verdict !== 'true') throw new Error('not proved')
  const proof = reducedCertificate(result.certificate.data)
  expect(proof.relaxed.length).toBeGreaterThan(0)
  expect(reducedAnswer(raw, proof, smt)).toBe('accepted')
  // The sums of the program as it is might overflow, and what is left out has to be a condition.
  expect(reducedAnswer(raw, { ...proof, arithmetic: 'int' }, smt)).toMatch(/^rejected.*left out/)
  // Its assignments, too.
  const more = { ...proof, relaxed: proof.relaxed.map(({ edge }) => ({ edge, labels: [0, 1, 2, 3] })) }
  expect(reducedAnswer(raw, more, smt)).toMatch(/^rejected.*no plain condition/)
})

test('an assumption that the proof needs is not left out for good', () => {
  const needed = program(
    'int n, c;',
    rounds(atomic('c++;')),
    rounds(atomic('assume(c > 0); c--;')),
    CHOSEN,
    'assert(c >= 0);',
  )
  expect(verify(needed, 'sequential').result.verdict).not.toBe('false')
})

test('two rounds of one loop beside one of the other', () => {
  const once = program(
    'unsigned n, x, y;',
    'for (unsigned i = 0; i < 2 * n; i++) x = 3 * x + 1;',
    'for (unsigned i = 0; i < 2 * n; i += 2) { y = 3 * y + 1; y = 3 * y + 1; }',
    'n = __VERIFIER_nondet_uint(); assume(n < 1000000); x = __VERIFIER_nondet_uint(); y = x;',
    'assert(x == y);',
  )
  const { raw, result } = verify(once, '1*2|2')
  expect(result.verdict).toBe('true')
  if (result.verdict === 'true') expect(reducedAnswer(raw, result.certificate.data, smt)).toBe('accepted')
})

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
