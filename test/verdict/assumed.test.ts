// The ledger of a TRUE, whichever engine says it: what may cut executions short, or rests on a choice of ours, is named.
import { expect, test } from 'vitest'
import { compile } from '../../src/frontend/c/index.js'
import { assumptionText } from '../../src/output/ledger.js'
import { renderReport } from '../../src/output/terminal.js'
import type { Property } from '../../src/property/index.js'
import { type Assumption, assumedOfExecution, type Report, reportOf } from '../../src/verdict/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const HEAD = `#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;
`

const reported = async (
  text: string,
  said: readonly Assumption[] = [],
  property: Property = 'assert',
): Promise<Report> => {
  const raw = compileProgram(await testParser(), HEAD + text, property)
  const certificate = { kind: 'bounded', data: { bound: 1, encoding: 'partial-order' } } as const
  const options = { memoryModel: 'sc', spuriousWakeups: true, mallocMayFail: false, notes: [] } as const
  return reportOf(
    { verdict: 'true', certificate, stats: {}, assumptions: said },
    { raw, property, file: 'a.c', engine: 'bmc', options: {}, time_ms: 1, ...options },
  )
}

const open = ({ assumptions }: Report): readonly string[] =>
  assumptions.filter(({ status }) => status === 'open').map(assumptionText)

test('a division that may be by zero is named, with its place', async () => {
  const found = open(await reported('int main(void) { unsigned n = __VERIFIER_nondet_int(); return 100 / n; }'))
  expect(found).toContain('that there is no undefined behaviour (division by zero at generated.c:5)')
})

test('nothing of it is open where there is none, and where locks are held', async () => {
  const report = await reported(`int main(void) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); x = 1;
    pthread_mutex_unlock(&m); return 0; }`)
  expect(open(report)).toEqual(['sequential consistency'])
  expect(report.assumptions).toContainEqual({ kind: 'defined-behaviour', status: 'discharged' })
})

test('to unlock what is held on one way only is open', async () => {
  const found = open(
    await reported(
      'int main(void) { if (__VERIFIER_nondet_int()) pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }',
    ),
  )
  expect(found.some((what) => what.includes('unlock of a mutex that the thread does not hold'))).toBe(true)
})

// C11 6.5.7p4 and 6.5.5p6: a shift into the sign, and the quotient that has no place in its type.
test.each([
  ['1 << n', true],
  ['n << 1', true],
  ['n / m', true],
  ['(n & 7) << 3', false],
  ['n / 2', false],
  ['n % 2', false],
])('%s: signed overflow is an assumption: %s', async (expression, expected) => {
  const text = `int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); x = ${expression}; return m; }`
  expect(open(await reported(text)).includes('that signed overflow wraps')).toBe(expected)
})

test('a program that was executed once rests on malloc and on wrapping, too', async () => {
  const parser = await testParser()
  const unitOf = (body: string) =>
    compile([{ name: 'a.c', text: `#include <stdlib.h>\nint main(void) { ${body} }` }], { dataModel: 'lp64' }, parser)
      .unit
  const kinds = (body: string): readonly string[] =>
    assumedOfExecution(unitOf(body), { property: 'assert', mallocMayFail: false }).map(({ kind }) => kind)
  expect(kinds('return 0;')).toEqual([])
  expect(kinds('int *p = malloc(4); free(p); return 0;')).toContain('malloc-succeeds')
  expect(kinds('int i = 0; while (i < 3) i = i + 1; return 0;')).toEqual(['overflow-wraps'])
})

test('signed overflow wraps, unless it was shown not to happen', async () => {
  const text = 'int main(void) { int n = __VERIFIER_nondet_int(); x = n + 1; return 0; }'
  expect(open(await reported(text))).toContain('that signed overflow wraps')
  const shown: Assumption = { kind: 'no-overflow', status: 'discharged' }
  expect(open(await reported(text, [shown]))).not.toContain('that signed overflow wraps')
})

test('malloc succeeds', async () => {
  expect(open(await reported('int main(void) { char *p = malloc(4); free(p); return 0; }'))).toContain(
    'that malloc succeeds',
  )
  expect(open(await reported('int main(void) { return 0; }'))).not.toContain('that malloc succeeds')
})

test('memory that only variables point to at an exit is named', async () => {
  const at = (end: string): Promise<Report> =>
    reported(
      `int main(void) { char *p = malloc(4); if (__VERIFIER_nondet_int()) ${end}; free(p); return 0; }`,
      [],
      'valid-memsafety',
    )
  const what = 'that what variables point to when exit or abort is called is not lost'
  expect(open(await at('exit(1)'))).toContain(what)
  expect(open(await at('x = 2'))).not.toContain(what)
})

test('that nothing else is assumed is said of a whole ledger only', async () => {
  const report = await reported('int main(void) { return 0; }')
  const style = { width: 100, colour: false, stats: false }
  expect(renderReport(report, style)).toContain('and nothing else')
  const part = report.assumptions.filter(({ kind }) => kind !== 'defined-behaviour')
  expect(renderReport({ ...report, assumptions: part }, style)).not.toContain('and nothing else')
})

test('that a failing trylock orders what the owner did before is an open assumption of race freedom', async () => {
  const ASSUMED = /^that a trylock that fails synchronises/
  const program = (take: string) => `void *t(void *p) { x = 1; pthread_mutex_lock(&m); return 0; }
    int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); if (${take}(&m)) x = 3; pthread_join(p, 0); return 0; }`
  const tried = program('pthread_mutex_trylock')
  expect(open(await reported(tried, [], 'no-data-race'))).toContainEqual(expect.stringMatching(ASSUMED))
  expect(open(await reported(tried))).not.toContainEqual(expect.stringMatching(ASSUMED))
  const locked = open(await reported(program('pthread_mutex_lock'), [], 'no-data-race'))
  expect(locked).not.toContainEqual(expect.stringMatching(ASSUMED))
})
