// What a person reads on the terminal besides the trace.
import { expect, it } from 'vitest'
import { renderReport } from '../../src/output/index.js'
import { LOST_UPDATE, sampleOf } from './sample.js'

const PLAIN = { colour: false, width: 100, stats: false }

it('threads that a loop starts are not counted as one', async () => {
  const { report } = await sampleOf(`#include <pthread.h>
int x;
void *run(void *p) { return p; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, run, 0); return x; }`)
  expect(renderReport(report, PLAIN)).toContain('2 threads or more, 1 shared variable\n')
})

it('an invalid access that was met is pointed at, with the property that shows it', async () => {
  const { report } = await sampleOf('int main(void) { return 0; }')
  const hint = 'Run with --property valid-memsafety to see how'
  const withOpen = (text: string, isAccess: boolean) => {
    const met = { text, file: 'sample.c', line: 1, isAccess }
    return renderReport({ ...report, assumptions: [{ kind: 'defined-behaviour', met, status: 'open' }] }, PLAIN)
  }
  expect(withOpen('invalid access', true)).toContain(hint)
  expect(withOpen('invalid access', true)).toContain('no undefined behaviour (invalid access at sample.c:1)')
  expect(withOpen('division by zero', false)).not.toContain(hint)
})

it('a headline that leaves no room for its place has it on the next line', async () => {
  const { report } = await sampleOf(LOST_UPDATE)
  const lines = (width: number): readonly string[] =>
    renderReport(report, { width, colour: false, stats: false }).split('\n')
  expect(lines(40)[2]).toMatch(/^✗ assertion can fail/)
  expect(lines(40)[3]).toMatch(/^ {2}sample\.c:\d+$/)
  expect(lines(Number.POSITIVE_INFINITY)[2]).toMatch(/^✗ assertion can fail.* sample\.c:\d+$/)
})

it('valid dereferences are open where the program computes addresses, and not because the library does', async () => {
  const threads = (body: string) => `#include <pthread.h>
int x, *p = &x;
void *run(void *argument) { ${body} return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0; }`
  const statusOf = async (body: string) =>
    (await sampleOf(threads(body))).report.assumptions.find(({ kind }) => kind === 'valid-dereferences')?.status
  expect(await statusOf('x = 1;')).toBe('discharged')
  expect(await statusOf('if (x) p = 0; *p = 1;')).toBe('open')
})
