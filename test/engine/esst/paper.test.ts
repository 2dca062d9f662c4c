// Examples and figures of esst.txt, and its benchmarks at small size.
import { describe, expect, it } from 'vitest'
import { factorial, producerConsumer, tokenRing } from '../../../bench/esst/fairthreads.js'
import { pathFormulaOf } from '../../../src/engine/esst/counterexample.js'
import { Ground } from '../../../src/engine/esst/ground.js'
import { Operations, type Transition } from '../../../src/engine/esst/operations.js'
import { threadedProgram } from '../../../src/engine/esst/program.js'
import { Blocks } from '../../../src/engine/esst/reduction/blocks.js'
import { literals, Regions } from '../../../src/engine/esst/regions.js'
import * as logic from '../../../src/logic/index.js'
import { SCHEDULERS } from '../../../src/semantics/cooperative/schedulers/index.js'
import { createSmt } from '../../../src/smt/index.js'
import { add, constant, INT, type Label, lt, type Variable, varExpr } from '../../../src/xcfa/index.js'
import { createEncoding } from '../../../src/xcfa/terms/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { decided, fairThreads, programOf, SETTINGS } from './support.js'

const parser = await testParser()
const smt = await createSmt('auto')

const empty = () => threadedProgram(programOf(parser, fairThreads('x = 1;')), 'assert')

describe('esst.txt', () => {
  it('Example 4.5: the path formula of a suppressed path', () => {
    const [x, y, z] = ['x', 'y', 'z'].map(
      (name, id): Variable => ({ id: 100 + id, name, type: INT, scope: 'global', initial: 'any' }),
    ) as [Variable, Variable, Variable]
    const program = { ...empty(), globals: [x, y, z] }
    const operations = new Operations(program, createEncoding('int'))
    const edge = program.main.edges[0]!
    const via = (thread: number, label: Label) =>
      ({ kind: 'edge', thread, edge, operation: [{ thread, labels: [label] }] }) as const
    const { formulas } = pathFormulaOf(
      [
        via(1, { kind: 'assign', target: x, value: add(varExpr(x), varExpr(y)) }),
        via(1, { kind: 'assign', target: y, value: constant(INT, 7) }),
        via(2, { kind: 'assign', target: x, value: varExpr(z) }),
        via(2, { kind: 'assume', condition: lt(varExpr(x), add(varExpr(y), varExpr(z))) }),
      ],
      operations,
    )
    const at = (name: string, index: number) => logic.indexed(logic.variable(name, logic.INT_SORT), index)
    const [x_, y_, z_] = ['x#100', 'y#101', 'z#102']
    expect(formulas.slice(1)).toEqual([
      logic.eq(at(x_!, 1), logic.add(at(x_!, 0), at(y_!, 0))),
      logic.eq(at(y_!, 1), logic.intConst(7)),
      logic.eq(at(x_!, 2), at(z_!, 0)),
      logic.lt(at(x_!, 2), logic.add(at(y_!, 1), at(z_!, 0))),
    ])
  })

  it('Figure 8: independent transitions do not commute in the abstract', () => {
    const [g1, g2] = [logic.variable('g1', logic.INT_SORT), logic.variable('g2', logic.INT_SORT)]
    // The third is the disjunction of the figure's two, which Cartesian abstraction has no other way to say.
    const [p, q, r] = [logic.lt(g1, g2), logic.eq(g1, g2), logic.le(g1, g2)]
    const decrement = (g: logic.Term): Transition => ({
      guard: logic.TRUE,
      substitution: new Map([[g, logic.sub(g, logic.intConst(1))]]),
      obligations: [],
    })
    const regions = new Regions(smt, new Operations(empty(), createEncoding('int')), { rlimit: 1_000_000 })
    const plain = (each: logic.Term): logic.Term => each
    const post = (before: readonly logic.Term[], transition: Transition) =>
      literals(regions.post(before, transition, [p, q, r], plain, { region: new Map(), named: plain }))
    const twice = (first: logic.Term, second: logic.Term) => post(post([p], decrement(first)), decrement(second))
    expect(twice(g1, g2)).not.toEqual(twice(g2, g1))
    regions.dispose()
  })

  it('Figure 7: a block goes from where a thread is to where it yields', () => {
    const raw = programOf(
      parser,
      fairThreads('x = 1; if (y) { ft_thread_cooperate(); x = 2; ft_thread_generate(e); }', 'y = x;'),
    )
    const program = threadedProgram(raw, 'assert')
    const scheduler = SCHEDULERS.fairthreads.create('anew')
    const operations = new Operations(program, createEncoding('int'))
    const regions = new Regions(smt, operations, { rlimit: 1_000_000 })
    const ground = new Ground(program, scheduler, operations, regions)
    const template = program.templates.get('run1')!
    const blockAt = (location: (typeof template.locations)[number]) =>
      new Blocks(ground, raw).now(
        {
          threads: [program.main, template].map((t) => ({
            template: t,
            location: t === template ? location : t.initial,
            data: new Map(),
          })),
          global: new Map(),
          scheduler: scheduler.initial(),
          handles: new Map(),
        },
        1,
      )
    const names = (location: (typeof template.locations)[number]) =>
      blockAt(location)
        .calls.map(({ name }) => name)
        .sort()
    expect(names(template.initial)).toEqual(['end', 'ft_cooperate'])
    const resumed = template.edges.find((e) =>
      e.labels.some((l) => l.kind === 'primitive' && l.name === 'ft_cooperate'),
    )!
    expect(names(resumed.target)).toEqual(['end', 'ft_generate'])
    regions.dispose()
  })

  it.each([
    factorial('fact1'),
    factorial('fact1-bug'),
    factorial('fact2'),
    producerConsumer(1),
    tokenRing(3),
    tokenRing(3, true),
  ])(
    '$name',
    ({ text, safe }) => {
      const raw = programOf(parser, text)
      // All four settings are in bench/esst/tables.ts.
      for (const setting of [SETTINGS[0]!, SETTINGS[3]!])
        expect(decided(raw, smt, setting).verdict).toBe(safe ? 'true' : 'false')
    },
    60_000,
  )

  it('both reductions together explore no more than none, and much less on a ring', () => {
    const nodes = (n: number, por: string) =>
      Number(decided(programOf(parser, tokenRing(n).text), smt, { por }).stats['nodes'])
    expect(nodes(4, 'both')).toBeLessThan(nodes(4, 'none') / 2)
  }, 60_000)
})
