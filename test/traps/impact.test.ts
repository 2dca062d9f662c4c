// Entries 1 to 3 and 9 of soundness.md for the engine impact: programs on which an algorithm that forgets one of them
// says TRUE.
import { describe, expect, test } from 'vitest'
import { impactEngine } from '../../src/engine/impact/index.js'
import { inconclusive } from '../../src/verdict/reason.js'
import { compiled, solver } from '../engine/impact/support.js'

const program = (declarations: string, threads: readonly string[], after = ''): string => `
  #include <pthread.h>
  #include <stdlib.h>
  #include <assert.h>
  extern int __VERIFIER_nondet_int(void);
  extern void __VERIFIER_assume(int);
  ${declarations}
  ${threads.map((body, i) => `void *T${i}(void *p) { ${body} return 0; }`).join('\n')}
  int main(void) {
    pthread_t ${threads.map((_, i) => `t${i}`).join(', ')};
    ${threads.map((_, i) => `pthread_create(&t${i}, 0, T${i}, 0);`).join(' ')}
    ${after} return 0; }`

const CONFIGURATIONS = ['none', 'spor', 'dpor'].flatMap((por) =>
  ['on', 'off'].map((forceCover) => ({ por, 'force-cover': forceCover })),
)

const expectVerdict = async (text: string, verdict: 'true' | 'false'): Promise<void> => {
  const [raw, smt] = [await compiled(text), await solver()]
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  for (const options of CONFIGURATIONS) {
    let steps = 0
    const env = { stopped: () => (++steps > 5_000 ? inconclusive('enough') : undefined), progress: () => {} }
    const result = impactEngine.verify({ raw, property: 'assert', settings, smt }, options, env)
    // Without force cover some searches do not end: they may give up, but must not be wrong.
    const gaveUp = options['force-cover'] === 'off' && result.verdict === 'unknown'
    if (!gaveUp) expect({ options, verdict: result.verdict }).toEqual({ options, verdict })
  }
}

describe('impact', () => {
  test.each([
    ['1: abort beside an error', program('', ['abort();', 'assert(0);']), 'false'],
    ['1: a failed assumption beside an error', program('int x;', ['__VERIFIER_assume(x);', 'assert(0);']), 'false'],
    [
      '2: an error behind a lock that another thread releases',
      program('int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;', [
        'pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);',
        'pthread_mutex_lock(&m); assert(x == 0); pthread_mutex_unlock(&m);',
      ]),
      'false',
    ],
    [
      '2: an error in a thread that starts late',
      program('int x; void *late(void *p) { assert(x == 0); return 0; }', [
        'pthread_t t; pthread_create(&t, 0, late, 0);',
        'x = 1;',
      ]),
      'false',
    ],
    [
      '4: a local step that is never possible, beside an error',
      program('int x;', [
        'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m);',
        'x = 1; assert(x == 0);',
      ]),
      'false',
    ],
    [
      '4: a local access that is never possible, beside an error',
      program('int x;', ['int a[2]; int *q = a + 9; *q = 1; x = 2;', 'x = 1; assert(x == 0);']),
      'false',
    ],
    ['3: a thread that loops for ever beside an error', program('int x;', ['while (1);', 'assert(x == 1);']), 'false'],
    [
      '3: loops that cover each other',
      program('int x, y;', [
        'while (1) { x = 0; x = 1; }',
        'while (1) { if (y) break; y = 1; y = 0; } assert(0);',
        'y = 1;',
      ]),
      'false',
    ],
    [
      '9: what the covered node would have unwound',
      program('int x, y;', [
        'assert(x == 0); assert(y < 2);',
        'if (__VERIFIER_nondet_int()) y = 1; else x = 1; x = 0;',
      ]),
      'false',
    ],
    [
      '9: the same after a node was only unwound for a cover',
      program('int x, y, z;', [
        'assert(x == 0 || z == 0); assert(y < 2);',
        'if (__VERIFIER_nondet_int()) y = 1; else x = 1; z = 1; x = 0;',
      ]),
      'false',
    ],
  ] as const)('%s', async (_, text, verdict) => {
    await expectVerdict(text, verdict)
  })
})
