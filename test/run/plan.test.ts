// Plans of `--engine auto`: facts may change what follows, never what has begun already.
import { beforeAll, describe, expect, test } from 'vitest'
import type { CParser } from '../../src/frontend/c/index.js'
import { PROPERTIES } from '../../src/property/index.js'
import type { Request } from '../../src/run/call/request.js'
import { keepsPlace } from '../../src/run/decide.js'
import { planFor } from '../../src/run/plan.js'
import { type Facts, factsOf } from '../../src/xcfa/passes/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const request = (property: string): Request => ({
  files: [],
  property,
  engine: 'auto',
  engineOptions: {},
  dataModel: 'lp64',
  entry: 'main',
  defines: [],
  includeDirs: [],
  arith: 'auto',
  solver: 'auto',
  memoryModel: 'sc',
  spuriousWakeups: true,
  mallocMayFail: false,
  deadline: 0,
  memoryMb: 1000,
})
const ALL_FACTS: readonly Facts[] = [true, false].flatMap((loops) =>
  [true, false].map((startsInLoop) => ({ loops, startsInLoop })),
)

describe.each(PROPERTIES)('%s', (property) => {
  test.each(ALL_FACTS)('begins with the same engine, and has the same ones: %o', (facts) => {
    const [before, after] = [planFor(request(property)), planFor(request(property), facts)]
    expect(after[0]?.engine).toBe(before[0]?.engine)
    const sorted = (plan: ReturnType<typeof planFor>) => plan.map(({ engine }) => engine).sort()
    expect(sorted(after)).toEqual(sorted(before))
  })
})

describe('facts', () => {
  let parser: CParser
  beforeAll(async () => {
    parser = await testParser()
  })
  const factsFor = (main: string): Facts =>
    factsOf(
      compileProgram(
        parser,
        `#include <pthread.h>\nvoid *f(void *a) { return a; }\nint main(void) { pthread_t t; ${main} return 0; }`,
      ),
    )

  test('threads started in a loop', () => {
    expect(factsFor('while (1) pthread_create(&t, 0, f, 0);')).toEqual({ loops: true, startsInLoop: true })
  })
  test('a loop that starts none', () => {
    expect(factsFor('for (int i = 0; i < 3; i++) ; pthread_create(&t, 0, f, 0);')).toMatchObject({
      startsInLoop: false,
    })
  })
  test('no loop at all', () => {
    expect(factsFor('pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0);').loops).toBe(false)
  })
})

test('explicit has a head start, and goes on while fewer states are open', () => {
  const open = (before: number | undefined, now: number | undefined) => ({ before, now })
  expect(keepsPlace('explicit', 0.1, open(undefined, undefined))).toBe(true)
  expect(keepsPlace('explicit', 0.5, open(900, 400))).toBe(true)
  expect(keepsPlace('explicit', 0.5, open(400, 900))).toBe(false)
  expect(keepsPlace('explicit', 0.5, open(undefined, 900))).toBe(false)
  expect(keepsPlace('bmc', 0.1, open(900, 400))).toBe(false)
})
