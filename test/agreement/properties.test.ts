// Generated programs: what the engines with a solver say of races, deadlocks, memory and overflow is what brute force
// says. A few programs here; `npm run fuzz -- --engine NAME --property P` asks about many.
import { describe, expect, test } from 'vitest'
import type { Property } from '../../src/property/index.js'
import { generateFor } from '../generate/index.js'
import { bruteForce, byEngine, compiled } from '../property/run.js'

const PROGRAMS = 2
const PROPERTIES: readonly Property[] = ['no-data-race', 'no-deadlock', 'valid-memsafety', 'no-overflow']

/** What was asked of programs that brute force decided. */
const asked = new Map<string, Promise<readonly { readonly seed: number; readonly expected: string }[]>>()
const programs = (property: Property) => {
  let known = asked.get(property)
  if (!known) asked.set(property, (known = decided(property)))
  return known
}

const decided = async (property: Property) => {
  const found: { seed: number; expected: string }[] = []
  for (let seed = 0; found.length < PROGRAMS; seed++) {
    const expected = bruteForce(await compiled(generateFor(property, seed), property), property, 2_000)
    if (!expected.startsWith('unknown')) found.push({ seed, expected })
  }
  return found
}

describe.each(PROPERTIES)('%s', (property) => {
  test.each(['bmc', 'cegar', 'impact'])('%s', { timeout: 120_000 }, async (engine) => {
    let undecided = 0
    for (const { seed, expected } of await programs(property)) {
      const raw = await compiled(generateFor(property, seed), property)
      const found = await byEngine(raw, property, engine, 3_000)
      if (found.startsWith('unknown')) undecided++
      else expect({ seed, verdict: found.split('(')[0] }).toEqual({ seed, verdict: expected.split('(')[0] })
    }
    expect(undecided).toBeLessThanOrEqual(PROGRAMS / 2)
  })
})
