// Which programs may tell one allocator from another, and formulas of strangers within their limits.
import { expect, test } from 'vitest'
import { mayShowAddresses } from '../../src/check/addresses.js'
import { formulaOf } from '../../src/check/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const parser = await testParser()

const inMain = (body: string): string =>
  `#include <assert.h>\n#include <stdint.h>\n#include <stdlib.h>\nint x;\nint main(void) { ${body} return 0; }`

test.each([
  ['no heap', 'int *p = &x, *q = &x; assert(p == q);', false],
  ['blocks that live', 'int *p = malloc(4), *q = malloc(4); assert(p != q);', false],
  ['a freed block', 'int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q);', true],
  ['a free at the end', 'int *p = malloc(4), *q = malloc(4); assert(p != q); free(p); free(q);', false],
  ['a number', 'uintptr_t a = (uintptr_t)malloc(4); free((int *)a); assert((uintptr_t)malloc(4) != a);', true],
  ['an order', 'uintptr_t a = (uintptr_t)malloc(4), b = (uintptr_t)malloc(4); assert(a < b);', true],
  ['null', 'int *p = malloc(4); free(p); p = malloc(4); assert(p != 0);', false],
  ['a range', 'int *p = malloc(8), *end = p + 2; for (int *q = p; q < end; q++) *q = 1; assert(p[1] == 1);', false],
])('addresses that may show: %s', (_, body, expected) => {
  expect(mayShowAddresses(compileProgram(parser, inMain(body))) !== undefined).toBe(expected)
})

test('formulas have limits', () => {
  const read = (text: string) => () => formulaOf(text, 'label', () => undefined)
  const nested = (depth: number): string => `${'(not '.repeat(depth)}true${')'.repeat(depth)}`
  expect(read(nested(1000))).not.toThrow()
  expect(read(nested(2000))).toThrow('label: is nested deeper than 1500')
  expect(read('(= (_ bv1 2000) (_ bv1 2000))')).toThrow('label: has an index beyond 1024')
  expect(read(`(= 1${'0'.repeat(200)} 1)`)).toThrow('label: has a number too large')
})
