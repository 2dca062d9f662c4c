// Integers come first, except where they would have to take values apart into bytes.
import { expect, it } from 'vitest'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { arithmeticsFor } from '../../../src/xcfa/terms/index.js'
import { compiled } from '../../engine/cegar/run.js'

const prepared = async (text: string) => prepare(await compiled(text))

it('a program of ints is told in integers, then in bit-vectors', async () => {
  const program = await prepared('#include <assert.h>\nint a[2], i; int main(void) { a[i] = 1; assert(a[0] == 1); }')
  expect(arithmeticsFor(program, 'auto')).toEqual(['int', 'bv'])
})

it('an int that is also seen byte by byte is told in bit-vectors', async () => {
  const text = `#include <assert.h>
    int x, i; int main(void) { x = 258; assert(((unsigned char *)&x)[i] == 2); }`
  const program = await prepared(text)
  expect(arithmeticsFor(program, 'auto')).toEqual(['bv'])
  expect(arithmeticsFor(program, 'int')).toEqual(['int'])
})
