// Generated programs: cegar agrees with brute force on the raw program. Each program meets a few of the combinations of
// options, and all of them are met in turn; `npm run fuzz` does more.
import { expect, test } from 'vitest'
import { oracle } from '../../src/semantics/index.js'
import { combinations, compiled, verdictOf } from '../engine/cegar/run.js'
import { generate } from '../generate/index.js'

const PROGRAMS = 20
const OPTIONS = combinations({
  domain: ['expl', 'pred-cart', 'pred-bool', 'product'],
  por: ['none', 'basic', 'aapor'],
  prune: ['lazy', 'full'],
  lbe: ['on', 'off'],
  search: ['bfs', 'dfs', 'err'],
  dependence: ['read-write', 'objects'],
  sets: ['persistent', 'source'],
})
/** So many programs later the same combination comes again. */
const STRIDE = 193

test('cegar agrees with brute force', { timeout: 240_000 }, async () => {
  const seen = { true: 0, false: 0 }
  let asked = 0
  const undecided: string[] = []
  for (let seed = 0; seed < PROGRAMS; seed++) {
    const raw = await compiled(generate(seed))
    const expected = oracle(raw, 'assert', { maxStates: 5_000 }).verdict
    if (expected === 'unknown') continue
    seen[expected]++
    for (let i = seed % STRIDE; i < OPTIONS.length; i += STRIDE) {
      const options = OPTIONS[i]!
      const verdict = await verdictOf(raw, options, 4_000)
      asked++
      if (verdict.startsWith('unknown')) undecided.push(`${seed} ${JSON.stringify(options)} ${verdict}`)
      else expect({ seed, options, verdict }).toEqual({ seed, options, verdict: expected })
    }
  }
  expect(seen.true).toBeGreaterThanOrEqual(2)
  expect(seen.false).toBeGreaterThanOrEqual(2)
  expect(undecided.length, undecided.join('\n')).toBeLessThanOrEqual(0.1 * asked)
})
