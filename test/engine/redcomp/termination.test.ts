// RuleTermination: example 2 of redcomp.txt, being blocked for ever, rounds that need composition (soundness.md 16).
import { describe, expect, test } from 'vitest'
import { p1 } from '../../../bench/redcomp/programs.js'
import type { TerminationCertificate } from '../../../src/certificate/index.js'
import { synthesiseRanking } from '../../../src/engine/redcomp/termination/ranking.js'
import { add, ge, gt, INT_SORT, implies, intConst, variable } from '../../../src/logic/index.js'
import { reasonText } from '../../../src/output/reason.js'
import { replay } from '../../../src/semantics/index.js'
import { createSmt, isValid } from '../../../src/smt/index.js'
import type { Result } from '../../../src/verdict/index.js'
import type { Reason } from '../../../src/verdict/reason.js'
import { checkTerminationCertificate } from './check-termination.js'
import { rawOf, run, runRaw } from './support.js'

const verdict = async (text: string): Promise<string> => {
  const result = await run(text, { 'horn-limit': '60000' }, 'termination')
  return result.verdict === 'unknown' ? `unknown: ${reasonText(result.reason)}` : result.verdict
}

const ranksOf = ({ steps }: TerminationCertificate): readonly string[] =>
  steps.flatMap((step) => (step.kind === 'ranking' ? step.ranks : []))

/** Thread 1 of Figure 1 with the loop of example 2 around its two blocks. */
const example2 = p1(1)
  .replace('a = x;', 'a = x;\n  while (a <= 4) {')
  .replace('x = 2 * x + a;', '}\n  x = 2 * x + a;')
  .replace(/assert\(.*\);/, '')

test('example 2 terminates, by a ranking function on a', async () => {
  const result = await run(example2, {}, 'termination')
  expect(result.verdict).toBe('true')
  if (result.verdict !== 'true') return
  const rankings = ranksOf(result.certificate.data as TerminationCertificate)
  expect(rankings.length).toBeGreaterThan(0)
  for (const ranking of rankings) expect(ranking).toMatch(/:a#/)
})

test('two threads that take two locks in different orders may be blocked for ever', async () => {
  const text = `
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *other(void *argument) {
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  pthread_join(t, 0);
  return 0;
}`
  expect(await verdict(text)).toBe('false')
  const ordered = text.replace(
    'lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a)',
    'lock(&a); pthread_mutex_unlock(&a); pthread_mutex_lock(&b)',
  )
  expect(await verdict(ordered)).toBe('true')
})

test('waiting for a flag need not end: nothing is fair', async () => {
  const text = `
#include <pthread.h>
int stop;
void *waiter(void *argument) { while (!stop) { } return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, waiter, 0); stop = 1; pthread_join(t, 0); return 0; }`
  const raw = await rawOf(text)
  const result = await runRaw(raw, {}, 'termination')
  expect(result.verdict).toBe('false')
  if (result.verdict !== 'false') return
  const { reached, violation } = replay(raw, result.trace, 'termination')
  expect(reached).toBe(true)
  expect(violation).toMatchObject({ kind: 'endless', threads: [1] })
})

test('loops in loops end by what their thread alone decides, whatever the others write', async () => {
  const text = `
#include <pthread.h>
int n;
void *writer(void *argument) { for (int i = 0; i < 10; i++) n = n + i; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (int i = 0; i < 100; i++) {
    int j = n;
    while (j > i) j -= 2;
  }
  pthread_join(t, 0);
  return 0;
}`
  expect(await verdict(text)).toBe('true')
})

test('a ranking function with a supporting invariant: the step is positive', async () => {
  const text = (step: number): string => `
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int step = ${step}, x = __VERIFIER_nondet_int();
  if (__VERIFIER_nondet_int()) step = step + 1;
  while (x > 0) { x = x - step; if (x < -1000) return 1; }
  return 0;
}`
  expect(await verdict(text(1))).toBe('true')
  expect(await verdict(text(0))).toBe('false')
})

// Each branch decreases one of two variables and may raise the other: each alone is well-founded, their union is not.
test('two decreasing steps that undo each other are not taken for a proof', async () => {
  const text = `
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = 1, b = 1;
  while (a > 0 || b > 0) {
    if (a > 0) { a = 0; b = 1; } else { b = 0; a = 1; }
  }
  return 0;
}`
  expect(await verdict(text)).toBe('false')
})

test('a ranking function decreases and is bounded on the loop that it was made for', async () => {
  const smt = await createSmt('auto')
  const [x, y] = [variable('x', INT_SORT), variable('y', INT_SORT)]
  const loop = { constraint: ge(x, y), after: new Map([[y, add(y, intConst(2))]]) }
  const ranking = synthesiseRanking(smt, [x, y], [loop])!
  const decreases = ranking.decreases(new Map(), loop.after)
  expect(isValid(smt, implies(loop.constraint, decreases))).toBe(true)
  // x grows: there is none.
  const endless = { constraint: gt(x, y), after: new Map([[x, add(x, intConst(1))]]) }
  expect(synthesiseRanking(smt, [x, y], [endless])).toBe(undefined)
  smt.dispose()
})

describe('the certificate', () => {
  const TEXT = `
#include <pthread.h>
int a = 5;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *down(void *argument) {
  for (int i = 0; i < 3; i++) { pthread_mutex_lock(&m); a = a - 1; pthread_mutex_unlock(&m); }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, down, 0);
  while (a > 3) ;
  pthread_join(t, 0);
  return 0;
}`

  test('holds what a check needs: ranking functions that do not decrease are refused', async () => {
    const raw = await rawOf(TEXT.replace('while (a > 3) ;', ''))
    const smt = await createSmt('auto')
    const { certificate } = (await runRaw(raw, {}, 'termination')) as Extract<Result, { verdict: 'true' }>
    const data = certificate!.data as TerminationCertificate
    expect(checkTerminationCertificate(raw, data, smt)).toBe(undefined)
    expect(ranksOf(data).some((rank) => rank.includes('i#'))).toBe(true)
    const constant = data.steps.map((step) =>
      step.kind === 'ranking' && step.ranks.length > 0 ? { ...step, ranks: ['1'] } : step,
    )
    expect(() => checkTerminationCertificate(raw, { ...data, steps: constant }, smt)).toThrow('does not decrease')
    expect(() => checkTerminationCertificate(raw, { ...data, steps: [] }, smt)).toThrow('is not a ranking')
    // The proof of one program is none of another, which does not end.
    const endless = await rawOf(TEXT)
    let problem: Reason | string | undefined
    try {
      problem = checkTerminationCertificate(endless, data, smt)
    } catch (error) {
      problem = String(error)
    }
    expect(problem).toBeDefined()
    smt.dispose()
  })
})

describe('a counter that runs on', () => {
  const counting = (asked: string): string => `
int stop = 0;
int main(void) {
  unsigned int rounds = 0;
  while (!stop) { rounds = rounds + 1; ${asked} }
  return 0;
}`

  test('keeps no execution from going on for ever where nobody asks about it', async () => {
    const raw = await rawOf(counting(''))
    const result = await runRaw(raw, {}, 'termination')
    expect(result.verdict).toBe('false')
    const { trace } = result as Extract<Result, { verdict: 'false' }>
    const { violation, steps } = replay(raw, trace, 'termination')
    expect(violation?.kind).toBe('endless')
    expect(new Set(steps.map(({ state }) => JSON.stringify(state.threads.at(0)!.locals))).size).toBeGreaterThan(2)
  })

  test('does not where its value ends the loop', async () => {
    expect(await verdict(counting('if (rounds > 3) stop = 1;'))).not.toMatch(/^false/)
  })
})
