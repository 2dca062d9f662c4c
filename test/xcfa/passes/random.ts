// Random raw programs for agreement tests: two or three threads over globals, a struct with an array, a pointer in
// memory and thread storage; branches, bounded loops, atomic blocks, waits, nondeterminism. Every access is valid.
import { add, and, bitand, cast, constant, eq, le, mul, ne, not, varExpr } from '../../../src/xcfa/build.js'
import {
  type Expr,
  INT,
  intType,
  type Label,
  type Location,
  type MemoryObject,
  POINTER,
  type Program,
  type Sync,
  type Type,
  type Variable,
} from '../../../src/xcfa/index.js'
import { handMade, type ProgramBuilder, type TemplateBuilder } from '../hand.js'

const LONG = intType(64, true)
const NUMBER = intType(32, false)
const int = (value: number): Expr => constant(INT, value)
const bytes = (value: number): Expr => constant(LONG, value)

/** Mulberry32: the same programs on every machine. */
const randomFrom = (seed: number) => {
  let state = seed | 0
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

interface World {
  readonly b: ProgramBuilder
  readonly random: (below: number) => number
  readonly globals: readonly Variable[]
  readonly record: MemoryObject
  readonly other: MemoryObject
  readonly holder: MemoryObject
  readonly own: MemoryObject
  readonly lock: MemoryObject
}

export const randomProgram = (seed: number): Program => {
  const random = randomFrom(seed)
  const b = handMade()
  const world: World = {
    b,
    random,
    globals: [b.global('g'), b.global('h', { initial: 1 })],
    record: b.object('record', 12, {
      cells: [
        { offset: 0, type: INT, step: 4, count: 1, path: '.x' },
        { offset: 4, type: INT, step: 4, count: 2, path: '.a[0]' },
      ],
      initial: [{ offset: 4, type: INT, value: 1 }],
    }),
    other: b.object('other', 4, { cells: [{ offset: 0, type: INT, step: 4, count: 1, path: '' }] }),
    holder: b.object('holder', 8, { cells: [{ offset: 0, type: POINTER[64], step: 8, count: 1, path: '' }] }),
    own: b.object('own', 4, {
      storage: 'thread',
      instances: 64,
      cells: [{ offset: 0, type: INT, step: 4, count: 1, path: '' }],
    }),
    lock: b.object('lock', 4, { cells: [{ offset: 0, type: NUMBER, step: 4, count: 1, path: '.owner' }] }),
  }
  const workers = 1 + random(2)
  b.template('main', (t) => {
    const author = authorOf(world, t)
    author.store(address(world.holder), address(world.record, 4 * random(3)))
    for (let i = 0; i < workers; i++) {
      const number = t.local(`n${i}`, NUMBER)
      const args = [random(2) === 0 ? address(world.other) : address(world.record, 8)]
      author.step([{ kind: 'start', target: number, procedure: `worker${random(workers)}`, args }], { kind: 'start' })
      if (random(3) === 0) author.statements(1)
      if (random(3) === 0) author.step([{ kind: 'join', thread: varExpr(number) }], { kind: 'join' })
    }
    author.statements(2)
    author.end()
  })
  for (let i = 0; i < workers; i++)
    b.template(`worker${i}`, (t) => {
      const argument = t.parameter('argument', POINTER[64])
      const author = authorOf(world, t, argument)
      author.statements(3 + random(2))
      author.end()
    })
  return b.program()
}

const address = (object: MemoryObject, offset = 0): Expr => constant(POINTER[64], object.base + offset)

interface Author {
  step(labels: readonly Label[], sync?: Sync): void
  store(at: Expr, value: Expr): void
  statements(count: number): void
  end(): void
}

const authorOf = (world: World, t: TemplateBuilder, argument?: Variable): Author => {
  const { b, random, globals, record, other, holder, own, lock } = world
  const locals = [t.local('u'), t.local('v'), t.local('w')]
  const pointer = t.local('p', POINTER[64])
  let here: Location = t.initial
  let atomic = false
  let loops = 0
  let asserts = 0
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!
  const move = (target: Location, labels: readonly Label[], sync?: Sync): void => {
    const tag = sync ?? (atomic ? ({ kind: 'atomic' } as const) : undefined)
    t.edge(here, target, labels, tag ? { sync: tag } : {})
    here = target
  }
  const step = (labels: readonly Label[], sync?: Sync): void => move(t.location({ atomic }), labels, sync)
  const load = (target: Variable, at: Expr, type: Type = target.type): void =>
    step([{ kind: 'load', target, region: b.memory, address: at, type }])
  const store = (at: Expr, value: Expr): void =>
    step([{ kind: 'store', region: b.memory, address: at, value, type: value.type }])

  const small = (e: Expr): Expr => bitand(e, int(1))
  const value = (): Expr =>
    pick([
      () => int(random(3)),
      () => varExpr(pick(locals)),
      () => bitand(add(varExpr(pick(locals)), int(1)), int(3)),
      () => small(varExpr(pick(locals))),
    ])()
  const condition = (): Expr =>
    pick([
      () => eq(varExpr(pick(locals)), int(random(3))),
      () => le(varExpr(pick(locals)), int(random(2))),
      () => and(ne(varExpr(pick(locals)), int(1)), le(varExpr(pick(locals)), int(1))),
    ])()
  const element = (): Expr => add(address(record, 4), mul(cast(LONG, small(varExpr(pick(locals)))), bytes(4)))
  const frame = (): Expr => add(address(own), mul(cast(LONG, varExpr(t.self)), bytes(own.stride)))
  const place = (): Expr =>
    pick([
      () => address(record),
      () => address(record, 4),
      () => address(other),
      element,
      frame,
      () => (argument ? varExpr(argument) : address(record)),
    ])()

  const branch = (c: Expr, then: () => void, otherwise: () => void): void => {
    const [yes, no, end] = [t.location({ atomic }), t.location({ atomic }), t.location({ atomic })]
    const from = here
    move(yes, [{ kind: 'assume', condition: c }])
    then()
    move(end, [])
    here = from
    move(no, [{ kind: 'assume', condition: not(c) }])
    otherwise()
    move(end, [])
  }
  const stopUnless = (c: Expr, stop: Location): void => {
    const from = here
    move(stop, [{ kind: 'assume', condition: not(c) }])
    here = from
    step([{ kind: 'assume', condition: c }])
  }
  const atomically = (work: () => void, sync?: Sync): void => {
    if (atomic) return
    atomic = true
    step([], sync)
    work()
    atomic = false
    const after = t.location()
    t.edge(here, after, [], { sync: sync ?? { kind: 'atomic' } })
    here = after
  }
  const loop = (): void => {
    if (loops++ > 0) return
    const counter = t.local('i')
    const head = t.location({ atomic })
    move(head, [{ kind: 'assign', target: counter, value: int(0) }])
    step([{ kind: 'assume', condition: not(le(int(2), varExpr(counter))) }])
    statement(1)
    move(head, [{ kind: 'assign', target: counter, value: add(varExpr(counter), int(1)) }])
    step([{ kind: 'assume', condition: le(int(2), varExpr(counter)) }])
  }
  const locked = (): void => {
    if (atomic) return
    const owner = t.local('owner', NUMBER)
    const sync: Sync = { kind: 'lock', object: address(lock) }
    atomic = true
    step([{ kind: 'load', target: owner, region: b.memory, address: address(lock), type: NUMBER }], sync)
    step([{ kind: 'assume', condition: eq(varExpr(owner), constant(NUMBER, 0)) }], sync)
    atomic = false
    const mine = add(varExpr(t.self), constant(NUMBER, 1))
    step([{ kind: 'store', region: b.memory, address: address(lock), value: mine, type: NUMBER }], sync)
    statement(1)
    const free = constant(NUMBER, 0)
    step([{ kind: 'store', region: b.memory, address: address(lock), value: free, type: NUMBER }], {
      ...sync,
      kind: 'unlock',
    })
  }

  const wait = (): void => {
    if (atomic) return
    atomic = true
    step([{ kind: 'assign', target: locals[0]!, value: varExpr(globals[0]!) }])
    atomic = false
    step([{ kind: 'assume', condition: eq(varExpr(locals[0]!), int(1)) }], { kind: 'acquire' })
  }

  const statement = (depth: number): void =>
    pick<() => void>([
      () => step([{ kind: 'assign', target: pick(locals), value: value() }]),
      () => step([{ kind: 'assign', target: pick(globals), value: value() }]),
      () => step([{ kind: 'assign', target: pick(locals), value: varExpr(pick(globals)) }]),
      () => load(pick(locals), place()),
      () => load(pick(locals), place()),
      () => store(place(), value()),
      () => store(place(), value()),
      () => {
        load(pointer, address(holder))
        store(varExpr(pointer), value())
      },
      () => {
        step([{ kind: 'assign', target: pointer, value: pick([place(), element()]) }])
        load(pick(locals), varExpr(pointer))
      },
      () => store(address(holder), pick([address(other), address(record), element()])),
      () => step([{ kind: 'havoc', target: pick(locals), range: { low: int(0), high: int(1) } }]),
      () =>
        branch(
          condition(),
          () => statement(depth - 1),
          () => random(2) === 0 && statement(depth - 1),
        ),
      () => stopUnless(condition(), t.halt(pick(['assume', 'exit', 'undefined']))),
      () => {
        if (asserts++ < 2) stopUnless(condition(), t.error())
      },
      () => atomically(() => statements(2)),
      locked,
      wait,
      loop,
    ])()
  const statements = (count: number): void => {
    for (let i = 0; i < count; i++) statement(1)
  }
  /** What the thread saw in the end: an error location for each pair of values that two registers may have. */
  const end = (): void => {
    load(locals[0]!, place())
    if (random(2) === 0) step([{ kind: 'assign', target: locals[1]!, value: varExpr(pick(globals)) }])
    for (const first of [0, 1, 2])
      for (const second of [0, 1, 2]) {
        const seen = and(eq(varExpr(locals[0]!), int(first)), eq(varExpr(locals[1]!), int(second)))
        const violation = { kind: 'assert', text: `${here.id} saw ${first} ${second}` } as const
        t.edge(here, t.location({ kind: 'error', violation }), [{ kind: 'assume', condition: seen }])
      }
    t.edge(here, t.final, [])
  }
  return { step, store, statements, end }
}
