// What the partial-order encoding leaves out must not be missed: iterations that change nothing, critical sections as
// one event, writes that leave a place as it was, bits that no value needs. Brute force says what is right.
import { describe, expect, test } from 'vitest'
import { bmcEngine } from '../../../src/engine/bmc/index.js'
import type { Options } from '../../../src/engine/index.js'
import type { Property } from '../../../src/property/index.js'
import { replay } from '../../../src/semantics/index.js'
import { createSmt, type Smt, type SolverOptions } from '../../../src/smt/index.js'
import type { PartialFact } from '../../../src/verdict/index.js'
import { inconclusive } from '../../../src/verdict/reason.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { agreement, MORE_VARIANTS, runBmc, VARIANTS } from './support.js'

const parser = await testParser()
const smt = await createSmt('auto')

const ORDERS = [...VARIANTS, ...MORE_VARIANTS].filter((v) => v['encoding'] === 'partial-order')

/** Two threads and what main does after starting them. */
const program = (declarations: string, first: string, second: string, after = ''): string => `
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
${declarations}
void *first(void *argument) { ${first} return 0; }
void *second(void *argument) { ${second} return 0; }
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  ${after}
  return 0;
}`

const LOCK = 'pthread_mutex_lock(&m);'
const UNLOCK = 'pthread_mutex_unlock(&m);'
const JOINS = 'pthread_join(one, 0); pthread_join(two, 0);'

const expectVerdict = (
  text: string,
  expected: 'true' | 'false',
  property: Property = 'assert',
  variants: readonly Options[] = ORDERS,
) => expect(agreement(parser, smt, text, variants, undefined, property)).toEqual({ expected, undecided: [], wrong: [] })

/** For what is too much for brute force: C's rules say what is right. */
const expectDecision = (text: string, expected: 'true' | 'false', variants: readonly Options[] = ORDERS) => {
  const raw = compileProgram(parser, text)
  for (const options of variants) {
    const result = runBmc(raw, smt, options)
    expect([options, result.verdict]).toEqual([options, expected])
    if (result.verdict === 'false')
      expect([options, replay(raw, result.trace, 'assert').reached]).toEqual([options, true])
  }
}

test('an error inside an atomic function', () => {
  const check = 'void reach_error(void) {} void __VERIFIER_atomic_check(int y) { if (x == y) reach_error(); }'
  const text = program(`int x; ${check}`, 'x = 1; x = 2;', '__VERIFIER_atomic_check(1);')
  expectVerdict(text, 'false', 'unreach-call')
  const result = runBmc(compileProgram(parser, text), smt, {}, undefined, 'unreach-call')
  expect(result.verdict === 'false' && result.trace.steps.at(-1)?.edge.target.kind).toBe('error')
})

test('loops that count further than is unrolled at first', () => {
  const text = program('int x;', 'for (int i = 0; i < 600; i++) x = i;', 'int y = x; assert(y < 100);')
  expectDecision(text, 'false', [{}])
})

describe('memory that nobody wrote', () => {
  const program = (conclusion: string): string => `
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char *p = malloc(2), i = __VERIFIER_nondet_uchar() % 2, j = __VERIFIER_nondet_uchar() % 2;
  unsigned char a = p[i], b = p[j];
  ${conclusion}
  return 0;
}`
  test('holds the same at the same address', () => expectDecision(program('assert(i != j || a == b);'), 'true'))
  test('may differ elsewhere', () => expectDecision(program('assert(i == j || a == b);'), 'false'))
  test('holds anything', () => expectDecision(program('assert(a != 77 || b != 78);'), 'false'))
})

describe('loops that wait', () => {
  test('are complete though they have no bound', () =>
    expectVerdict(program('int x, flag;', 'x = 1; flag = 1;', 'while (!flag); assert(x == 1);'), 'true'))
  test('for two things that come and go', () =>
    expectVerdict(program('int a = 1, b;', 'a = 0; b = 1; a = 1;', 'while (!a || !b); assert(a == 0);'), 'false'))
  test('count what they see', () =>
    expectVerdict(program('int flag;', 'flag = 1;', 'int i = 0; while (!flag && i < 3) i++; assert(i < 3);'), 'false'))
  test('write in every iteration', () =>
    expectVerdict(program('int x, y, flag;', 'while (!flag) { x = y; y = 1; }', 'assert(x == 0); flag = 1;'), 'false'))
  test('take a lock that the program builds', () => {
    const take =
      'int got = 0; while (!got) { __VERIFIER_atomic_begin(); if (!l) { l = 1; got = 1; } __VERIFIER_atomic_end(); }'
    const body = `${take} x++; assert(x == 1); x--; l = 0;`
    expectVerdict(program('int l, x;', body, body), 'true')
  })
})

describe('critical sections', () => {
  test('that somebody looks into', () =>
    expectVerdict(program('int x;', `${LOCK} x = 1; x = 2; ${UNLOCK}`, 'assert(x != 1);'), 'false'))
  test('that nobody looks into', () =>
    expectVerdict(program('int x;', `${LOCK} x = 1; x = 2; ${UNLOCK}`, `${LOCK} assert(x != 1); ${UNLOCK}`), 'true'))
  test('that fail in the middle', () =>
    expectVerdict(
      program('int x;', `${LOCK} x = 1; x = 0; ${UNLOCK}`, `${LOCK} x++; assert(x != 1); ${UNLOCK}`),
      'false',
    ))
  test('that end the thread in the middle keep the lock, and what they wrote is seen', () => {
    expectVerdict(
      program('int x;', `${LOCK} x = 1; pthread_exit(0); ${UNLOCK}`, `${LOCK} assert(x == 0); ${UNLOCK}`),
      'true',
    )
    expectVerdict(program('int x;', `${LOCK} x = 1; pthread_exit(0); ${UNLOCK}`, 'assert(x == 0);'), 'false')
  })
  test('what was written before the program ends in the middle is seen', () =>
    expectVerdict(
      program(
        'int x, p;',
        `${LOCK} if (p) { x = 1; if (p) abort(); x = 0; } ${UNLOCK}`,
        `${LOCK} p = 1; ${UNLOCK} assert(x == 0);`,
      ),
      'false',
    ))
  test('an atomic block that ends the program in the middle', () => {
    const body = 'x = 1; for (int i = 0; i < n; i++) y++; if (y) abort(); x = 0;'
    const atomic = `__VERIFIER_atomic_begin(); ${body} __VERIFIER_atomic_end();`
    expectVerdict(program('int x, y, n;', atomic, 'n = 1;', 'assert(x == 0);'), 'true', 'assert', VARIANTS)
    const straight = '__VERIFIER_atomic_begin(); x = 1; if (y) abort(); x = 0; __VERIFIER_atomic_end();'
    expectVerdict(program('int x, y;', straight, 'y = 1;', 'assert(x == 0);'), 'true', 'assert', VARIANTS)
  })
})

describe('deadlocks where a signal chooses whom to wake', () => {
  const wait = (condition: string) => `${LOCK} ${condition} pthread_cond_wait(&c, &m); ${UNLOCK}`
  const [once] = ORDERS
  test('a signal that comes too early', () =>
    expectVerdict(program('', wait(''), `${LOCK} pthread_cond_signal(&c); ${UNLOCK}`, JOINS), 'false', 'no-deadlock', [
      once!,
    ]))
  test('a signal that somebody remembers', () =>
    expectVerdict(
      program('int ready;', wait('if (!ready)'), `${LOCK} ready = 1; pthread_cond_signal(&c); ${UNLOCK}`, JOINS),
      'true',
      'no-deadlock',
      [once!],
    ))
  test('one signal for two', () =>
    expectVerdict(
      program(
        'int ready;',
        wait('if (!ready)'),
        wait('if (!ready)'),
        `${LOCK} ready = 1; pthread_cond_signal(&c); ${UNLOCK} ${JOINS}`,
      ),
      'false',
      'no-deadlock',
      [once!],
    ))
})

test('values that need the sign, or more bits than at first', () => {
  expectVerdict(program('int x;', 'x = -3;', 'int t = x; assert(t == 0 || t == -3);'), 'true')
  expectVerdict(program('unsigned char x = 250;', 'x = x + 5;', 'x = x + 5; ', `${JOINS} assert(x != 4);`), 'false')
})

describe('inputs: integers in turn with bit-vectors', () => {
  const INPUT = 'extern int __VERIFIER_nondet_int(void); int x, y;'
  const summed = (said: string): string =>
    program(INPUT, 'x = __VERIFIER_nondet_int(); y = x + 1;', '', `${JOINS} assert(${said});`)
  /** Bit-vectors give up where they are limited. */
  const impatient = (): Smt =>
    Object.assign(Object.create(smt) as Smt, {
      solver: (options: SolverOptions = {}) =>
        smt.solver(options.logic === 'QF_BV' && options.rlimit !== undefined ? { ...options, rlimit: 1 } : options),
    })
  const INTEGERS = { encoding: 'partial-order', arith: 'int' }
  const verdictOf = (text: string, options: Options = {}, solver = smt): string =>
    runBmc(compileProgram(parser, text), solver, options).verdict

  test('an error without overflow', () => {
    const text = summed('y != 8')
    expect(verdictOf(text, INTEGERS)).toBe('false')
    expect(verdictOf(text, {}, impatient())).toBe('false')
  })
  test.each([
    ['an error by overflow', 'x < 0 || y != -2147483647 - 1', 'false'],
    ['no error, because sums wrap', '(long)y <= 2147483647L', 'true'],
  ])('%s is for bit-vectors', (_, said, expected) => {
    expect(verdictOf(summed(said), INTEGERS)).toBe('unknown')
    expect(verdictOf(summed(said))).toBe(expected)
    expect(verdictOf(summed(said), {}, impatient())).toBe(expected)
  })
  test('nothing overflows: integers prove it', () => {
    const half = program(INPUT, 'x = __VERIFIER_nondet_int() / 2; y = x + 1;', '', `${JOINS} assert(y > x || y == 0);`)
    expect(verdictOf(half, INTEGERS)).toBe('true')
    expect(verdictOf(half, {}, impatient())).toBe('true')
  })
})

test('what is known of a bound is known of executions within it, and never TRUE where a bound was asked for', () => {
  const rounds = (wrongAfter: number): string =>
    program(
      'int stop, n;',
      'while (!stop) n++;',
      `int seen = n; assert(seen < ${wrongAfter}); stop = 1;`,
      'pthread_join(one, 0);',
    )
  const facts: PartialFact[] = []
  const raw = compileProgram(parser, rounds(4))
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: () => undefined, progress: () => {}, known: (fact: PartialFact) => void facts.push(fact) }
  const within = (unroll: string) => bmcEngine.verify({ raw, property: 'assert', settings, smt }, { unroll }, env)
  expect(within('2')).toMatchObject({
    verdict: 'unknown',
    reason: inconclusive('no violation where each thread goes round its loops at most 2 times'),
  })
  expect(facts).toEqual([1, 2].map((times) => ({ kind: 'unrolled', times })))
  expect(within('4').verdict).toBe('false')
  const bounded = compileProgram(parser, program('int n;', 'n = 1;', '', 'assert(n < 2);'))
  const asked = bmcEngine.verify({ raw: bounded, property: 'assert', settings, smt }, { unroll: '3' }, env)
  expect(asked.verdict).toBe('unknown')
})
