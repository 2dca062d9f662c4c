// The examples of impact.txt: Figure 1, the program of section IV-C, and Definition 4.3 on the paths that are unwound.
import { describe, expect, test } from 'vitest'
import { checkProof } from './check-proof.js'
import { compiled, run, solver, unexcused } from './support.js'

/** Figure 1. As printed it ends with v[j] = -1: `v[j] >= 0` fails, `v[j] < 0` holds. */
const figure1 = (assertion: string): string => `
  #include <pthread.h>
  #include <assert.h>
  extern int __VERIFIER_nondet_int(void);
  extern void __VERIFIER_assume(int);
  int v[2]; int i, j;
  void *T1(void *a) { v[i] = 1; v[i] = v[i] + 1; v[i] = v[j]; return 0; }
  void *T2(void *a) { v[j] = -2; v[j] = v[j] + 1; v[i] = v[i] + 1; return 0; }
  int main() {
    pthread_t a, b;
    i = __VERIFIER_nondet_int(); j = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i < 2 && j >= 0 && j < 2);
    __VERIFIER_assume(i != j);
    v[i] = 0; v[j] = 0;
    pthread_create(&a, 0, T1, 0); pthread_create(&b, 0, T2, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(${assertion});
  }`

/** Section IV-C: the second thread may write x or not; the first one asserts that it does not, and reads y, too. */
const branching = (first: string, second: string): string => `
  #include <pthread.h>
  #include <assert.h>
  extern int __VERIFIER_nondet_int(void);
  int x, y;
  void *T1(void *a) { assert(x == 0); assert(y < 2); return 0; }
  void *T2(void *a) { if (__VERIFIER_nondet_int()) ${first} else ${second} x = 0; return 0; }
  int main() {
    pthread_t a, b;
    pthread_create(&a, 0, T1, 0); pthread_create(&b, 0, T2, 0);
    return 0;
  }`

describe('Figure 1', () => {
  test('as printed, its assertion fails', async () => {
    expect(run(await compiled(figure1('v[j] >= 0')), await solver(), {}, 'int').outcome.kind).toBe('error')
  })
  test('v[j] < 0 holds, and conditional dependence needs fewer nodes', async () => {
    const [raw, smt] = [await compiled(figure1('v[j] < 0')), await solver()]
    const conditional = run(raw, smt, {}, 'int')
    expect(conditional.outcome.kind).toBe('safe')
    expect(checkProof(conditional.impact, conditional.transitions, smt)).toBeUndefined()
    const unconditional = run(raw, smt, { conditionalDependence: false }, 'int')
    expect(unconditional.outcome.kind).toBe('safe')
    expect(conditional.impact.tree.nodes.length).toBeLessThan(unconditional.impact.tree.nodes.length)
  })
})

describe('section IV-C', () => {
  const programs = [branching('x = 1;', 'y = 1;'), branching('y = 1;', 'x = 1;')]
  test('the violation is found with cover expansions', async () => {
    const smt = await solver()
    for (const text of programs) expect(run(await compiled(text), smt).outcome.kind).toBe('error')
  })
  test('and missed without them', async () => {
    const smt = await solver()
    const kinds = []
    for (const text of programs)
      kinds.push(run(await compiled(text), smt, { coverExpansions: false, pruneEdges: false }).outcome.kind)
    expect(kinds).toContain('safe')
  })
})

describe('Definition 4.3', () => {
  test('paths are monotonic, except by LOOP or for the sake of a cover', async () => {
    const text = `
      #include <pthread.h>
      #include <assert.h>
      int x, y, z, turn;
      void *T1(void *a) { x = 1; y = 1; return 0; }
      void *T2(void *a) { z = 1; while (turn == 0) z = 2; x = 2; return 0; }
      void *T3(void *a) { turn = 1; z = 3; y = 2; return 0; }
      int main() {
        pthread_t a, b, c;
        pthread_create(&a, 0, T1, 0); pthread_create(&b, 0, T2, 0); pthread_create(&c, 0, T3, 0);
        pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
        assert(x <= 2);
      }`
    const smt = await solver()
    const raw = await compiled(text)
    const reduced = run(raw, smt, {}, 'int')
    expect(reduced.outcome.kind).toBe('safe')
    expect(checkProof(reduced.impact, reduced.transitions, smt)).toBeUndefined()
    expect(unexcused(reduced.impact)).toEqual([])
    const full = run(raw, smt, { por: 'none' }, 'int')
    expect(full.outcome.kind).toBe('safe')
    expect(unexcused(full.impact).length).toBeGreaterThan(0)
  })
})
