// Threads of any number: locks that a program builds itself, counting, pairs; and the certificate of such a proof.
import { beforeAll, describe, expect, test } from 'vitest'
import type { HornCertificate } from '../../../src/certificate/index.js'
import { type Configuration, clausesOf, threadsFor } from '../../../src/engine/redcomp/safety/clauses.js'
import { bounded, strengthened, withoutGoals } from '../../../src/engine/redcomp/solution.js'
import { createSmt, type Smt } from '../../../src/smt/index.js'
import { checkHornCertificate } from './check-horn.js'
import { inferred, rawOf, run } from './support.js'

const verdict = async (text: string, options: Record<string, string> = {}): Promise<string> =>
  (await run(text, { 'horn-limit': '20000', ...options })).verdict

const HEADER = `
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
`

/** A lock of the program's own around a counter; `release` is what gives it back. */
const ownLock = (release: string): string => `${HEADER}
int taken = 0, inside = 0;
void take(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(taken == 0); taken = 1; __VERIFIER_atomic_end(); }
void *worker(void *argument) {
  take();
  inside = inside + 1;
  assert(inside == 1);
  inside = inside - 1;
  taken = 0;
  return 0;
}
void *other(void *argument) { ${release} return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, worker, 0);
  return 0;
}`

describe('a lock that the program builds itself', () => {
  test('protects: what is inside moves, and the proof holds for any number', async () => {
    const text = ownLock('')
    const { movers, edges } = await inferred(text)
    const accesses = edges('worker', 'inside = inside + 1')
    expect(accesses.length).toBeGreaterThan(0)
    for (const edge of accesses) expect(movers.of(edge)).toBe('both')
    for (const edge of edges('worker', '__VERIFIER_assume')) expect(movers.of(edge)).toBe('right')
    expect(await verdict(text)).toBe('true')
  })

  test('protects nothing if somebody gives it back who does not hold it', async () => {
    const text = ownLock('taken = 0;')
    const { movers, edges } = await inferred(text)
    for (const edge of edges('worker', 'inside = inside + 1')) expect(movers.of(edge)).toBe('non')
    expect(await verdict(text, { view: 'threads', 'horn-limit': '1000' })).not.toBe('true')
  })
})

/** Everybody registers, does something, and is counted again at the end. */
const counting = (claim: string): string => `${HEADER}
int entered = 0, left = 0;
void *visitor(void *argument) {
  __VERIFIER_atomic_begin(); entered++; __VERIFIER_atomic_end();
  assert(${claim});
  __VERIFIER_atomic_begin(); left++; __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n < 1000);
  for (int i = 0; i < n; i++) pthread_create(&t, 0, visitor, 0);
  return 0;
}`

describe('counting', () => {
  test('who is inside has entered and not left', async () => {
    expect(await verdict(counting('left < entered'))).toBe('true')
  })
  test('nobody knows that he is the last one', async () => {
    expect(await verdict(counting('left + 1 == entered'), { view: 'threads', 'horn-limit': '1000' })).not.toBe('true')
  })
})

describe('the certificate', () => {
  let smt: Smt
  let certificate: HornCertificate
  beforeAll(async () => {
    smt = await createSmt('auto')
    const result = await run(ownLock(''))
    if (result.verdict !== 'true') throw new Error('not proved')
    certificate = result.certificate.data as HornCertificate
  }, 60_000)
  const problem = async (text: string, changed: Partial<HornCertificate> = {}): Promise<string | undefined> =>
    checkHornCertificate(await rawOf(text), 'assert', { ...certificate, ...changed }, smt)

  test('is accepted', async () => {
    expect(await problem(ownLock(''))).toBe(undefined)
  })
  test('is about this program', async () => {
    expect(await problem(ownLock('').replace('inside == 1', 'inside == 2'))).toMatch(/not those of this program/)
  })
  test('must make every clause valid', async () => {
    const weaker = certificate.solution!.map((d) => d.replace(/Bool .*$/s, 'Bool true)'))
    expect(await problem(ownLock(''), { solution: weaker })).toMatch(/is not valid/)
    expect(await problem(ownLock(''), { solution: certificate.solution!.slice(1) })).toMatch(/no definition/)
  })
})

/** Whether bounds alone leave no goal open. */
const provedByBounds = async (text: string, change: Partial<Configuration>): Promise<boolean> => {
  const smt = await createSmt('auto')
  const configuration: Configuration = {
    ...{ reduction: true, merged: true, view: 'threads', arithmetic: 'int', overflow: true },
    ...{ positions: false, owners: true, counts: false, ...change },
  }
  const clauses = clausesOf(threadsFor(await rawOf(text), 'assert', configuration), configuration)!
  const facts = bounded(smt, strengthened(clauses.rules, false), { pairs: 10, checks: 20_000 })!
  smt.dispose()
  return withoutGoals(facts) !== undefined
}

/** Updates that may be lost: x is at most the number of those that are done. */
const lostUpdates = (most: number): string => `${HEADER}
int x = 0;
void *increment(void *argument) { int t = x; x = t + 1; return 0; }
void *observe(void *argument) { assert(x <= ${most}); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, observe, 0);
  for (int i = 0; i < 20; i++) pthread_create(&t, 0, increment, 0);
  return 0;
}`

test('inequalities between a variable and how many threads are done', async () => {
  expect(await provedByBounds(lostUpdates(20), { counts: true })).toBe(true)
  expect(await provedByBounds(lostUpdates(19), { counts: true })).toBe(false)
  // Without counts nothing says how often x was changed.
  expect(await provedByBounds(lostUpdates(20), {})).toBe(false)
})

/** Everybody takes a number, and is served when it is called. */
const TICKETS = `${HEADER}
unsigned int called = 0, free_number = 0;
int inside = 0;
void *customer(void *argument) {
  unsigned int mine;
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(free_number != 4294967295u);
  mine = free_number;
  free_number = free_number + 1;
  __VERIFIER_atomic_end();
  __VERIFIER_assume(called == mine);
  inside = 1;
  assert(inside == 1);
  inside = 0;
  called = called + 1;
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, customer, 0);
  return 0;
}`

test('tickets: two threads never have the same number', async () => {
  expect(await provedByBounds(TICKETS, { view: 'pairs' })).toBe(true)
})
