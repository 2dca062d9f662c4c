// The transition system itself: enabled steps, single steps, keys of states.
import { describe, expect, it } from 'vitest'
import { interpreterOf } from '../../src/semantics/index.js'
import { add, constant, eq, intType, type Program, Unsupported, varExpr } from '../../src/xcfa/index.js'
import { handMade } from '../xcfa/hand.js'
import { assign, assume, join, lostUpdate, num, start, store } from './programs.js'

describe('steps', () => {
  it('are those of all threads, or of the one inside an atomic block', () => {
    const p = handMade()
    const x = p.global('x')
    p.template('other', (t) => t.path(t.initial, t.final, [assign(x, num(1))]))
    p.template('main', (t) => {
      const inside = t.location({ atomic: true })
      const started = t.location()
      t.edge(t.initial, started, [start(t.local('h'), 'other')])
      t.edge(started, inside, [assign(x, num(2))])
      t.edge(inside, t.final, [assign(x, num(3))])
    })
    const i = interpreterOf(p.program())
    const [initial] = i.initial()
    const [first] = i.successors(initial!)
    expect(i.enabled(first!.state).map(({ thread }) => thread)).toEqual([0, 1])
    const inside = i.step(first!.state, i.enabled(first!.state)[0]!)!
    expect(i.enabled(inside).map(({ thread }) => thread)).toEqual([0])
  })

  it('that are not enabled give no state', () => {
    const i = interpreterOf(lostUpdate(2))
    const [initial] = i.initial()
    const joins = i.layout.program.main.edges.find(({ labels }) => labels[0]?.kind === 'join')!
    expect(i.step(initial!, { thread: 0, edge: joins, choices: [] })).toBeUndefined()
    expect(i.step(initial!, { thread: 1, edge: joins, choices: [] })).toBeUndefined()
  })

  it('take their choices in order', () => {
    const p = handMade()
    const [a, b] = [p.global('a'), p.global('b')]
    p.template('main', (t) =>
      t.edge(t.initial, t.final, [
        { kind: 'havoc', target: a },
        { kind: 'havoc', target: b },
      ]),
    )
    const i = interpreterOf(p.program())
    const [edge] = i.layout.program.main.edges
    expect(i.step(i.initial()[0]!, { thread: 0, edge: edge!, choices: [-5, 7] })?.globals).toEqual([-5, 7])
  })

  it('number threads in order of creation and pass arguments', () => {
    const p = handMade()
    const x = p.global('x')
    p.template('adder', (t) => {
      const by = t.parameter('by')
      const sum = add(add(varExpr(x), varExpr(by)), { kind: 'cast', type: x.type, arg: varExpr(t.self) })
      t.path(t.initial, t.final, [assign(x, sum)])
    })
    p.template('main', (t) => {
      const [h, k] = [t.local('h'), t.local('k')]
      t.path(t.initial, t.final, [start(h, 'adder', num(10))], [join(h)], [start(k, 'adder', num(20))], [join(k)])
    })
    const i = interpreterOf(p.program())
    let state = i.initial()[0]!
    for (let next = i.successors(state); next.length > 0; next = i.successors(state)) state = next[0]!.state
    // 10 + 1 for the first, 20 + 2 for the second.
    expect(state.globals).toEqual([33])
    expect(state.threads).toHaveLength(3)
  })

  it('of cooperative schedulers are not silently skipped', () => {
    const p = handMade()
    p.template('main', (t) => t.edge(t.initial, t.final, [{ kind: 'primitive', name: 'cooperate', args: [] }]))
    const i = interpreterOf(p.program())
    expect(() => i.successors(i.initial()[0]!)).toThrow(Unsupported)
  })
})

describe('initial states', () => {
  it('are several where a global starts with any value', () => {
    const p = handMade()
    p.global('b', { type: intType(1, false), initial: 'any' })
    p.global('c', { type: intType(2, false), initial: 'any' })
    p.global('d', { initial: 5 })
    p.template('main', (t) => t.edge(t.initial, t.final, []))
    const states = interpreterOf(p.program()).initial()
    expect(states).toHaveLength(8)
    expect(states.every(({ globals }) => globals[2] === 5)).toBe(true)
  })
})

describe('keys', () => {
  const writing = (value: number): Program => {
    const p = handMade()
    const object = p.object('o', 8, { initial: [{ offset: 4, type: intType(32, true), value: 3 }] })
    p.template('main', (t) => {
      t.edge(t.initial, t.initial, [store(p.memory, object.base + 4, num(value))])
      t.edge(t.initial, t.final, [assume(eq(num(0), num(1)))])
    })
    return p.program()
  }

  it('are equal for equal contents, however they came about', () => {
    const same = interpreterOf(writing(3))
    const [initial] = same.initial()
    expect(same.key(same.successors(initial!)[0]!.state)).toBe(same.key(initial!))
  })

  it('differ for different contents', () => {
    const other = interpreterOf(writing(4))
    const [initial] = other.initial()
    expect(other.key(other.successors(initial!)[0]!.state)).not.toBe(other.key(initial!))
  })

  it('tell a number from its digits in two cells', () => {
    const p = handMade()
    const [a, b] = [p.global('a'), p.global('b')]
    p.template('main', (t) => {
      t.edge(t.initial, t.final, [assign(a, constant(a.type, 1)), assign(b, constant(b.type, 12))])
      t.edge(t.initial, t.final, [assign(a, constant(a.type, 11)), assign(b, constant(b.type, 2))])
    })
    const i = interpreterOf(p.program())
    const [one, two] = i.successors(i.initial()[0]!)
    expect(i.key(one!.state)).not.toBe(i.key(two!.state))
  })
})
