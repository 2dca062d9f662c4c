// What is looked at before TRUE is said: a wrong proof, of an engine that is right otherwise, is refused or refuted.
import { expect, test } from 'vitest'
import { ENGINES, type Engine } from '../../src/engine/index.js'
import { assumptionText } from '../../src/output/ledger.js'
import { type CrossCheck, crossChecked } from '../../src/run/cross-check.js'
import { createSmt } from '../../src/smt/index.js'
import type { Result } from '../../src/verdict/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const lostUpdate = (error: string): string => `
#include <pthread.h>
extern void reach_error(void);
int x;
void *t(void *p) { int k = x; x = k + 1; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); int k = x; x = k + 1; pthread_join(h, 0);
  if (${error}) reach_error(); return 0; }`

const ENV = { stopped: () => undefined, progress: () => {} }
const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

const defaults = ({ options }: Engine) =>
  Object.fromEntries(Object.entries(options).map(([name, spec]) => [name, spec.default]))

const run = async (text: string, engine: string, change: (result: Result) => Result, walks = false) => {
  const raw = compileProgram(await testParser(), text)
  const smt = await createSmt('auto')
  try {
    const loaded = await ENGINES.find(({ name }) => name === engine)!.load()
    const result = loaded.verify({ raw, property: 'unreach-call', settings: SETTINGS, smt }, defaults(loaded), ENV)
    const check: CrossCheck = {
      ...{ raw, property: 'unreach-call', smt, took: 20_000, now: Date.now },
      ...{ deadline: Number.POSITIVE_INFINITY, walks },
    }
    return crossChecked(change(result), check)
  } finally {
    smt.dispose()
  }
}

/** The labels of all nodes but a few are what was proved; some are made False. */
const withLabelFalse = (result: Result, isChosen: (node: { readonly parent?: number }) => boolean): Result => {
  if (result.verdict !== 'true' || result.certificate.kind !== 'labelled-graph') throw new Error('no labelled graph')
  const { data } = result.certificate
  if ('tooLarge' in data) throw new Error('too large')
  const formulas = [...data.formulas, 'false']
  const nodes = data.nodes.map((node) => (isChosen(node) ? { ...node, label: [formulas.length - 1] } : node))
  return { ...result, certificate: { kind: 'labelled-graph', data: { ...data, formulas, nodes } } }
}

const SAFE = lostUpdate('x == 0 || x > 2')

test.each(['cegar', 'impact'])('%s: its own proof passes', async (engine) => {
  expect((await run(SAFE, engine, (result) => result)).verdict).toBe('true')
})

test.each(['cegar', 'impact'])('%s: a root whose label is False does not', async (engine) => {
  const result = await run(SAFE, engine, (proof) => withLabelFalse(proof, ({ parent }) => parent === undefined))
  expect(result).toMatchObject({ verdict: 'unknown', reason: { problem: expect.stringContaining('first state') } })
})

test.each(['cegar', 'impact'])('%s: labels that do not follow do not', async (engine) => {
  const result = await run(SAFE, engine, (proof) => withLabelFalse(proof, ({ parent }) => parent === 0))
  expect(result).toMatchObject({ verdict: 'unknown', reason: { problem: expect.stringContaining('leads out of') } })
})

test('a claim that an execution refutes is FALSE, with that execution', async () => {
  const claim: Result = { verdict: 'true', certificate: { kind: 'locks', data: {} }, stats: {}, assumptions: [] }
  const refuted = await run(lostUpdate('x == 1'), 'explicit', () => claim, true)
  expect(refuted).toMatchObject({ verdict: 'false', stats: { refuted_proofs: 1 } })
  const stands = await run(SAFE, 'explicit', () => claim, true)
  expect(stands.verdict).toBe('true')
  expect(Number(stands.stats['cross_check_steps'])).toBeGreaterThan(100)
})

test('undefined behaviour that is met after which programs go on leaves nothing proved', async () => {
  const misuse = `#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; extern void reach_error(void);
void *t(void *p) { pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t h; pthread_mutex_lock(&m); pthread_create(&h, 0, t, 0); pthread_mutex_lock(&m);
  reach_error(); return 0; }`
  const result = await run(misuse, 'explicit', (proof) => proof)
  expect(result).toMatchObject({
    verdict: 'unknown',
    reason: { kind: 'undefined-behaviour', text: expect.stringContaining('does not hold') },
    forAll: true,
  })
})

test('undefined behaviour that ends the program is in the ledger, as met', async () => {
  const division = `extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) { int z = __VERIFIER_nondet_int(); int y = 10 / z; if (z == 0) reach_error(); return y; }`
  const result = await run(division, 'explicit', (proof) => proof)
  expect(result.verdict).toBe('true')
  const open = result.assumptions.filter(({ status }) => status === 'open').map(assumptionText)
  expect(open).toContain('that there is no undefined behaviour (division by zero at generated.c:2, which is reached)')
})
