// Memory that nothing initialised, where only some bits of a cell are ever looked at: those of its bit-fields.
import { expect, test } from 'vitest'
import { oracle } from '../../src/semantics/exploration/oracle.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { compileText } from '../frontend/lower/support.js'

const verdict = (text: string): string =>
  oracle(prepare(compileText(`#include <assert.h>\n#include <stdlib.h>\n${text}`).program), 'assert').verdict

const FLAGS = 'struct flags { int n; unsigned open : 1, : 4, full : 1, many : 3, : 20; int last; };'

test('bit-fields of a record on the heap are written one by one', () => {
  expect(
    verdict(`${FLAGS} int main(void) { struct flags *f = malloc(sizeof *f); f->full = 0; f->many = 5; f->open = 1;
      assert(f->open && !f->full && f->many == 5); }`),
  ).toBe('true')
})

test.each(['f->many != 7', 'f->many != 0', '(f->open || f->full)', '!(f->open && f->full)'])(
  'a bit-field that nothing wrote has any value: %s',
  (claim) => {
    expect(
      verdict(
        `${FLAGS} int main(void) { struct flags *f = malloc(sizeof *f); ${
          claim.includes('many') ? 'f->open = 1; f->full = 1;' : 'f->many = 1;'
        } assert(${claim}); }`,
      ),
    ).toBe('false')
  },
)

test('all bits count where a number is read whole behind its fields', () => {
  expect(
    verdict(`union word { struct { unsigned low : 2, : 30; } part; unsigned all; };
      int main(void) { union word *w = malloc(sizeof *w); w->part.low = 1; assert((w->all & 64) == 0); }`),
  ).toBe('false')
})

test('bits that are shifted into sight, or are copies of the sign, count', () => {
  expect(
    verdict(`struct signs { int low : 8, high : 3; };
      int main(void) { struct signs *s = malloc(sizeof *s); s->low = 0; assert((s->high & 256) == 0); }`),
  ).toBe('false')
})

test('bits count that are seen in a copy', () => {
  expect(
    verdict(`${FLAGS} int main(void) { struct flags *f = malloc(sizeof *f), *g = malloc(sizeof *g);
      f->n = f->last = 0; f->open = 1; *g = *f; assert(g->many != 7); }`),
  ).toBe('false')
})
