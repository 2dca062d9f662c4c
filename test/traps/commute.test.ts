// Where a reduction up to commutativity would lose an error: each program has one that some order hides if a rule of
// docs/commute.md is left out.
import { afterAll, expect, test } from 'vitest'
import { commuteEngine } from '../../src/engine/commute/index.js'
import { errorsOf } from '../../src/property/index.js'
import { createSmt } from '../../src/smt/index.js'
import type { Result } from '../../src/verdict/index.js'
import { indexedRegions, prepare, unsizedObjects } from '../../src/xcfa/passes/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { limitOf } from '../stopwatch.js'

const parser = await testParser()
const smt = await createSmt('auto')
afterAll(() => smt.dispose())

const ORDERS = ['sequential', 'lockstep', '2|1', 'random:5']

const verify = (text: string, order: string, arith: 'auto' | 'int' = 'auto'): Result => {
  const settings = { arith, solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: limitOf(10), progress: () => {} }
  return commuteEngine.verify({ raw: compileProgram(parser, text), property: 'assert', settings, smt }, { order }, env)
}

const HEAD = `#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
`

const twoThreads = (globals: string, first: string, second: string, end: string): string => `${HEAD}${globals}
void *one(void *p) { ${first} return 0; }
void *two(void *p) { ${second} return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  ${end}
  return 0;
}
`
const JOINS = 'pthread_join(a, 0); pthread_join(b, 0);'

test.each(ORDERS)('a node with a larger sleep set covers nothing (%s)', (order) => {
  // After the addition the first thread's step sleeps, and no assertion is left that tells this node from the one after
  // y = 2, where the step leads to an error.
  const [add, write] = ['__VERIFIER_atomic_begin(); z = z + 1; __VERIFIER_atomic_end();', 'y = 2;']
  for (const [yes, no] of [
    [add, write],
    [write, add],
  ]) {
    const second = `int c = __VERIFIER_nondet_int(); if (c) { ${yes} } else { ${no} }`
    const text = twoThreads('int y, z;', 'y = 1;', second, `${JOINS} assert(y + z != 1);`)
    expect(verify(text, order).verdict).toBe('false')
  }
})

test.each(ORDERS)('a thread that never ends hides no error (%s)', (order) => {
  const text = twoThreads('int x, y;', 'while (1) { y = !y; }', 'x = 1; assert(x == 0);', '')
  expect(verify(text, order).verdict).toBe('false')
})

test.each(ORDERS)('an error counts where other threads wait for ever (%s)', (order) => {
  const text = twoThreads('int x; pthread_t self;', 'while (!x) ; x = 2;', 'assert(x == 1);', 'pthread_join(a, 0);')
  expect(verify(text, order).verdict).toBe('false')
})

test.each(ORDERS)('a thread that waits in a join goes on when the other has ended (%s)', (order) => {
  // Where the outer thread waits for the inner one, main's join of the outer one is still to come.
  const nested = (end: string): string => `${HEAD}int x, y;
void *inner(void *p) { x = 1; y = 1; return 0; }
void *outer(void *p) { pthread_t t; pthread_create(&t, 0, inner, 0); pthread_join(t, 0); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, outer, 0);
  pthread_join(a, 0);
  ${end}
  return 0;
}
`
  expect(verify(nested('assert(x == 0);'), order).verdict).toBe('false')
  expect(verify(nested('assert(x == 1 && y == 1);'), order).verdict).toBe('true')
})

test.each(ORDERS)("a handle that was computed may be another thread's (%s)", (order) => {
  // Handles count up here, so that this waits for the second thread, not for the first one, which never ends.
  const text = twoThreads('int x;', 'while (1) x = !x;', 'x = 2;', 'pthread_join(a + 1, 0); assert(x == 3);')
  expect(verify(text, order).verdict).toBe('false')
})

test.each(ORDERS)('additions commute, a read between them does not (%s)', (order) => {
  const add = (n: number): string => `__VERIFIER_atomic_begin(); x = x + ${n}; __VERIFIER_atomic_end();`
  const sum = twoThreads('int x, y;', add(1), `${add(2)} y = x;`, `${JOINS} assert(x == 3);`)
  expect(verify(sum, order).verdict).toBe('true')
  const read = twoThreads('int x, y;', add(1), `${add(2)} y = x;`, `${JOINS} assert(y == 3);`)
  expect(verify(read, order).verdict).toBe('false')
})

test.each(ORDERS)('an obligation of a step that sleeps is owed (%s)', (order) => {
  // The steps commute as integers; only after the second one the first one's addition overflows.
  const step = (text: string): string => `__VERIFIER_atomic_begin(); ${text} __VERIFIER_atomic_end();`
  const globals = 'int x = 2147483635;'
  const text = twoThreads(globals, step('int k = x + 10; x = k - 10;'), step('x = x + 5;'), `${JOINS} assert(x > 0);`)
  const { assumptions } = verify(text, order)
  expect(assumptions).not.toContainEqual({ kind: 'no-overflow', status: 'discharged' })
})

test.each(ORDERS)('an obligation does not follow from what another thread may have changed since (%s)', (order) => {
  const first = 'z = 1; z = 2; if (x < 10) y = x + 2147483600;'
  const text = twoThreads('int x, y, z;', first, 'x = 100;', `${JOINS} assert(z <= 2 && y >= 0);`)
  expect(verify(text, order)).not.toMatchObject({ verdict: 'true' })
})

test.each(ORDERS)('a thread that halted keeps others from an error only if they wait for it (%s)', (order) => {
  const halts = 'if (x >= 0) exit(0);'
  const waits = twoThreads('int x, y;', halts, 'y = 1;', `${JOINS} assert(y == 0);`)
  expect(verify(waits, order).verdict).toBe('true')
  const goesOn = twoThreads('int x, y;', halts, 'y = 1;', 'pthread_join(b, 0); assert(y == 0);')
  expect(verify(goesOn, order).verdict).toBe('false')
})

test('offsets of elements that wrap are cells of others', () => {
  // With i = -1 and j = 2^62 - 1 both threads write one cell.
  const program = (low: number): string => `${HEAD}int *p; long i, j; long __VERIFIER_nondet_long(void);
void *one(void *q) { p[i] = 1; return 0; }
void *two(void *q) { p[j] = 2; return 0; }
int main(void) {
  pthread_t a, b;
  i = __VERIFIER_nondet_long(); j = __VERIFIER_nondet_long();
  if (i < ${low} || j < ${low} || i > 4611686018427387903 || j > 4611686018427387903 || i == j) return 0;
  p = malloc(__VERIFIER_nondet_int());
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  ${JOINS}
  assert(p[i] == 1);
  return 0;
}
`
  expect(verify(program(0), 'sequential').verdict).toBe('true')
  expect(verify(program(-1), 'sequential').verdict).not.toBe('true')
})

test('offsets may wrap only where pointers are computed in accesses', () => {
  const indexed = (main: string): number =>
    indexedRegions(
      prepare(errorsOf(compileProgram(parser, `${HEAD}int *p, *q;\nint main(void) { ${main} return 0; }`), 'assert')),
    ).size
  const size = 'unsigned n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();'
  expect(indexed(`${size} p = malloc(n * 4); p[i] = 1; assert(p[i] == 1);`)).toBe(1)
  expect(indexed(`${size} p = malloc(n * 4); q = p + n; p[i] = 1; q[i] = 2; assert(p[i] == 1);`)).toBe(0)
  expect(indexed(`${size} p = malloc(n * 4); p[i] = 1; p[-1] = 2; assert(p[i] == 1);`)).toBe(0)
})

test('writes at different indices commute, at the same index they do not', () => {
  const write = (index: string, value: number): string => `cells[${index}] = ${value};`
  const globals = 'int cells[8], i = 1, j = 3;'
  const apart = twoThreads(globals, write('i', 1), write('j', 2), `${JOINS} assert(cells[1] + cells[3] == 3);`)
  expect(verify(apart, 'sequential').verdict).toBe('true')
  const same = twoThreads(globals, write('i', 1), write('j - 2', 2), `${JOINS} assert(cells[1] == 2);`)
  expect(verify(same, 'sequential').verdict).toBe('false')
})

const unsized = (main: string): number =>
  unsizedObjects(
    prepare(errorsOf(compileProgram(parser, `${HEAD}int *p, *q;\nint main(void) { ${main} return 0; }`), 'assert')),
  ).size

test('the size of an allocation does not matter only where no address is looked at', () => {
  const size = 'unsigned n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();'
  expect(unsized(`${size} p = malloc(n * 4); p[i] = 1; assert(p[i] == 1);`)).toBe(1)
  // Compared with another address, or made a number.
  expect(
    unsized(`${size} p = malloc(n * 4); q = malloc(n * 4); p[i] = 1; q[i] = 2; assert(p[i] == 1 || p + i == q);`),
  ).toBe(0)
  expect(unsized(`${size} p = malloc(n * 4); p[i] = 1; assert(p[i] == (int)(long)(p + n));`)).toBe(0)
  // Several instances would lie one after the other.
  expect(
    unsized(`${size} for (int k = 0; k < 2; k++) { q = p; p = malloc(n * 4); p[i] = k; } assert(q[i] == 0);`),
  ).toBe(0)
  // An index beyond what is reserved would be a cell of its own, or none.
  expect(unsized(`${size} p = malloc(n * 4); p[i] = 1; p[1500] = 2; assert(p[i] < 2);`)).toBe(0)
})
