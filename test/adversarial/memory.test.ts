// What all engines share about memory, and once got wrong: strides of indices that wrap, pointers that went through
// arithmetic of integers, bit-fields, atomic records, weak atomics, addresses of freed memory, order of evaluation.
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { programsIn, verdictOf } from './programs.js'

const folder = fileURLToPath(new URL('memory', import.meta.url))

describe.each(programsIn(folder).map((program) => [program.name, program] as const))('%s', (_, program) => {
  for (const { name, mayGiveUp } of program.engines)
    test(name, async () => {
      const right = mayGiveUp ? [program.expected, 'unknown'] : [program.expected]
      expect(right).toContain(await verdictOf(program, name))
    })
})
