// Defects of engines that agreement with brute force had not shown: errors inside atomic blocks, locks that may be
// another one, exits after inputs, labels of roots, conditions that nobody signals; and programs that newer engines
// (commute, graphs, the counting of threads) might take for others: loops that only seem idle, joins, exits, instances.
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { programsIn, verdictOf } from './programs.js'

const folder = fileURLToPath(new URL('engines', import.meta.url))

describe.each(programsIn(folder).map((program) => [program.name, program] as const))('%s', (_, program) => {
  for (const { name, mayGiveUp } of program.engines)
    test(name, async () => {
      const right = mayGiveUp ? [program.expected, 'unknown'] : [program.expected]
      expect(right).toContain(await verdictOf(program, name))
    })
})
