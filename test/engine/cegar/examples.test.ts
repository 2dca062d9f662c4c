// Examples 5 and 8 of aapor.txt: error states and backward transitions, and large blocks. Their figures are not in the
// text; these are programs with the actions and the shapes that the text describes.
import { describe, expect, it } from 'vitest'
import type { ArgNode } from '../../../src/engine/cegar/selection.js'
import { AbstractDependence } from '../../../src/reduction/index.js'
import { eq, type Label, type Location, not, varExpr } from '../../../src/xcfa/index.js'
import { everyAccess, largeBlocks } from '../../../src/xcfa/passes/index.js'
import { assign, assume, num, start } from '../../semantics/programs.js'
import { handMade } from '../../xcfa/hand.js'
import { forever, pieces } from './support.js'

/** Main does beta and then gamma, a backward edge; thread t does alpha, which leads to an error. */
const example5 = () => {
  const p = handMade()
  const [x, y] = [p.global('x'), p.global('y')]
  const at: Record<string, Location> = {}
  p.template('main', (t) => {
    at['left'] = t.location()
    at['right'] = t.location()
    t.edge(t.initial, at['left'], [start(t.local('h'), 't')])
    t.edge(at['left'], at['right'], [assign(y, num(1))], { text: 'beta' })
    t.edge(at['right'], at['left'], [assign(y, num(2))], { text: 'gamma' })
  })
  p.template('t', (t) => {
    at['top'] = t.initial
    t.edge(t.initial, t.error(), [assign(x, num(1))], { text: 'alpha' })
  })
  return { program: p.program(), at }
}

const exploredAt = (nodes: Iterable<ArgNode>, ...where: readonly Location[]): readonly string[] => {
  const node = [...nodes].find(({ control: { threads } }) => where.every((l, i) => threads[i]?.location === l))
  return (node?.children ?? []).map((child) => child.incoming!.action.edge.text)
}

describe.each(['basic', 'aapor'] as const)('Example 5, %s', (reduction) => {
  it('alpha and beta do not depend on each other, although alpha leads to an error state', () => {
    const { program, at } = example5()
    const dependence = new AbstractDependence(program, 'objects')
    const top = [at['left']!, at['top']!]
    expect([0, 1].map((thread) => dependence.persistentSet(thread, 0b11, top))).toEqual([0b01, 0b10])
  })

  it('gamma goes back: it is never explored without alpha, so that the loop does not hide the error', async () => {
    const { program, at } = example5()
    const { abstractor } = await pieces(program, { reduction })
    expect(abstractor.run(forever).kind).toBe('counterexample')
    const nodes = [...abstractor.expandedNodes()]
    expect(exploredAt(nodes, at['left']!, at['top']!)).toEqual(['beta'])
    expect(exploredAt(nodes, at['right']!, at['top']!)).toEqual(['alpha'])
  })
})

/** atomic { x = 1; y = 1 } a = 0; if (x == 1) { x = 2; a = 1 } else { y = 2; a = 2 } y = a */
const example8 = () => {
  const p = handMade()
  const [x, y] = [p.global('x'), p.global('y')]
  p.template('main', (t) => {
    const a = t.local('a')
    const inside = { atomic: true }
    const [begun, one, two] = [t.location(inside), t.location(inside), t.location(inside)]
    const [ended, checked, then, otherwise] = [t.location(), t.location(), t.location(), t.location()]
    const last = t.location()
    const edge = (from: Location, to: Location, text: string, ...labels: Label[]) => t.edge(from, to, labels, { text })
    edge(t.initial, begun, '')
    edge(begun, one, 'x = 1', assign(x, num(1)))
    edge(one, two, 'y = 1', assign(y, num(1)))
    edge(two, ended, '')
    edge(ended, checked, 'a = 0', assign(a, num(0)))
    edge(checked, then, '[x == 1]', assume(eq(varExpr(x), num(1))))
    edge(checked, otherwise, '[x != 1]', assume(not(eq(varExpr(x), num(1)))))
    t.path(then, last, [assign(x, num(2))], [assign(a, num(1))])
    t.path(otherwise, last, [assign(y, num(2))], [assign(a, num(2))])
    edge(last, t.final, 'y = a', assign(y, varExpr(a)))
  })
  return p.program()
}

const operations = (labels: readonly Label[]): string =>
  labels
    .map((label) => (label.kind === 'assign' ? label.target.name : label.kind === 'assume' ? '?' : label.kind))
    .join(' ')

it('Example 8: an edge is one global operation or one atomic block, and the thread-local operations after it', () => {
  const blocks = largeBlocks(example8(), everyAccess).main.edges.map(({ labels }) => operations(labels))
  expect(blocks.sort()).toEqual(['?', '?', 'x a', 'x y a', 'y', 'y a'].sort())
})
