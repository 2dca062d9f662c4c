// Parts of a search, budgets and bounds: what is not the whole is never a proof, and says how much it is.
import { expect, it } from 'vitest'
import { sequentialConsistency } from '../../../src/engine/graphs/consistency/sc.js'
import type { Graph } from '../../../src/engine/graphs/graph.js'
import { Machine } from '../../../src/engine/graphs/machine.js'
import { preemptionsOf } from '../../../src/engine/graphs/preemptions.js'
import { Search } from '../../../src/engine/graphs/search.js'
import { Visitor } from '../../../src/engine/graphs/visit.js'
import { reasonText } from '../../../src/output/reason.js'
import { errorsOf } from '../../../src/property/index.js'
import type { Reason } from '../../../src/verdict/reason.js'
import type { Program } from '../../../src/xcfa/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { seededChoices } from '../../generate/choices.js'
import { compileProgram } from '../../generate/harness.js'
import { randomThreads, runGraphs } from './support.js'

const parser = await testParser()

const INCREMENTS = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *t(void *p) { atomic_fetch_add(&x, 1); return 0; }
int main() { pthread_t a, b, c, d, e; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);
  pthread_create(&c, 0, t, 0); pthread_create(&d, 0, t, 0); pthread_create(&e, 0, t, 0); return 0; }`

it('parts are disjoint and together the whole: counts and digests add up', () => {
  const raw = compileProgram(parser, INCREMENTS)
  const whole = runGraphs(raw, 'sc')
  if (whole.verdict !== 'true' || whole.certificate.kind !== 'executions') throw new Error('no proof')
  let [executions, digest] = [0, 0n]
  for (const part of ['1', '2', '3']) {
    const { verdict, stats } = runGraphs(raw, 'sc', 'assert', { part, parts: '3' })
    expect(verdict).toBe('unknown')
    expect(stats['executions']).toBeLessThan(120)
    executions += Number(stats['executions'])
    digest = BigInt.asUintN(64, digest + BigInt(`0x${stats['digest']}`))
  }
  expect(executions).toBe(120)
  expect(digest.toString(16).padStart(16, '0')).toBe(whole.certificate.data.digest)
})

it('a budget is no proof, and estimates the whole', () => {
  const result = runGraphs(compileProgram(parser, INCREMENTS), 'sc', 'assert', { 'max-executions': '30' })
  expect(result).toMatchObject({ verdict: 'unknown', stats: { executions: 30 } })
  expect(result.verdict === 'unknown' && reasonText(result.reason)).toMatch(
    /^30 executions: no violation in 30 executions, about [\d.]+ % of an estimated \d+$/,
  )
  // Of 120: the order of magnitude is what an estimate is for.
  expect(result.stats['estimated_executions']).toBeGreaterThan(40)
  expect(result.stats['estimated_executions']).toBeLessThan(400)
})

const COUNTER = (last: number): string => `#include <assert.h>
#include <pthread.h>
int x;
void *t(void *p) { for (int i = 0; i < 5; i++) x = i; return 0; }
int main() { pthread_t a; pthread_create(&a, 0, t, 0); assert(x != ${last}); return 0; }`

it('a loop that is cut leaves its violation open, and finds those before the cut', () => {
  const verdictOf = (last: number, unroll: string) =>
    runGraphs(compileProgram(parser, COUNTER(last)), 'sc', 'assert', { unroll }).verdict
  expect([verdictOf(4, '0'), verdictOf(4, '2'), verdictOf(1, '2'), verdictOf(9, '0')]).toEqual([
    'false',
    'unknown',
    'false',
    'true',
  ])
})

it('an access beside a free takes place before it, too', () => {
  const text = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *p;
void *t0(void *a) { free(p); return 0; }
void *t1(void *a) { int x = *p; assert(x != 5); return 0; }
int main() { p = malloc(4); *p = 5; pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0); return 0; }`
  const verdictOf = (property: 'assert' | 'valid-memsafety' | 'no-data-race') =>
    runGraphs(compileProgram(parser, text, property), 'sc', property, {}).verdict
  expect([verdictOf('assert'), verdictOf('valid-memsafety'), verdictOf('no-data-race')]).toEqual([
    'false',
    'false',
    'false',
  ])
})

// Each of two threads reads twice what the other one writes twice.
const CROSSING = (check: string): string => `#include <assert.h>
#include <pthread.h>
int x, y, done;
void *a(void *p) { x = 1; int r = y; x = 2; int s = y; return 0; }
void *b(void *p) { y = 1; int r = x; y = 2; int s = x; ${check} return 0; }
int main() { pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0); return 0; }`

it('a bound on preemptions visits exactly the executions that need no more', () => {
  const raw = compileProgram(parser, CROSSING(''))
  const run = (preemptions: number) => runGraphs(raw, 'sc', 'assert', { preemptions: String(preemptions) })
  const needs = preemptionsNeeded(raw)
  // Without any, one thread comes before the other.
  expect(needs.filter((n) => n === 0).length).toBe(2)
  for (const bound of [0, 1, 2]) expect(run(bound).stats['executions']).toBe(needs.filter((n) => n <= bound).length)
  expect([run(0).verdict, run(9).verdict]).toEqual(['unknown', 'true'])
  expect(reasonText((run(1) as { reason: Reason }).reason)).toMatch(
    /^no violation in \d+ executions: all with at most 1 preemptions$/,
  )
})

it('generated programs have as many executions within a bound as the whole search finds there', () => {
  for (let seed = 0; seed < 8; seed++) {
    const raw = compileProgram(
      parser,
      randomThreads(seededChoices(seed), seed % 2 ? { locks: true } : { atomics: true }),
    )
    const needs = preemptionsNeeded(raw)
    const { stats } = runGraphs(raw, 'sc', 'assert', { preemptions: '1' })
    expect({ seed, found: Number(stats['executions']) + Number(stats['blocked']) }).toEqual({
      seed,
      found: needs.filter((n) => n <= 1).length,
    })
  }
})

it('random executions find what a search that was stopped has not, and are no proof', () => {
  const options = { 'max-executions': '1', samples: '200' }
  const run = (check: string) => runGraphs(compileProgram(parser, CROSSING(check)), 'sc', 'assert', options)
  expect(run('assert(!(r == 1 && s == 2));').verdict).toBe('false')
  const harmless = run('assert(r <= s);')
  expect(harmless).toMatchObject({ verdict: 'unknown', stats: { executions: 1, samples: 200 } })
  expect(reasonText((harmless as { reason: Reason }).reason)).toMatch(
    /none in 200 random executions \(PCT of depth 3\), \d+ of them different$/,
  )
})

/** Of each execution, how many preemptions it needs. */
const preemptionsNeeded = (raw: Program): readonly number[] => {
  const program = prepare(errorsOf(raw, 'assert'), { slice: false, largeBlocks: false })
  const visitor = new Visitor(new Machine(program), sequentialConsistency())
  const needs: number[] = []
  const onExecution = (graph: Graph): boolean => {
    needs.push(preemptionsOf(graph, visitor.machine, 20))
    return false
  }
  new Search(visitor, { pause: () => undefined, onExecution }).run([visitor.root()])
  return needs
}
