// The brute-force explorer on hand-made programs whose states, verdicts and traces can be counted by hand.
import { describe, expect, it } from 'vitest'
import { oracle } from '../../src/semantics/index.js'
import {
  add,
  constant,
  type Expr,
  eq,
  INT,
  intType,
  type Label,
  lt,
  ne,
  not,
  POINTER,
  type Program,
  type Variable,
  varExpr,
} from '../../src/xcfa/index.js'
import { handMade, type TemplateBuilder } from '../xcfa/hand.js'
import { assign, assume, load, lostUpdate, num, philosophers, start, store } from './programs.js'

describe('counts', () => {
  it.each([
    [2, 3],
    [1, 5],
    [0, 4],
  ])('threads of %i and %i independent steps have (n+1)(m+1) states', (n, m) => {
    const p = handMade()
    const counters = [p.global('x'), p.global('y')]
    ;[n, m].forEach((steps, i) => {
      const counter = counters[i]!
      p.template(`T${i}`, (t) => {
        const increment = [assign(counter, add(varExpr(counter), num(1)))]
        if (steps > 0) t.path(t.initial, t.final, ...new Array(steps).fill(increment))
      })
    })
    p.template('main', (t) => {
      const handle = t.local('h')
      // One step starts both, so that nothing else interleaves.
      t.edge(t.initial, t.final, [start(handle, 'T0'), start(handle, 'T1')])
    })
    const { states, transitions, verdict } = oracle(p.program(), 'assert', { join: false })
    expect(verdict).toBe('true')
    expect(states).toBe(1 + (n + 1) * (m + 1))
    // Each state with a left neighbour has one step into it, and so for the other thread; and the first step.
    expect(transitions).toBe(1 + n * (m + 1) + m * (n + 1))
  })

  it('register work joins the step before it', () => {
    const p = handMade()
    const x = p.global('x')
    p.template('main', (t) => {
      const r = t.local('r')
      t.path(t.initial, t.final, [assign(r, varExpr(x))], [assign(r, add(varExpr(r), num(1)))], [assign(x, varExpr(r))])
    })
    expect(oracle(p.program(), 'assert', { join: false }).states).toBe(4)
    expect(oracle(p.program(), 'assert').states).toBe(3)
  })

  it('a small nondeterministic value has all its values, a range only those', () => {
    const p = handMade()
    const any = p.global('any', { type: intType(3, true) })
    const some = p.global('some')
    p.template('main', (t) => {
      const middle = t.location()
      t.edge(t.initial, middle, [{ kind: 'havoc', target: any }])
      t.edge(middle, t.final, [{ kind: 'havoc', target: some, range: { low: num(5), high: num(7) } }])
    })
    expect(oracle(p.program(), 'assert').states).toBe(1 + 8 + 8 * 3)
  })
})

describe('lost update', () => {
  it('violates x == 2', () => {
    const result = oracle(lostUpdate(2), 'assert')
    expect(result.verdict).toBe('false')
    expect(result.violation).toMatchObject({ kind: 'error', thread: 0 })
    // Two starts, two reads, two writes, two joins, the failing test: nothing shorter reaches it.
    expect(oracle(lostUpdate(2), 'assert', { join: false }).trace?.steps).toHaveLength(9)
  })

  it('is found without the way to it, too: its last step remains', () => {
    const [whole, brief] = [oracle(lostUpdate(2), 'assert'), oracle(lostUpdate(2), 'assert', { paths: false })]
    expect(brief).toMatchObject({ verdict: 'false', states: whole.states, transitions: whole.transitions })
    expect([brief.trace, brief.last?.edge]).toEqual([undefined, whole.trace?.steps.at(-1)?.edge])
  })

  it('is a failed assertion, not a call of reach_error', () => {
    expect(oracle(lostUpdate(2), 'unreach-call').verdict).toBe('true')
  })

  it('is a race', () => {
    const result = oracle(lostUpdate(2), 'no-data-race')
    expect(result.violation).toMatchObject({ kind: 'race' })
  })

  it('has no deadlock', () => {
    expect(oracle(lostUpdate(2), 'no-deadlock').verdict).toBe('true')
  })
})

describe('dining philosophers', () => {
  it.each([2, 3])('%i of them who all take the left fork first deadlock', (n) => {
    const result = oracle(philosophers(n, false), 'no-deadlock')
    expect(result.verdict).toBe('false')
    const all = Array.from({ length: n + 1 }, (_, i) => i)
    expect(result.violation).toEqual({ kind: 'deadlock', waiting: all, mainEnded: false })
    // Start each, and each takes one fork.
    expect(result.trace?.steps).toHaveLength(2 * n)
  })

  it('do not when one takes the right fork first', () => {
    expect(oracle(philosophers(3, true), 'no-deadlock').verdict).toBe('true')
  })

  it('do not race: lock operations are atomic', () => {
    expect(oracle(philosophers(2, false), 'no-data-race').verdict).toBe('true')
  })
})

describe('deadlock', () => {
  const blocked = (mainGoes: (t: TemplateBuilder) => void, spurious: boolean): Program => {
    const p = handMade()
    const x = p.global('x')
    p.template('waiter', (t) => {
      t.edge(t.initial, t.final, [assume(eq(varExpr(x), num(1)))])
      if (spurious) t.edge(t.initial, t.initial, [assign(x, varExpr(x))], { sync: { kind: 'wake', spurious: true } })
    })
    p.template('main', mainGoes)
    return p.program()
  }
  const endOfMain = (t: TemplateBuilder): void => {
    t.edge(t.initial, t.final, [start(t.local('h'), 'waiter')])
  }

  it('of others after the end of the main thread is told apart', () => {
    const result = oracle(blocked(endOfMain, false), 'no-deadlock')
    expect(result.violation).toEqual({ kind: 'deadlock', waiting: [1], mainEnded: true })
  })

  it('is not prevented by spurious wake-ups', () => {
    expect(oracle(blocked(endOfMain, true), 'no-deadlock').verdict).toBe('false')
  })

  it.each(['exit', 'assume', 'undefined'] as const)('cannot be after a halt (%s)', (kind) => {
    const halting = (t: TemplateBuilder): void => {
      t.path(t.initial, t.halt(kind), [start(t.local('h'), 'waiter')], [])
    }
    expect(oracle(blocked(halting, false), 'no-deadlock').verdict).toBe('true')
  })
})

describe('the end of the program', () => {
  it('stops only its own thread for safety', () => {
    const p = handMade()
    p.template('failing', (t) => t.edge(t.initial, t.error(), []))
    p.template('main', (t) => t.path(t.initial, t.halt('exit'), [start(t.local('h'), 'failing')], []))
    expect(oracle(p.program(), 'assert').verdict).toBe('false')
  })
})

describe('atomic blocks', () => {
  const twoWriters = (atomic: boolean): Program => {
    const p = handMade()
    const x = p.global('x')
    const sync = { kind: 'atomic' } as const
    p.template('writer', (t) => {
      const inside = t.location({ atomic })
      t.edge(t.initial, inside, [assign(x, num(1))], atomic ? { sync } : {})
      t.edge(inside, t.final, [assign(x, num(0))], atomic ? { sync } : {})
    })
    p.template('main', (t) => {
      const [started, read] = [t.location(), t.location()]
      const r = t.local('r')
      t.edge(t.initial, started, [start(t.local('h'), 'writer')])
      t.edge(started, read, [assign(r, varExpr(x))])
      t.edge(read, t.error(), [assume(eq(varExpr(r), num(1)))])
      t.edge(read, t.final, [assume(ne(varExpr(r), num(1)))])
    })
    return p.program()
  }

  it('let nobody see what is between', () => {
    expect(oracle(twoWriters(false), 'assert').verdict).toBe('false')
    expect(oracle(twoWriters(true), 'assert').verdict).toBe('true')
    expect(oracle(twoWriters(true), 'assert', { join: false }).verdict).toBe('true')
  })

  it('race with plain accesses, also beyond their first access', () => {
    const p = handMade()
    const [x, y] = [p.global('x'), p.global('y')]
    const sync = { kind: 'atomic' } as const
    p.template('block', (t) => {
      const inside = t.location({ atomic: true })
      t.edge(t.initial, inside, [assign(x, num(1))], { sync })
      t.edge(inside, t.final, [assign(y, num(1))], { sync })
    })
    p.template('main', (t) => t.path(t.initial, t.final, [start(t.local('h'), 'block')], [assign(y, num(2))], []))
    expect(oracle(p.program(), 'no-data-race', { join: false }).verdict).toBe('false')
  })
})

describe('memory', () => {
  it('is little endian and shared between views', () => {
    const p = handMade()
    const word = p.object('word', 4)
    p.template('main', (t) => {
      const byte = t.local('byte', intType(8, true))
      const end = t.location()
      t.path(t.initial, end, [store(p.memory, word.base, num(0x80ff01))], [load(byte, p.memory, word.base + 2)])
      t.edge(end, t.final, [assume(eq(varExpr(byte), constant(byte.type, -128)))])
      t.edge(end, t.error(), [assume(ne(varExpr(byte), constant(byte.type, -128)))])
    })
    expect(oracle(p.program(), 'assert').verdict).toBe('true')
  })

  it('overlapping bytes race, neighbouring ones do not', () => {
    const race = (offset: number): string => {
      const p = handMade()
      const pair = p.object('pair', 8)
      p.template('writer', (t) => t.edge(t.initial, t.final, [store(p.memory, pair.base, num(1))]))
      p.template('main', (t) =>
        t.path(t.initial, t.final, [start(t.local('h'), 'writer')], [store(p.memory, pair.base + offset, num(1))]),
      )
      return oracle(p.program(), 'no-data-race').verdict
    }
    expect(race(3)).toBe('false')
    expect(race(4)).toBe('true')
  })

  it('outside live objects stops the thread, and says so', () => {
    const p = handMade()
    const array = p.object('array', 8)
    p.template('main', (t) => {
      const end = t.location()
      t.path(t.initial, end, [store(p.memory, array.base + 6, num(1))])
      t.edge(end, t.error(), [])
    })
    const result = oracle(p.program(), 'assert')
    expect(result.verdict).toBe('true')
    expect(result.undefined).toHaveLength(1)
  })

  it('on the heap is fresh for each allocation, and gone after free', () => {
    const p = handMade()
    const node = p.object('node', 4, { storage: 'heap' })
    p.template('main', (t) => {
      const [first, second] = [t.local('first', POINTER[64]), t.local('second', POINTER[64])]
      const r = t.local('r')
      const allocate = (target: Variable): Label => ({
        kind: 'allocate',
        target,
        object: node,
        size: constant(intType(64, false), 4),
      })
      const at = (v: Variable) => ({ region: p.memory, address: varExpr(v), type: INT })
      const checked = t.location()
      t.path(
        t.initial,
        checked,
        [allocate(first)],
        [allocate(second)],
        [{ kind: 'store', value: num(7), ...at(first) }],
        [{ kind: 'load', target: r, ...at(second) }],
      )
      t.edge(checked, t.error(), [assume(ne(varExpr(r), num(0)))])
      const freed = t.location()
      t.edge(checked, freed, [assume(eq(varExpr(r), num(0))), { kind: 'free', address: varExpr(first) }])
      const beyond = t.location()
      t.edge(freed, beyond, [{ kind: 'load', target: r, ...at(first) }])
      t.edge(beyond, t.error(), [])
    })
    const result = oracle(p.program(), 'assert')
    expect(result.verdict).toBe('true')
    expect(result.undefined).toHaveLength(1)
  })

  it('that nobody wrote holds any value, the same at each look', () => {
    const p = handMade()
    const cell = p.object('cell', 1, { contents: 'any' })
    const byte = intType(8, false)
    const program = (value: number, twice: boolean): Program => {
      p.template('main', (t) => {
        const [a, b] = [t.local('a', byte), t.local('b', byte)]
        const end = t.location()
        t.path(t.initial, end, [load(a, p.memory, cell.base)], [load(b, p.memory, cell.base)])
        t.edge(end, t.error(), [assume(twice ? ne(varExpr(a), varExpr(b)) : eq(varExpr(a), constant(byte, value)))])
        t.edge(end, t.final, [])
      })
      return p.program()
    }
    expect(oracle(program(200, false), 'assert').verdict).toBe('false')
    expect(oracle(program(0, true), 'assert').verdict).toBe('true')
  })
})

describe('wide nondeterminism', () => {
  /** x any int; `conditions` decide what goes on to x == wanted being an error; others end by an assumption. */
  const program = (conditions: (x: Expr) => Expr, wanted: (x: Expr) => Expr): Program => {
    const p = handMade()
    const seen = p.global('seen')
    p.template('main', (t) => {
      const x = t.local('x')
      const [chosen, on, stored] = [t.location(), t.location(), t.location()]
      t.edge(t.initial, chosen, [{ kind: 'havoc', target: x }])
      t.edge(chosen, on, [assume(conditions(varExpr(x)))])
      t.edge(chosen, t.halt('assume'), [assume(not(conditions(varExpr(x))))])
      t.edge(on, stored, [assign(seen, varExpr(x))])
      t.edge(stored, t.error(), [assume(wanted(varExpr(x)))])
      t.edge(stored, t.final, [assume(not(wanted(varExpr(x))))])
    })
    return p.program()
  }

  it('is enumerated where an assumption leaves a short range', () => {
    const between = (x: Expr): Expr => ({ kind: 'and', type: { kind: 'bool' }, args: [lt(num(-3), x), lt(x, num(4))] })
    expect(
      oracle(
        program(between, (x) => eq(x, num(3))),
        'assert',
      ).verdict,
    ).toBe('false')
    expect(
      oracle(
        program(between, (x) => eq(x, num(4))),
        'assert',
      ).verdict,
    ).toBe('true')
  })

  it('is enumerated where none of two tests holds', () => {
    const outside = (x: Expr): Expr => ({ kind: 'or', type: { kind: 'bool' }, args: [lt(x, num(-2)), lt(num(3), x)] })
    const verdict = (wanted: number) =>
      oracle(
        program(
          (x) => not(outside(x)),
          (x) => eq(x, num(wanted)),
        ),
        'assert',
      ).verdict
    expect([-3, -2, 3, 4].map(verdict)).toEqual(['true', 'false', 'false', 'true'])
  })

  it('is unknown where it is not bounded', () => {
    const result = oracle(
      program(
        (x) => lt(num(0), x),
        (x) => eq(x, num(-1)),
      ),
      'assert',
    )
    expect(result.verdict).toBe('unknown')
    expect(result.reason).toContain('unbounded nondeterminism')
  })

  it('needs one value a way where it is only tested', () => {
    const p = handMade()
    const flag = p.global('flag')
    p.template('main', (t) => {
      const x = t.local('x')
      const [chosen, yes] = [t.location(), t.location()]
      t.edge(t.initial, chosen, [{ kind: 'havoc', target: x }])
      t.edge(chosen, yes, [assume(ne(varExpr(x), num(0)))])
      t.edge(chosen, t.final, [assume(eq(varExpr(x), num(0)))])
      t.path(yes, t.error(), [assign(flag, num(1))], [])
    })
    expect(oracle(p.program(), 'assert').verdict).toBe('false')
  })

  it('does not take a stuck thread for a failed assumption', () => {
    const p = handMade()
    p.template('main', (t) => {
      const x = t.local('x')
      const chosen = t.location()
      t.edge(t.initial, chosen, [{ kind: 'havoc', target: x }])
      t.edge(chosen, t.final, [assume(eq(varExpr(x), num(1)))])
    })
    // Blocked for every value but 1: a deadlock, or unknown, but never true.
    expect(oracle(p.program(), 'no-deadlock').verdict).not.toBe('true')
  })
})
