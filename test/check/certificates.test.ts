// The checker of labelled graphs accepts what the engines prove, and nothing that was broken.
import { describe, expect, test } from 'vitest'
import { cegarEngine } from '../../src/engine/cegar/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { libraryKinds, withSmt } from '../smt/backends.js'
import { answer, breaking, CONFIGURATIONS, PROGRAMS, prove, seeded } from './certificates.js'

const parser = await testParser()
const smt = await withSmt(libraryKinds[0]!, (loaded) => loaded)

/** The others are for `bench/trust/certificates.ts`, which takes longer. */
const QUICK = CONFIGURATIONS.filter(([, options]) => options['por'] !== 'none')
const named = QUICK.map(
  (configuration) => [`${configuration[0].name} ${JSON.stringify(configuration[1])}`, configuration] as const,
)

describe.each(PROGRAMS)('%s', (_, safe, unsafe) => {
  test.each(named)('by %s', (_name, configuration) => {
    const raw = compileProgram(parser, safe)
    const data = prove(raw, configuration, smt)
    // Not every configuration proves every program.
    if (data === undefined) return
    expect(answer(raw, data, smt)).toBe('accepted')
    expect(answer(compileProgram(parser, unsafe), data, smt)).toMatch(/^rejected/)
    const [random, changed] = [seeded(7), breaking(raw, data, smt)]
    for (let tries = 0; tries < 4; tries++) {
      const change = changed(random)
      if (change)
        expect({ ...change, answer: answer(raw, change.certificate, smt) }).toMatchObject({
          answer: expect.stringMatching(/^rejected/),
        })
    }
  })
})

test('a proof of an assertion is none of the absence of races', () => {
  const said = ['an unbounded input in a loop', 'a counter under a lock'].map((wanted) => {
    const raw = compileProgram(parser, PROGRAMS.find(([name]) => name === wanted)![1])
    // Everything that is accessed stays in these programs, sliced or not.
    return answer(raw, prove(raw, [cegarEngine, { por: 'basic' }], smt), smt, true)
  })
  expect(said).toEqual([expect.stringContaining('a race is possible'), 'accepted'])
})
