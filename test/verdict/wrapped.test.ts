// A counterexample names the signed overflow that it relies on, with its place; one that relies on none does not.
import { expect, test } from 'vitest'
import { assumptionText } from '../../src/output/ledger.js'
import { sampleOf } from '../output/sample.js'

const program = (update: string): string => `#include <assert.h>
int n = 2147483647;
unsigned u = 4294967295u;
int a[2] = {2147483647, 1};
int main(void) {
  int k = a[0];
  ${update}
  assert(0);
}`

const wraps = async (update: string): Promise<readonly string[]> => {
  const { report } = await sampleOf(program(update))
  expect(report.verdict).toBe('false')
  return report.assumptions
    .map(assumptionText)
    .filter((what) => what.includes('signed overflow'))
    .map((what) => what.replace(/at \S*\//, 'at '))
}

test.each([
  ['n = n + 1;', 'n = n + 1'],
  ['n++;', 'n++'],
  ['n = -1 - n;', undefined],
  ['n = -n - 2;', 'n = -n - 2'],
  ['n = k * a[1];', undefined],
  ['n = k * (a[1] + 1);', 'n = k * (a[1] + 1)'],
  ['u = u + 1;', undefined],
  ['n = (int)(u + 1u);', undefined],
  ['n = n > 0 ? n - 1 : n + 1;', undefined],
])('%s', async (update, text) => {
  const expected = text && `that signed overflow wraps, which C leaves undefined (${text} at sample.c:7)`
  expect(await wraps(update)).toEqual(expected === undefined ? [] : [expected])
})
