// Replay executes what an engine says, finds what it left open, and refuses what does not happen.
import { describe, expect, it } from 'vitest'
import { contextSwitches, interpreterOf, minimise, oracle, type Replay, replay } from '../../src/semantics/index.js'
import { add, constant, type Edge, eq, intType, ne, not, type Program, varExpr } from '../../src/xcfa/index.js'
import { everyAccess, largeBlocks } from '../../src/xcfa/passes/index.js'
import { handMade } from '../xcfa/hand.js'
import { assign, assume, lostUpdate, num, philosophers, start, store } from './programs.js'

const witness = (program: Program, property: string) => {
  const { trace } = oracle(program, property)
  if (!trace) throw new Error('expected a violation')
  return trace
}

describe('replay', () => {
  it('reaches the violation that the explorer found, and tells what changed', () => {
    const program = lostUpdate(2)
    const result = replay(program, witness(program, 'assert'), 'assert')
    expect(result.reached).toBe(true)
    expect(result.violation).toMatchObject({ kind: 'error', thread: 0 })
    const writes = result.steps.flatMap((s) => s.changes).filter(({ name }) => name === 'x')
    // Both threads write 1; the second write changes nothing.
    expect(writes.map(({ text }) => text)).toEqual(['1'])
  })

  it('maps joined edges to those they stand for', () => {
    const program = lostUpdate(2)
    const joined = largeBlocks(program, everyAccess)
    const result = replay(program, witness(joined, 'assert'), 'assert')
    expect(result.reached).toBe(true)
    const raw = new Set([...program.templates.values()].flatMap(({ edges }) => edges))
    expect(result.steps.every(({ step }) => raw.has(step.edge))).toBe(true)
  })

  it('executes a long trace to its end, with or without what happened on the way', () => {
    const ROUNDS = 120_000
    const p = handMade()
    p.template('main', (t) => {
      const i = t.local('i')
      t.edge(t.initial, t.initial, [assume(ne(varExpr(i), num(ROUNDS))), assign(i, add(varExpr(i), num(1)))])
      t.edge(t.initial, t.error(), [assume(eq(varExpr(i), num(ROUNDS)))])
    })
    const program = p.program()
    const [round, fails] = program.main.edges
    const steps = [...new Array<Edge>(ROUNDS).fill(round!), fails!].map((edge) => ({ thread: 0, edge, choices: [] }))
    expect(replay(program, { steps }, 'assert').steps).toHaveLength(ROUNDS + 1)
    expect(replay(program, { steps }, 'assert', { keepsSteps: false })).toMatchObject({ reached: true, steps: [] })
    expect(replay(program, { steps: steps.slice(1) }, 'assert', { keepsSteps: false }).reached).toBe(false)
  })

  it('refuses an execution that does not happen', () => {
    const program = lostUpdate(2)
    const [start1, start2, join1, join2, fails] = program.main.edges
    const one = (thread: number, edge: Edge | undefined) => ({ thread, edge: edge!, choices: [] })
    const all = (thread: number, name: string) => program.templates.get(name)!.edges.map((edge) => one(thread, edge))
    const main = [join1, join2, fails].map((edge) => one(0, edge))
    // One after the other, no update is lost.
    const result = replay(
      program,
      { steps: [one(0, start1), one(0, start2), ...all(1, 'A'), ...all(2, 'B'), ...main] },
      'assert',
    )
    expect(result.reached).toBe(false)
    expect(result.reason).toContain('not enabled')
    expect(result.steps).toHaveLength(8)
  })

  it('does not call a property violated that is not', () => {
    const program = lostUpdate(2)
    expect(replay(program, witness(program, 'assert'), 'unreach-call').reached).toBe(false)
  })

  it('says what each thread of a deadlock waits for, and who holds it', () => {
    const program = philosophers(2, false)
    const result = replay(program, witness(program, 'no-deadlock'), 'no-deadlock')
    expect(result.reached).toBe(true)
    expect(result.waiting).toMatchObject([
      { thread: 0, kind: 'join', joins: 1 },
      { thread: 1, kind: 'lock', object: 'fork1', heldBy: 2 },
      { thread: 2, kind: 'lock', object: 'fork0', heldBy: 1 },
    ])
  })

  it('shows both accesses of a race', () => {
    const p = handMade()
    const account = p.object('account', 8, {
      cells: [{ offset: 4, type: intType(32, true), step: 4, count: 1, path: '.balance' }],
    })
    p.template('writer', (t) => t.edge(t.initial, t.final, [store(p.memory, account.base + 4, num(5))]))
    p.template('main', (t) =>
      t.path(t.initial, t.final, [start(t.local('h'), 'writer')], [store(p.memory, account.base + 4, num(6))]),
    )
    const program = p.program()
    const result = replay(program, witness(program, 'no-data-race'), 'no-data-race')
    expect(result.violation).toMatchObject({ kind: 'race', first: { thread: 0 }, second: { thread: 1 } })
  })

  it('names cells of memory by their path', () => {
    const p = handMade()
    const queue = p.object('queue', 16, {
      cells: [{ offset: 0, type: intType(32, true), step: 4, count: 4, path: '[0]' }],
    })
    p.template('main', (t) => t.path(t.initial, t.error(), [store(p.memory, queue.base + 8, num(9))]))
    const program = p.program()
    const { steps } = replay(program, witness(program, 'assert'), 'assert')
    expect(steps[0]?.changes).toEqual([{ name: 'queue[2]', value: 9, text: '9' }])
  })
})

describe('what an engine left open', () => {
  /** Two nondeterministic numbers below 32; the error needs a sum of 16. */
  const choosing = (): Program => {
    const p = handMade()
    const five = intType(5, false)
    const [a, b] = [p.global('a', { type: five }), p.global('b', { type: five })]
    p.template('main', (t) => {
      const [one, two] = [t.location(), t.location()]
      t.edge(t.initial, one, [{ kind: 'havoc', target: a }, assume(ne(varExpr(a), constant(five, 0)))])
      t.edge(one, two, [{ kind: 'havoc', target: b }])
      const wanted = eq(add(varExpr(a), varExpr(b)), constant(five, 16))
      t.edge(two, t.error(), [assume(wanted)])
      t.edge(two, t.final, [assume(not(wanted))])
    })
    return p.program()
  }

  it('choices are searched for', () => {
    const program = choosing()
    const steps = witness(program, 'assert').steps.map((step) => ({ ...step, choices: [] }))
    expect(replay(program, { steps }, 'assert').reached).toBe(true)
  })

  it('edges that slicing removed are found again', () => {
    const p = handMade()
    const [x, unused] = [p.global('x'), p.global('unused')]
    p.template('main', (t) => {
      const looked = t.location()
      t.path(t.initial, looked, [assign(x, num(1))], [assign(unused, num(2))], [assign(unused, num(3))])
      t.edge(looked, t.error(), [assume(eq(varExpr(x), num(1)))])
    })
    const program = p.program()
    const sliced = program.main.edges.filter(
      ({ labels }) => !labels.some((l) => l.kind === 'assign' && l.target === unused),
    )
    const steps = sliced.map((edge) => ({ thread: 0, edge, choices: [] }))
    expect(steps).toHaveLength(2)
    const result = replay(program, { steps }, 'assert')
    expect(result.reached).toBe(true)
    expect(result.steps.map(({ from }) => from)).toEqual([0, undefined, undefined, 1])
  })

  it('the last steps to an error are taken', () => {
    const program = lostUpdate(2)
    const { steps } = witness(program, 'assert')
    expect(replay(program, { steps: steps.slice(0, -1) }, 'assert').reached).toBe(true)
  })
})

describe('fewest context switches', () => {
  /** Each of two threads writes its own variable k times; then main sees both. */
  const independent = (k: number): Program => {
    const p = handMade()
    const [x, y] = [p.global('x'), p.global('y')]
    for (const [name, v] of [
      ['A', x],
      ['B', y],
    ] as const)
      p.template(name, (t) => t.path(t.initial, t.final, ...new Array(k).fill([assign(v, add(varExpr(v), num(1)))])))
    p.template('main', (t) => {
      const started = t.location()
      t.edge(t.initial, started, [start(t.local('a'), 'A'), start(t.local('b'), 'B')])
      const seen = t.location()
      t.edge(started, seen, [assume(eq(varExpr(x), num(k)))])
      t.edge(seen, t.error(), [assume(eq(varExpr(y), num(k)))])
    })
    return p.program()
  }

  const alternating = (program: Program, k: number): Replay => {
    const [a, b] = [program.templates.get('A')!, program.templates.get('B')!]
    const [begin, look, fail] = program.main.edges
    const turns = Array.from({ length: k }, (_, i) => [
      { thread: 1, edge: a.edges[i]!, choices: [] },
      { thread: 2, edge: b.edges[i]!, choices: [] },
    ]).flat()
    const main = (edge: typeof begin) => ({ thread: 0, edge: edge!, choices: [] })
    return replay(program, { steps: [main(begin), ...turns, main(look), main(fail)] }, 'assert')
  }

  it('runs each thread in one go', () => {
    const program = independent(4)
    const found = alternating(program, 4)
    expect(found.reached).toBe(true)
    expect(contextSwitches(found.steps.map(({ step }) => step))).toBe(9)
    const better = minimise(interpreterOf(program), found, { steps: [] }, 'assert')
    expect(better.reached).toBe(true)
    // main, A, B, main.
    expect(contextSwitches(better.steps.map(({ step }) => step))).toBe(3)
  })

  it('keeps the switches that the lost update needs', () => {
    const program = lostUpdate(2)
    const trace = witness(program, 'assert')
    const found = replay(program, trace, 'assert')
    const better = minimise(
      interpreterOf(program),
      found,
      { ...trace, steps: found.steps.map(({ step }) => step) },
      'assert',
    )
    // main starts both; A reads, B reads and writes, A writes; main joins and fails: four switches at least.
    expect(contextSwitches(better.steps.map(({ step }) => step))).toBe(4)
  })

  it('leaves out a thread that has no part in it', () => {
    const p = handMade()
    const x = p.global('x')
    const y = p.global('y')
    p.template('bystander', (t) => t.path(t.initial, t.final, [assign(y, num(1))], [assign(y, num(2))]))
    p.template('main', (t) => {
      t.path(t.initial, t.error(), [start(t.local('h'), 'bystander')], [assign(x, num(1))], [])
    })
    const program = p.program()
    const [begin, write, fail] = program.main.edges
    const [one] = program.templates.get('bystander')!.edges
    const main = (edge: typeof begin) => ({ thread: 0, edge: edge!, choices: [] })
    const steps = [main(begin), { thread: 1, edge: one!, choices: [] }, main(write), main(fail)]
    const found = replay(program, { steps }, 'assert')
    const better = minimise(interpreterOf(program), found, { steps }, 'assert')
    expect(better.steps.map(({ step }) => step.thread)).toEqual([0, 0, 0])
  })
})
