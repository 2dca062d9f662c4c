// The case study of aapor.txt 5.1. Its figure is not in the text, so this program is the one that the text describes:
// thread t does alpha on x, beta on x and y, then fails if x > y; main does gamma on y between start and join.
import { describe, expect, it } from 'vitest'
import type { ArgNode, Reduction } from '../../../src/engine/cegar/selection.js'
import { type Location, le, lt, type Variable, varExpr } from '../../../src/xcfa/index.js'
import { assign, assume, join, num, start } from '../../semantics/programs.js'
import { handMade } from '../../xcfa/hand.js'
import { forever, pieces } from './support.js'

const caseStudy = () => {
  const p = handMade()
  const x = p.global('x')
  const y = p.global('y')
  const at: Record<string, Location> = {}
  p.template('main', (t) => {
    const handle = t.local('t')
    at['m1'] = t.location()
    at['m2'] = t.location()
    t.edge(t.initial, at['m1'], [start(handle, 't')])
    t.edge(at['m1'], at['m2'], [assign(y, num(0))], { text: 'gamma' })
    t.edge(at['m2'], t.final, [join(handle)])
  })
  p.template('t', (t) => {
    at['t0'] = t.initial
    at['t1'] = t.location()
    at['t2'] = t.location()
    t.edge(t.initial, at['t1'], [assign(x, num(1))], { text: 'alpha' })
    t.edge(at['t1'], at['t2'], [assign(y, varExpr(x))], { text: 'beta' })
    t.edge(at['t2'], t.error(), [assume(lt(varExpr(y), varExpr(x)))])
    t.edge(at['t2'], t.final, [assume(le(varExpr(x), varExpr(y)))])
  })
  return { program: p.program(), x, y, at }
}

/** The node with main at its location 1 and thread t at `where`. */
const nodeAt = (nodes: Iterable<ArgNode>, main: Location, where: Location): ArgNode | undefined =>
  [...nodes].find(({ control: { threads } }) => threads[0]!.location === main && threads[1]?.location === where)

const explored = (node: ArgNode): readonly string[] =>
  [...new Set(node.children.map((child) => child.incoming!.action.edge.text))].sort()

const firstIteration = async (reduction: Reduction) => {
  const study = caseStudy()
  const run = await pieces(study.program, { reduction, tracked: [study.x] })
  const abstraction = run.abstractor.run(forever)
  const nodes = [...run.abstractor.expandedNodes()]
  const s10 = nodeAt(nodes, study.at['m1']!, study.at['t0']!)!
  const s11 = nodeAt(nodes, study.at['m1']!, study.at['t1']!)!
  return { ...study, ...run, abstraction, s0: nodes[0]!, s10, s11 }
}

describe('precision {x}', () => {
  it.each([
    ['none', ['alpha', 'gamma'], ['beta', 'gamma']],
    ['basic', ['alpha'], ['beta', 'gamma']],
    ['aapor', ['alpha'], ['gamma']],
  ] as const)('explored with %s', async (reduction, atS10, atS11) => {
    const { s0, s10, s11 } = await firstIteration(reduction)
    expect(s0.children).toHaveLength(1)
    expect(explored(s10)).toEqual(atS10)
    expect(explored(s11)).toEqual(atS11)
  })

  it('validity sets: {alpha} stays persistent in any abstraction, {gamma} until y is tracked', async () => {
    const { s10, s11, y, abstractor } = await firstIteration('aapor')
    expect([...abstractor.selectedAt(s10)!.validity]).toEqual([])
    expect([...abstractor.selectedAt(s11)!.validity]).toEqual([y])
  })
})

describe('the second iteration', () => {
  it('tracks y, explores beta and gamma from the preserved state, and finds a feasible counterexample', async () => {
    const { abstraction, abstractor, precision, transitions, refine, x, y, s10, s11 } = await firstIteration('aapor')
    if (abstraction.kind !== 'counterexample') throw new Error('the first iteration ends with a counterexample')
    const first = refine(abstraction.node)
    expect(first).toMatchObject({ kind: 'spurious', grown: true })
    const tracked = (v: Variable) => precision.indexOf(transitions.variable(v, 0)) !== undefined
    expect([x, y].map(tracked)).toEqual([true, true])
    abstractor.prune(s11.children[0]!)
    abstractor.explorePreserved()
    const second = abstractor.run(forever)
    if (second.kind !== 'counterexample') throw new Error('the second iteration ends with a counterexample')
    expect(explored(s10)).toEqual(['alpha'])
    expect(explored(s11)).toEqual(['beta', 'gamma'])
    expect(refine(second.node).kind).toBe('feasible')
  })

  it('without Algorithm 4 the preserved state would hide the error', async () => {
    const { abstraction, abstractor, refine, s11 } = await firstIteration('aapor')
    if (abstraction.kind !== 'counterexample') throw new Error('the first iteration ends with a counterexample')
    refine(abstraction.node)
    abstractor.prune(s11.children[0]!)
    expect(abstractor.run(forever).kind).toBe('safe')
  })
})
