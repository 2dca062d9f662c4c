// The number of executions is counted again by interleavings: one that was changed is rejected.
import { expect, it } from 'vitest'
import { type Answer, checkCertificate } from '../../src/check/index.js'
import { errorsOf } from '../../src/property/index.js'
import { runGraphs } from '../engine/graphs/support.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { libraryKinds, withSmt } from '../smt/backends.js'

const parser = await testParser()
const smt = await withSmt(libraryKinds[0]!, (loaded) => loaded)

const TASK = { dataModel: 'lp64', entry: 'main', defines: [], spuriousWakeups: true, mallocMayFail: false } as const

// Two increments, and one who reads what they count.
const program = (assumed: string): string => `#include <pthread.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
atomic_int x;
void *t(void *p) { atomic_fetch_add(&x, 1); return 0; }
void *u(void *p) { int r = x; __VERIFIER_assume(${assumed}); return 0; }
int main() { pthread_t a, b, c; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); pthread_create(&c, 0, u, 0); return 0; }`

const answerOf = (text: string, change: { executions?: number; blocked?: number; digest?: string }): Answer => {
  const raw = compileProgram(parser, text)
  const result = runGraphs(raw, 'sc')
  if (result.verdict !== 'true' || result.certificate.kind !== 'executions') throw new Error('no proof')
  const { kind, data } = result.certificate
  const certificate = { kind, data: { ...data, ...change } }
  const file = {
    property: 'assert' as const,
    engine: 'graphs',
    assumptions: [],
    certificate,
    task: { ...TASK, hashes: [] },
  }
  const errors = errorsOf(raw, 'assert')
  const deadline = Date.now() + 60_000
  return checkCertificate({ raw, errors, property: 'assert', memoryModel: 'sc', file, smt, now: Date.now, deadline })
}

it('accepts the number, and says that it was counted', () => {
  // Two orders of the increments, and the reader before, between or after them.
  expect(answerOf(program('1'), {})).toMatchObject({
    kind: 'accepted',
    how: expect.stringMatching(/; 6 executions counted again$/),
  })
  expect(answerOf(program('r != 1'), {})).toMatchObject({
    kind: 'accepted',
    how: expect.stringMatching(/; 4 executions counted again$/),
  })
})

it('does not accept other executions, even if they are as many', () => {
  expect(answerOf(program('1'), { digest: '0123456789abcdef' }).kind).toBe('unknown')
})

// The compare-exchange succeeds with 0 or with 2, whatever has failed before.
it('counts no attempts that failed', () => {
  const text = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *t(void *p) { int r = x; while (!atomic_compare_exchange_strong(&x, &r, r + 1)); return 0; }
void *u(void *p) { x = 2; return 0; }
int main() { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, u, 0); return 0; }`
  expect(answerOf(text, {})).toMatchObject({
    kind: 'accepted',
    how: expect.stringMatching(/; 2 executions counted again$/),
  })
})

// Each thread has a block of its own and counts; who publishes first is who is seen last.
it('counts with blocks of the heap, wherever they lie', () => {
  const text = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) last;
void *t(void *p) { int *own = malloc(sizeof(int)); *own = 1; last = own; return 0; }
int main() { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0); return 0; }`
  expect(answerOf(text, {})).toMatchObject({
    kind: 'accepted',
    how: expect.stringMatching(/; 2 executions counted again$/),
  })
})

it('rejects another number', () => {
  for (const change of [{ executions: 5 }, { executions: 7 }, { blocked: 1 }])
    expect(answerOf(program('1'), change).kind).toBe('rejected')
  expect(answerOf(program('r != 1'), { blocked: 0 }).kind).toBe('rejected')
})
