// Conditional dependence in cegar asks for no instance of an object: what an access to the heap does must not vanish for
// that reason, or a guard that reads it would seem to depend on nobody.
import { expect, it } from 'vitest'
import { FALSE } from '../../src/logic/index.js'
import { summaryOf } from '../../src/reduction/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { createEncoding } from '../../src/xcfa/terms/index.js'
import { compiled } from '../engine/cegar/run.js'

it('an access that is not checked does not block its step', async () => {
  const program = prepare(
    await compiled(`#include <assert.h>
#include <stdlib.h>
int *p;
int main(void) { for (int i = 0; i < 2; i++) p = malloc(sizeof *p); assert(*p == 1); }`),
  )
  const edges = program.main.edges.filter(({ labels }) => labels.some(({ kind }) => kind === 'load'))
  const guards = (unchecked: boolean) =>
    edges.map((edge) => {
      const surroundings = { encoding: createEncoding('bv'), threads: 0, heap: 0, unchecked }
      return summaryOf(edge, program.main, 0, surroundings).guard === FALSE
    })
  expect(guards(false)).toContain(true)
  expect(guards(true)).not.toContain(true)
})
