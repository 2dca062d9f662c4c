// Examples 4, 6 and 7 of aapor.txt: persistent sets from what is reachable, dependence with and without a precision.
import { describe, expect, it } from 'vitest'
import { AbstractDependence, type DependenceKind } from '../../src/reduction/index.js'
import { add, type Location, mul, type Variable, varExpr } from '../../src/xcfa/index.js'
import { assign, num } from '../semantics/programs.js'
import { handMade } from '../xcfa/hand.js'

const KINDS: readonly DependenceKind[] = ['objects', 'read-write']

/** alpha: x = 2 * z in thread 0, beta: y = x - 1 in thread 1. */
const example6 = (kind: DependenceKind) => {
  const p = handMade()
  const [x, y, z] = ['x', 'y', 'z'].map((name) => p.global(name)) as [Variable, Variable, Variable]
  const at: Location[] = []
  p.template('main', (t) => {
    at.push(t.initial)
    t.edge(t.initial, t.final, [assign(x, mul(num(2), varExpr(z)))])
  })
  p.template('other', (t) => {
    at.push(t.initial)
    t.edge(t.initial, t.final, [assign(y, add(varExpr(x), num(-1)))])
  })
  return { dependence: new AbstractDependence(p.program(), kind), x, y, z, at }
}

const BOTH = 0b11

describe.each(KINDS)('Example 6, %s', (kind) => {
  it('a: without abstraction both are needed', () => {
    const { dependence, at } = example6(kind)
    expect(dependence.persistentSet(0, BOTH, at)).toBe(BOTH)
  })

  it('b: explicit values of y and z do not see x', () => {
    const { dependence, y, z, at } = example6(kind)
    dependence.setPrecision([[y], [z]])
    expect(dependence.persistentSet(0, BOTH, at)).toBe(0b01)
  })

  it('c: predicates y > 2 and x + z = 0 see x', () => {
    const { dependence, x, y, z, at } = example6(kind)
    dependence.setPrecision([[y], [x, z]])
    expect(dependence.persistentSet(0, BOTH, at)).toBe(BOTH)
  })

  it('c: the predicate y > z is about variables of both', () => {
    const { dependence, y, z, at } = example6(kind)
    dependence.setPrecision([[y, z]])
    expect(dependence.persistentSet(0, BOTH, at)).toBe(BOTH)
  })

  it('c: predicates y > 0 and z = 2 are not', () => {
    const { dependence, y, z, at } = example6(kind)
    dependence.setPrecision([[y], [z]])
    expect(dependence.persistentSet(0, BOTH, at)).toBe(0b01)
  })
})

describe.each(KINDS)('Example 7, %s', (kind) => {
  it('{alpha} is persistent until x is tracked, and its validity set says so', () => {
    const { dependence, x, y, z, at } = example6(kind)
    dependence.setPrecision([[y], [z]])
    expect([...dependence.validitySet(0b01, BOTH, at)]).toEqual([x])
    dependence.setPrecision([[x], [y], [z]])
    expect(dependence.extended(0b01, BOTH, at)).toBe(BOTH)
  })
})

describe('Example 4', () => {
  /** Thread 0 does a1 on x, a2 on y, a3 on z; thread 1 does one action on `object`. */
  const chain = (object: string) => {
    const p = handMade()
    const globals = new Map(['w', 'x', 'y', 'z'].map((name) => [name, p.global(name)]))
    const write = (name: string) => [assign(globals.get(name)!, num(1))]
    const at: Location[] = []
    p.template('main', (t) => {
      at.push(t.initial)
      t.path(t.initial, t.final, write('x'), write('y'), write('z'))
    })
    p.template('other', (t) => {
      at.push(t.initial)
      t.edge(t.initial, t.final, write(object))
    })
    return { dependence: new AbstractDependence(p.program(), 'objects'), at }
  }

  it.each([
    ['x', BOTH],
    ['z', BOTH],
    ['w', 0b10],
  ] as const)('an action on %s against everything that is reachable by a1', (object, set) => {
    const { dependence, at } = chain(object)
    expect(dependence.persistentSet(1, BOTH, at)).toBe(set)
  })
})
