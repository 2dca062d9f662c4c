// Sleep sets in the graph: fewer actions, the same states; soundness.md 5 for covers.
import { describe, expect, it } from 'vitest'
import type { ArgNode } from '../../../src/engine/cegar/selection.js'
import { type Variable, varExpr } from '../../../src/xcfa/index.js'
import { assign, mainStarting, num } from '../../semantics/programs.js'
import { handMade } from '../../xcfa/hand.js'
import { combinations, compiled, run } from './run.js'
import { forever, pieces } from './support.js'

/** Writers and readers of three variables, partly the same ones. */
const threeThreads = () => {
  const p = handMade()
  const [x, y, z] = ['x', 'y', 'z'].map((name) => p.global(name)) as [Variable, Variable, Variable]
  p.template('one', (t) => void t.path(t.initial, t.final, [assign(x, num(1))], [assign(y, num(1))]))
  p.template('two', (t) => {
    const r = t.local('r')
    t.path(t.initial, t.final, [assign(r, varExpr(y))], [assign(z, num(1))], [assign(z, num(0))])
  })
  p.template('three', (t) => {
    const r = t.local('r')
    t.path(t.initial, t.final, [assign(r, varExpr(z))], [assign(r, varExpr(x))])
  })
  mainStarting(p, ['one', 'two', 'three'], (t, joined) => t.edge(joined, t.final, []))
  return { program: p.program(), tracked: [x, y, z] }
}

const explore = async (sleep: boolean) => {
  const { program, tracked } = threeThreads()
  const run = await pieces(program, { reduction: 'none', dependence: 'read-write', tracked, sleep })
  expect(run.abstractor.run(forever).kind).toBe('safe')
  return { ...run, nodes: [...run.abstractor.allNodes()] }
}

const stateOf = ({ control, state }: ArgNode): string => `${control.key} ${state.id}`

describe('sleep sets', () => {
  it('leave out actions, but no states: persistent sets would', async () => {
    const [all, reduced] = [await explore(false), await explore(true)]
    expect(reduced.abstractor.counts.explored).toBeLessThan(all.abstractor.counts.explored)
    const states = (nodes: readonly ArgNode[]) => nodes.map(stateOf)
    expect(new Set(states(reduced.nodes)).size).toBe(new Set(states(all.nodes)).size)
  })

  it('of a node that covers another are no larger than there', async () => {
    const { nodes, abstractor } = await explore(true)
    const covered = nodes.filter((node) => node.coveredBy)
    for (const node of covered) expect(abstractor.sleepingAt(node.coveredBy!) & ~abstractor.sleepingAt(node)).toBe(0)
    expect(covered.length).toBeGreaterThan(0)
  })

  it('what sleeps nowhere in its order is explored: every thread is, or sleeps', async () => {
    const { nodes, abstractor } = await explore(true)
    for (const node of nodes.filter(({ expanded }) => expanded))
      for (const { number, location, template } of node.control.threads) {
        if (location === template.final) continue
        const isExplored = [...node.explored].some((key) => key.startsWith(`${number}:`))
        const sleeps = (abstractor.sleepingAt(node) & (1 << number)) !== 0
        expect({ node: node.id, number, done: isExplored !== sleeps }).toEqual({ node: node.id, number, done: true })
      }
  })
})

/** Nobody but the state knows that the two threads write to different elements. */
const PLACES = `#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
int a[2], i, j;
void *one(void *x) { a[i] = 1; return 0; }
void *two(void *x) { a[j] = 1; return 0; }
int main(void) {
  pthread_t s, t;
  i = __VERIFIER_nondet_bool(); j = 1 - i;
  pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  assert(a[0] + a[1] == SUM);
}`

describe('conditional dependence', () => {
  const exploredWith = async (dependence: string, sum: number) => {
    const [options] = combinations({ domain: ['expl'], por: ['none'], sets: ['source'], dependence: [dependence] })
    const { verdict, stats } = await run(await compiled(PLACES.replace('SUM', `${sum}`)), options!)
    return { verdict, explored: Number(stats['actions_explored']) }
  }

  it('lets sleep what a state leads to another place', async () => {
    const [plain, guarded] = [await exploredWith('read-write', 2), await exploredWith('guarded', 2)]
    expect([plain.verdict, guarded.verdict]).toEqual(['true', 'true'])
    expect(guarded.explored).toBeLessThan(plain.explored)
  })

  it('finds what is wrong all the same', async () => {
    expect((await exploredWith('guarded', 1)).verdict).toBe('false')
  })
})
