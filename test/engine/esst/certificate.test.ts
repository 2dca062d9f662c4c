// Forests as proofs: the checker accepts what the engine gives, and no forest of which something was taken away.
import { describe, expect, it } from 'vitest'
import { tokenRing } from '../../../bench/esst/fairthreads.js'
import type { CertificateNode, ForestCertificate } from '../../../src/engine/esst/certificate.js'
import type { Options } from '../../../src/engine/index.js'
import { createSmt } from '../../../src/smt/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { checkForest } from './check-forest.js'
import { cxxParser, decided, fairThreads, modelOf, programOf } from './support.js'

const parser = await testParser()
const cxx = await cxxParser()
const smt = await createSmt('auto')

const proofOf = (raw: Program, options: Options): ForestCertificate => {
  const result = decided(raw, smt, options)
  if (result.verdict !== 'true') throw new Error('no proof')
  return JSON.parse(JSON.stringify(result.certificate.data)) as ForestCertificate
}

const problem = (raw: Program, proof: ForestCertificate): string | undefined => checkForest(raw, 'assert', proof, smt)

const COUNTER = fairThreads(
  'while (x < 2) { x = x + 1; ft_thread_cooperate(); } assert(x == 2);',
  'ft_thread_await(e); y = x; ft_thread_cooperate();',
  'ft_thread_cooperate(); ft_thread_generate(e);',
)

const CHOICE = `
#include <systemc.h>
SC_MODULE(top) {
  sc_event e, f;
  sc_signal<int> s;
  int x, y;
  void run1() { while (y < 2) { s.write(x); wait(f); wait(e); } }
  void run2() { wait(SC_ZERO_TIME); x = 1; assert(s < 1); }
  void run3() { s.write(1); assert(s < 0); }
  SC_CTOR(top) : x(0), y(0) {
    SC_THREAD(run1);
    SC_THREAD(run2);
    SC_THREAD(run3); sensitive << s; dont_initialize();
  }
};
int sc_main(int argc, char *argv[]) { top t("t"); sc_start(2, SC_NS); return 0; }
`

/** The proof with some of its nodes replaced. */
const changed = (
  proof: ForestCertificate,
  change: (node: CertificateNode) => CertificateNode | undefined,
): ForestCertificate => ({ ...proof, nodes: proof.nodes.flatMap((node) => change(node) ?? []) })

describe('a forest as a proof', () => {
  it.each([
    { por: 'none' },
    { por: 'persistent' },
    { por: 'sleep' },
    { por: 'both', independence: 'guarded' },
    { por: 'both', regions: 'impact' },
  ])('is accepted: %o', (options) => {
    const raw = programOf(parser, COUNTER)
    expect(problem(raw, proofOf(raw, options))).toBeUndefined()
  })

  it('is accepted for a ring, in bit-vectors', () => {
    const raw = programOf(parser, tokenRing(3).text)
    const proof = proofOf(raw, {})
    expect(proof.arithmetic).toBe('bv')
    expect(problem(raw, proof)).toBeUndefined()
  })

  it('is accepted where only the label shows that blocks commute', () => {
    const raw = programOf(
      parser,
      fairThreads('x = 1; while (y < 0) { y = 1; ft_thread_cooperate(); }', 'assert(y < 1);'),
    )
    expect(problem(raw, proofOf(raw, { independence: 'guarded' }))).toBeUndefined()
  })

  it('is accepted where a label contradicts the value that the scheduler was given', () => {
    const raw = programOf(
      parser,
      fairThreads(
        'int r = 0; while (x < 2) { y = 1 - r; ft_thread_cooperate(); } x = y; while (x < 1) { r = 3; ft_thread_cooperate(); } assert(r == 0);',
        'int r = 0; y = y + 1; r = x == 0; ft_thread_cooperate_n(y); r = y; assert(r == 1);',
        'int r = 0; x = x + 1; x = y; y = 1 - r; if (x < 2) x = x + 1; assert(r != 1);',
      ),
    )
    const proof = proofOf(raw, { scheduler: 'priority', por: 'none', regions: 'impact' })
    expect(problem(raw, proof)).toBeUndefined()
  })

  it('is accepted where a label is forced on a node through a choice of the scheduler', () => {
    const raw = modelOf(parser, cxx, CHOICE)
    expect(problem(raw, proofOf(raw, { por: 'none', regions: 'impact' }))).toBeUndefined()
  })

  it('is rejected when anything is taken away', () => {
    const raw = programOf(parser, COUNTER)
    const proof = proofOf(raw, { por: 'none' })
    const covered = proof.nodes.find(({ coveredBy }) => coveredBy !== undefined)!
    const coverer = proof.nodes.find(({ id }) => id === covered.coveredBy)!
    const connector = proof.nodes.find(
      ({ choice, id }) => choice === 1 && !proof.nodes.some((n) => n.coveredBy === id),
    )!
    const without = (id: number) => {
      const gone = new Set([id])
      for (const node of proof.nodes) if (node.parent !== undefined && gone.has(node.parent)) gone.add(node.id)
      return changed(proof, (node) => (gone.has(node.id) || gone.has(node.coveredBy ?? -1) ? undefined : node))
    }
    const labelled = (label: readonly string[]) => changed(proof, (node) => ({ ...node, label }))
    for (const [what, broken] of [
      ['no labels', labelled([])],
      ['false labels', labelled(['false'])],
      ['a choice less', without(connector.id)],
      ['an edge less', without(proof.nodes.find(({ edge }) => edge !== undefined)!.id)],
      ['a cover elsewhere', changed(proof, (n) => (n === covered ? { ...n, coveredBy: 0 } : n))],
      [
        'a coverer that knows more',
        changed(proof, (n) => (n === coverer ? { ...n, label: [...n.label, 'false'] } : n)),
      ],
      ['not expanded', changed(proof, (n) => (n === covered ? { ...n, coveredBy: undefined as never } : n))],
      ['no such scheduler', { ...proof, scheduler: 'other' }],
    ] as const)
      expect([what, problem(raw, broken as ForestCertificate) !== undefined]).toEqual([what, true])
  })

  it('is rejected when a reduction has no reason', () => {
    const raw = programOf(parser, fairThreads('x = 1;', 'x = 2;', 'ft_thread_cooperate(); assert(x != 0);'))
    const full = proofOf(raw, { por: 'both' })
    const gone = new Set([full.nodes.find(({ choice }) => choice === 1)!.id])
    for (const node of full.nodes) if (node.parent !== undefined && gone.has(node.parent)) gone.add(node.id)
    const reduced = changed(full, (node) => (gone.has(node.id) || gone.has(node.coveredBy ?? -1) ? undefined : node))
    expect(problem(raw, reduced)).toMatch(/is not chosen|missing/)
    // Two writers of one variable do not commute, whatever a sleep set says.
    const asleep = changed(full, (node) => (node.choice === 0 ? { ...node, sleep: [2] } : node))
    expect(problem(raw, asleep)).toMatch(/sleeps|asleep/)
  })
})
