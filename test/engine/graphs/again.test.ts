// Iterations that write again what they have written (again.ts).
import { beforeAll, describe, expect, test } from 'vitest'
import type { CParser } from '../../../src/frontend/c/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { countsOf, runGraphs } from './support.js'

let parser: CParser
beforeAll(async () => {
  parser = await testParser()
})

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
`

/** Treiber's stack: two threads push a node each, and one pops. */
const stack = (cas: string, release: string): string => `${HEAD}
struct node { int value; struct node *next; };
_Atomic(struct node *) top;
void *push(void *v) {
  struct node *n = calloc(1, sizeof *n);
  n->value = 1;
  struct node *t = atomic_load_explicit(&top, memory_order_relaxed);
  do n->next = t; while (!${cas}(&top, &t, n, ${release}, memory_order_relaxed));
  return 0;
}
void *pop(void *p) {
  struct node *t = atomic_load_explicit(&top, memory_order_acquire);
  do if (!t) return 0;
  while (!${cas}(&top, &t, t->next, memory_order_acquire, memory_order_acquire));
  assert(t->value == 1);
  return 0;
}
int main() {
  pthread_t a, b, c;
  pthread_create(&a, 0, push, 0); pthread_create(&b, 0, push, 0); pthread_create(&c, 0, pop, 0);
  return 0;
}`

describe("Treiber's stack on the heap", () => {
  const [weak, strong] = ['atomic_compare_exchange_weak_explicit', 'atomic_compare_exchange_strong_explicit']

  test.each(['sc', 'tso', 'rc11'])('a weak compare-exchange has the executions of a strong one under %s', (model) => {
    const [one, other] = [weak, strong].map((cas) =>
      runGraphs(compileProgram(parser, stack(cas, 'memory_order_release')), model),
    )
    expect(one!.verdict).toBe('true')
    expect(countsOf(one!)).toEqual(countsOf(other!))
  })

  test('a push that does not release races', () => {
    const raw = compileProgram(parser, stack(weak, 'memory_order_relaxed'))
    expect(runGraphs(raw, 'rc11', 'no-data-race', {}).verdict).toBe('false')
  })
})

/** y is 1, then 2, and 1 again, if the loop writes it once more. */
const overwritten = (loop: string, between: string): string => `${HEAD}
int y, g, z; atomic_int x;
void *writer(void *p) { ${loop} z = 1; return 0; }
void *other(void *p) { ${between} y = 2; return 0; }
void *reader(void *p) { int a = y, b = y, c = y; assert(!(a == 1 && b == 2 && c == 1)); return 0; }
int main() {
  pthread_t a, b, c;
  pthread_create(&a, 0, writer, 0); pthread_create(&b, 0, other, 0); pthread_create(&c, 0, reader, 0);
  g = 1;
  return 0;
}`

test.each(['sc', 'tso', 'rc11'])('a repeated write that another one overwrites is not left out under %s', (model) => {
  const loop = 'int e = 0; do y = 1; while (!atomic_compare_exchange_weak(&x, &e, 1));'
  const raw = compileProgram(parser, overwritten(loop, ''))
  expect(runGraphs(raw, model, 'assert', {}).verdict).not.toBe('true')
})

test('under pso a repeated write may come after what the thread writes later', () => {
  const raw = compileProgram(parser, overwritten('do y = 1; while (!g);', 'if (z != 1) return 0;'))
  expect(runGraphs(raw, 'pso', 'assert', { unroll: '2' }).verdict).toBe('false')
})
