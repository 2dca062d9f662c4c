// Generated C without threads computes what the machine's compiler makes of it (-fwrapv): promotions, conversions,
// bit-fields, shifts, pointers, control flow, from the text to the interpreter.
import { describe, expect, test } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { hasCompiler } from '../frontend/preprocess/compiler.js'
import { bruteForce, sequentialDisagreement } from '../generate/harness.js'
import { checkable, generateSequential } from '../generate/index.js'

const parser = await testParser()

describe.skipIf(!hasCompiler)('generated sequential programs', () => {
  test.each(Array.from({ length: 10 }, (_, group) => group))('group %i of ten', (group) => {
    for (let seed = group * 10; seed < group * 10 + 10; seed++)
      expect({ seed, problem: sequentialDisagreement(parser, generateSequential(seed)) }).toEqual({
        seed,
        problem: undefined,
      })
  })

  test('a wrong claim is noticed', () => {
    expect(bruteForce(parser, checkable(generateSequential(0), 12345n)).verdict).toBe('false')
  })
})
