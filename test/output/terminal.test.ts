// What a person reads on the terminal besides the trace.
import { expect, it } from 'vitest'
import { renderReport } from '../../src/output/index.js'
import { sampleOf } from './sample.js'

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
  const hint = '--property valid-memsafety shows how'
  const withOpen = (what: string) =>
    renderReport({ ...report, assumptions: [{ what: `no undefined behaviour (${what})`, status: 'open' }] }, PLAIN)
  expect(withOpen('invalid access at sample.c:1')).toContain(hint)
  expect(withOpen('division by zero at sample.c:1')).not.toContain(hint)
})
