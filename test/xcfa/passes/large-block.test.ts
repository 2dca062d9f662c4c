// Steps as semantics.md and soundness.md 7 define them: one visible operation, then local work that cannot block.
import { describe, expect, it } from 'vitest'
import { add, constant, eq, ne, varExpr } from '../../../src/xcfa/build.js'
import { INT } from '../../../src/xcfa/index.js'
import { everyAccess, largeBlocks } from '../../../src/xcfa/passes/index.js'
import { assume, type EdgeSpec, edgesOf, global, local, programOf, set, template } from './sample.js'

const one = constant(INT, 1)
const zero = constant(INT, 0)
const [x, y] = [global('x'), global('y')]
const [t, u] = [local('t'), local('u')]
const joined = (specs: readonly EdgeSpec[], options = {}) =>
  largeBlocks(programOf([x, y], [template('main', [t, u], specs)]), everyAccess, options)

describe('large blocks', () => {
  it('joins local work to the visible operation before it, and starts a step at the next one', () => {
    const program = joined([
      { from: 'p', to: 'q', labels: [set(t, x)] },
      { from: 'q', to: 'r', labels: [set(t, add(varExpr(t), one))] },
      { from: 'r', to: 'final', labels: [set(x, t)] },
    ])
    expect(edgesOf(program)).toEqual(['0 -> 2: t := x; t := t + 1', '2 -> 3: x := t'])
    expect(program.main.edges.map((e) => e.origins!.map((o) => o.id))).toEqual([[0, 1], [2]])
    expect(program.main.locations.map((l) => l.id)).toEqual([0, 2, 3])
  })

  it('copies a complementary local branch into the step before it', () => {
    const program = joined([
      { from: 'p', to: 'q', labels: [set(t, x)] },
      { from: 'q', to: 'r', labels: [assume(eq(varExpr(t), zero))] },
      { from: 'q', to: 'error', labels: [assume(ne(varExpr(t), zero))] },
      { from: 'r', to: 'final', labels: [set(y, one)] },
    ])
    expect(edgesOf(program)).toEqual(['0 -> 2: t := x; [t == 0]', '0 -> 3: t := x; [t != 0]', '2 -> 4: y := 1'])
  })

  it('leaves a guard without its complement a step of its own, as it can block', () => {
    const program = joined([
      { from: 'p', to: 'q', labels: [set(x, one)] },
      { from: 'q', to: 'final', labels: [assume(eq(varExpr(t), zero))] },
    ])
    expect(edgesOf(program)).toEqual(['0 -> 1: x := 1', '1 -> 2: [t == 0]'])
  })

  it('leaves guards on shared variables a step of their own', () => {
    const program = joined([
      { from: 'p', to: 'q', labels: [set(x, one)] },
      { from: 'q', to: 'final', labels: [assume(eq(varExpr(y), zero))] },
      { from: 'q', to: 'error', labels: [assume(ne(varExpr(y), zero))] },
    ])
    expect(edgesOf(program)).toHaveLength(3)
  })

  it('never joins across a loop head', () => {
    const program = joined([
      { from: 'p', to: 'q', labels: [set(t, x)] },
      { from: 'q', to: 'r', labels: [assume(eq(varExpr(t), zero))] },
      { from: 'q', to: 'final', labels: [assume(ne(varExpr(t), zero))] },
      { from: 'r', to: 'q', labels: [set(t, add(varExpr(t), one))] },
    ])
    expect(edgesOf(program)).toEqual(['0 -> 1: t := x', '1 -> 3: [t != 0]', '1 -> 1: [t == 0]; t := t + 1'])
  })

  it('makes an atomic block one edge a path, and keeps the write before it apart', () => {
    const program = joined([
      { from: 'p', to: 'q', labels: [set(x, one)] },
      { from: 'q', to: 'a1', sync: { kind: 'atomic' } },
      { from: 'a1', to: 'a2', labels: [set(t, y)], sync: { kind: 'atomic' } },
      { from: 'a2', to: 'a3', labels: [assume(eq(varExpr(y), zero))], sync: { kind: 'atomic' } },
      { from: 'a2', to: 'a4', labels: [assume(ne(varExpr(y), zero))], sync: { kind: 'atomic' } },
      { from: 'a3', to: 'a4', labels: [set(y, one)], sync: { kind: 'atomic' } },
      { from: 'a4', to: 'r', sync: { kind: 'atomic' } },
      { from: 'r', to: 's', labels: [set(u, t)] },
      { from: 's', to: 'final', labels: [set(x, u)] },
    ])
    expect(edgesOf(program).sort()).toEqual([
      '0 -> 1: x := 1',
      '1 -> 7: atomic: t := y; [y != 0]; u := t',
      '1 -> 7: atomic: t := y; [y == 0]; y := 1; u := t',
      '7 -> 8: x := u',
    ])
  })

  it('enables an atomic block only if what it waits for holds', () => {
    const lock = { kind: 'lock' } as const
    const program = joined([
      { from: 'p', to: 'a1', labels: [set(t, x)], sync: lock },
      { from: 'a1', to: 'a2', labels: [assume(eq(varExpr(t), zero))], sync: lock },
      { from: 'a2', to: 'final', labels: [set(x, one)], sync: lock },
    ])
    expect(edgesOf(program)).toEqual(['0 -> 3: lock: t := x; [t == 0]; x := 1'])
  })

  it('is no longer a lock where an atomic block does more than lock', () => {
    const program = joined([
      { from: 'p', to: 'a1', labels: [set(y, one)], sync: { kind: 'atomic' } },
      { from: 'a1', to: 'a2', labels: [assume(eq(varExpr(x), zero))], sync: { kind: 'lock' } },
      { from: 'a2', to: 'final', labels: [set(x, one)], sync: { kind: 'lock' } },
    ])
    expect(edgesOf(program)).toEqual(['0 -> 3: atomic: y := 1; [x == 0]; x := 1'])
  })

  it('refuses a wait that a loop in the same atomic block keeps from its beginning', () => {
    const specs = [
      { from: 'p', to: 'a1' },
      { from: 'a1', to: 'a1', labels: [assume(eq(varExpr(x), zero))] },
      { from: 'a1', to: 'a2', labels: [assume(ne(varExpr(x), zero))] },
      { from: 'a2', to: 'final', labels: [assume(eq(varExpr(y), zero))] },
    ]
    expect(() => joined(specs)).toThrow('waiting inside an atomic block')
    expect(edgesOf(joined([specs[0]!, { from: 'a1', to: 'a2' }, specs[3]!]))).toEqual(['0 -> 3: [y == 0]'])
  })

  it('makes the end of the program a step of its own only where it is asked for', () => {
    const specs = [
      { from: 'p', to: 'q', labels: [set(x, one)] },
      { from: 'q', to: 'exit' },
    ]
    expect(edgesOf(joined(specs))).toEqual(['0 -> 2: x := 1'])
    expect(edgesOf(joined(specs, { keepExit: true }))).toEqual(['0 -> 1: x := 1', '1 -> 2: skip'])
  })

  it('leaves a spurious wake-up a step of its own, also of a thread that is alone', () => {
    const specs: readonly EdgeSpec[] = [
      { from: 'p', to: 'q', labels: [set(x, one)], sync: { kind: 'wait' } },
      { from: 'q', to: 'final', labels: [set(y, one)], sync: { kind: 'wake', spurious: true } },
    ]
    expect(edgesOf(joined(specs, { isAlone: () => true }))).toEqual([
      '0 -> 1: wait: x := 1',
      '1 -> 2: spurious wake: y := 1',
    ])
  })

  it('grows by a bounded factor on a chain of branches', () => {
    const specs = Array.from({ length: 20 }, (_, i) => [
      { from: `p${i}`, to: `q${i}`, labels: [assume(eq(varExpr(t), constant(INT, i)))] },
      { from: `p${i}`, to: `r${i}`, labels: [assume(ne(varExpr(t), constant(INT, i)))] },
      { from: `q${i}`, to: `p${i + 1}`, labels: [set(u, constant(INT, i))] },
      { from: `r${i}`, to: `p${i + 1}` },
    ]).flat()
    expect(joined(specs).main.edges.length).toBeLessThanOrEqual(specs.length)
  })

  it('drops unreachable locations', () => {
    const program = joined([
      { from: 'p', to: 'final', labels: [set(x, one)] },
      { from: 'dead', to: 'final', labels: [set(x, zero)] },
    ])
    expect(edgesOf(program)).toEqual(['0 -> 1: x := 1'])
    expect(program.main.locations.map((l) => l.id)).toEqual([0, 1])
  })
})
