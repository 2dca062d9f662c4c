// Context bounding against brute force: the fewest switches that a violation needs are worked out on the raw program,
// state by state and thread by thread, and a search within so many must find one.
import { expect, test } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import type { Property } from '../../../src/property/index.js'
import { interpreterOf, replay, type State, type StateProperty, violationAt } from '../../../src/semantics/index.js'
import type { PartialFact, Result } from '../../../src/verdict/index.js'
import { inconclusive } from '../../../src/verdict/reason.js'
import type { Program } from '../../../src/xcfa/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generateFor } from '../../generate/index.js'

const parser = await testParser()

const MAX_PLACES = 1_500

/** undefined: no violation; 'large': too many states. */
const fewestSwitches = (raw: Program, property: Property): number | undefined | 'large' => {
  const interpreter = interpreterOf(raw)
  const seen = new Set<string>()
  let level: { readonly state: State; readonly thread: number }[] = interpreter
    .initial()
    .map((state) => ({ state, thread: 0 }))
  for (let switches = 0; level.length > 0; switches++) {
    const next: typeof level = []
    for (const { state, thread } of level) {
      const key = `${thread} ${interpreter.key(state)}`
      if (seen.has(key)) continue
      if (seen.add(key).size > MAX_PLACES) return 'large'
      const successors = interpreter.successors(state)
      if (violationAt(interpreter, property as StateProperty, state, successors)) return switches
      const waits = successors.every(({ step }) => step.thread !== thread || step.edge.sync?.spurious === true)
      for (const { step, state: after } of successors)
        (step.thread === thread || waits ? level : next).push({ state: after, thread: step.thread })
    }
    level = next
  }
  return undefined
}

const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

const search = (
  raw: Program,
  property: Property,
  options: Readonly<Record<string, string>>,
): { readonly result: Result; readonly facts: readonly PartialFact[] } => {
  const facts: PartialFact[] = []
  const env = { stopped: () => undefined, progress: () => {}, known: (fact: PartialFact) => void facts.push(fact) }
  return { result: explicitEngine.verify({ raw, property, settings: SETTINGS }, options, env), facts }
}

test('a violation is found within the switches that it needs, and never denied within them', () => {
  const counts = new Map<number | undefined | 'large', number>()
  for (const property of ['assert', 'no-data-race', 'no-deadlock'] as const)
    for (let seed = 0; seed < 10; seed++) {
      const raw = compileProgram(parser, generateFor(property, seed), property)
      const fewest = fewestSwitches(raw, property)
      counts.set(fewest, (counts.get(fewest) ?? 0) + 1)
      if (fewest === 'large') continue
      const all = search(raw, property, { order: 'switches' })
      const within = search(raw, property, { contexts: String(Math.max(1, fewest ?? 2)) })
      if (fewest === undefined) {
        expect({ property, seed, verdict: all.result.verdict }).not.toMatchObject({ verdict: 'false' })
        expect({ property, seed, verdict: within.result.verdict }).toMatchObject({ verdict: 'unknown' })
        continue
      }
      for (const { result, facts } of [all, within]) {
        const claimed = facts.map((fact) => (fact.kind === 'switches' ? fact.switches : -1))
        expect(Math.max(-1, ...claimed), `${property} ${seed}`).toBeLessThan(fewest)
        if (result.verdict === 'false') expect(replay(raw, result.trace, property).reached).toBe(true)
        else expect(result, `${property} ${seed}`).toMatchObject({ verdict: 'unknown', reason: { kind: 'sampled' } })
      }
    }
  // Violations with and without switches were among them.
  expect(counts.get(0)).toBeGreaterThan(1)
  expect(counts.get(1)).toBeGreaterThan(1)
  expect(counts.get(undefined)).toBeGreaterThan(5)
})

const ORDER = `
#include <pthread.h>
#include <assert.h>
int a, b, c, limit = 5;
void *other(void *x) { a = 1; if (b == 1) c = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  if (a == 1) { b = 1; pthread_join(t, 0); assert(c == 0); }
}`

test('a bug that needs two switches is not found with one', () => {
  const raw = compileProgram(parser, ORDER)
  expect(search(raw, 'assert', { contexts: '1' }).result).toMatchObject({
    verdict: 'unknown',
    reason: inconclusive('no violation within 1 context switch'),
  })
  expect(search(raw, 'assert', { contexts: '2' }).result.verdict).toBe('false')
})

test('what the passes prove is told assertion by assertion', () => {
  const text = ORDER.replace('assert(c == 0);', 'assert(limit < 6); assert(c == 0);')
  const { facts } = search(compileProgram(parser, text), 'assert', { contexts: '1' })
  const claims = facts.find(({ kind }) => kind === 'assertions')
  expect(claims).toMatchObject({ proved: [{ text: 'limit < 6', line: 9 }], open: [{ text: 'c == 0', line: 9 }] })
})

test.each(['one', 'two'])('a state that both threads reach last is where each of them goes on: %s', (fails) => {
  // Within one switch, thread two has written b, and thread one a, and then looks; or the other way round.
  const look = (thread: string, other: string): string =>
    fails === thread ? `int seen = ${other}, gone = done; assert(!seen || gone);` : 'int seen = c; done = seen + 1;'
  const raw = compileProgram(
    parser,
    `
#include <pthread.h>
#include <assert.h>
int a, b, c, done;
void *one(void *x) { a = 1; ${look('one', 'b')} return 0; }
void *two(void *x) { b = 1; ${look('two', 'a')} return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}`,
  )
  expect(fewestSwitches(raw, 'assert')).toBe(1)
  expect(search(raw, 'assert', { contexts: '1' }).result.verdict).toBe('false')
})
