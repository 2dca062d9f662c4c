// The search is to need memory for one execution, not for all that it has seen.
import { beforeAll, expect, test } from 'vitest'
import { Machine } from '../../../src/engine/graphs/machine.js'
import type { CParser } from '../../../src/frontend/c/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

let parser: CParser
beforeAll(async () => {
  parser = await testParser()
})

test('a point that nobody comes back to does not keep what was read after it for ever', () => {
  const machine = new Machine(compileProgram(parser, 'int x; int main() { int r = x; return r; }'))
  const root = machine.firstPoint()
  const early = machine.afterRead(root, 0, 1)
  for (let value = 0; value < 20_000; value++) machine.afterRead(early, 0, value)
  expect(root.successors).toBeUndefined()
})
