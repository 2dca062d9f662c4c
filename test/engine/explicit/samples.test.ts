// Where not all values can be tried, a sample is: it finds errors, it is bounded however many choices a step makes,
// and it proves nothing. The verdicts follow from C alone.
import { describe, expect, it } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import { replay } from '../../../src/semantics/index.js'
import { compileText } from '../../frontend/lower/support.js'

const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
const env = { stopped: () => undefined, progress: () => {} }

const resultOf = (body: string) => {
  const { program: raw } = compileText(`
    #include <stdlib.h>
    extern int __VERIFIER_nondet_int(void);
    extern void __VERIFIER_atomic_begin(void);
    extern void __VERIFIER_atomic_end(void);
    extern void reach_error(void);
    int sum, g[12];
    int main(void) { ${body} return 0; }`)
  const result = explicitEngine.verify({ raw, property: 'unreach-call', settings }, { por: 'both' }, env)
  if (result.verdict === 'false') expect(replay(raw, result.trace, 'unreach-call').reached).toBe(true)
  return result
}

/** An array that is arbitrary anew in each round: as many choices in one step as it has elements. */
const rounds = (test: string): string => `
  for (int round = 0; round < 2; round++) {
    int a[20];
    a[round] = round;
    for (int i = 0; i < 2; i++) sum += a[i] & 1;
  }
  if (${test}) reach_error();`

const chosen = Array.from({ length: 12 }, (_, i) => `g[${i}] = __VERIFIER_nondet_int();`).join(' ')

describe('samples', () => {
  it.each([
    ['an array in a loop', rounds('sum == 1')],
    [
      'one atomic block',
      `__VERIFIER_atomic_begin(); ${chosen} __VERIFIER_atomic_end(); if (g[0] * g[1] == 2) reach_error();`,
    ],
    [
      'sizes of objects',
      'int n = __VERIFIER_nondet_int(); int *p = malloc(4 * (size_t)n); p[0] = n; if (p[0] * n == 4) reach_error();',
    ],
  ])('find an error: %s', (_, body) => {
    expect(resultOf(body).verdict).toBe('false')
  })

  it.each([
    ['an array in a loop', rounds('sum > 4')],
    [
      'one atomic block',
      `__VERIFIER_atomic_begin(); ${chosen} __VERIFIER_atomic_end(); if (g[11] == 77) reach_error();`,
    ],
    [
      'sizes of objects',
      'int n = __VERIFIER_nondet_int(); int *p = malloc(4 * (size_t)n); p[0] = 1; if (n == 77) reach_error();',
    ],
  ])('prove nothing: %s', (_, body) => {
    expect(resultOf(body).verdict).not.toBe('true')
  })
})
