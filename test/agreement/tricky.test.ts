// Programs in the corners where verdicts were wrong (test/generate/tricky.ts, oddities.ts): concurrent ones against brute
// force, with every proof through the checker; sequential ones against the machine's compiler.
import { expect, test } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { hasCompiler } from '../frontend/preprocess/compiler.js'
import { fuzzEngine } from '../generate/fuzz-engine.js'
import { sequentialDisagreement } from '../generate/harness.js'
import { generateOdd } from '../generate/index.js'

test('concurrent programs: explicit, brute force and the checker agree', async () => {
  const wrong = await fuzzEngine(await testParser(), {
    ...{
      engines: ['explicit'],
      grid: [],
      properties: ['assert'],
      arith: 'auto',
      from: 5000,
      count: 20,
      maxStates: 2000,
    },
    ...{ seconds: 2, combinations: 1, source: 'tricky', check: true },
  })
  expect(wrong).toEqual([])
})

test.skipIf(!hasCompiler)('sequential programs compute what the compiler makes of them', async () => {
  const parser = await testParser()
  for (let seed = 300; seed < 325; seed++)
    expect([seed, sequentialDisagreement(parser, generateOdd(seed))]).toEqual([seed, undefined])
})
