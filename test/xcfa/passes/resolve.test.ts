// Memory becomes the variables and regions that C's rules allow to tell apart, and verdicts stay what they were.
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/exploration/oracle.js'
import { add, cast, constant, eq, lt, mul, ne, varExpr } from '../../../src/xcfa/build.js'
import {
  type Cell,
  type Expr,
  INT,
  intType,
  type Label,
  type MemoryObject,
  POINTER,
  type Program,
  type Region,
  type Type,
  type Variable,
} from '../../../src/xcfa/index.js'
import { prepare, propagate, resolve } from '../../../src/xcfa/passes/index.js'
import { edgeText } from '../../../src/xcfa/print/index.js'
import { handMade, type TemplateBuilder } from '../hand.js'

const LONG = intType(64, true)
const address = (object: MemoryObject, offset = 0): Expr => constant(POINTER[64], object.base + offset)
const offset = (bytes: number): Expr => constant(LONG, bytes)
const int = (value: number): Expr => constant(INT, value)
const load = (region: Region, target: Variable, at: Expr, type: Type = target.type): Label => ({
  kind: 'load',
  target,
  region,
  address: at,
  type,
})
const store = (region: Region, at: Expr, value: Expr): Label => ({
  kind: 'store',
  region,
  address: at,
  value,
  type: value.type,
})
const assign = (target: Variable, value: Expr): Label => ({ kind: 'assign', target, value })
const assume = (condition: Expr): Label => ({ kind: 'assume', condition })
const start = (target: Variable, procedure: string, ...args: Expr[]): Label => ({
  kind: 'start',
  target,
  procedure,
  args,
})
const cell = (at: number, path: string, count = 1, type: Type = INT): Cell => ({
  offset: at,
  type,
  step: 4,
  count,
  path,
})

const labels = (program: Program, name = 'main'): string[] =>
  program.templates.get(name)!.edges.map((edge) => edgeText(edge))
const regions = (program: Program): string[] =>
  program.regions.map(
    ({ scope, element, slots }) =>
      `${scope} ${element === 'bytes' ? 'bytes' : element.kind} ${slots
        .map((s) => `${s.object.name}+${s.offset}/${s.step}*${s.count}`)
        .join(' ')}`,
  )
const branch = (t: TemplateBuilder, from: TemplateBuilder['initial'], ok: Expr, bad: Expr) => {
  t.edge(from, t.final, [assume(ok)])
  t.edge(from, t.error(), [assume(bad)])
}

describe('resolve', () => {
  it('makes fields of one static object variables, also through a register that only points to them', () => {
    const b = handMade()
    const s = b.object('s', 8, {
      cells: [cell(0, '.x'), cell(4, '.y')],
      initial: [{ offset: 4, type: INT, value: 7 }],
    })
    b.template('main', (t) => {
      const p = t.local('p', POINTER[64])
      const v = t.local('v')
      const end = t.location()
      t.path(
        t.initial,
        end,
        [assign(p, address(s))],
        [store(b.memory, varExpr(p), int(1))],
        [load(b.memory, v, add(varExpr(p), offset(4)))],
      )
      branch(t, end, eq(varExpr(v), int(7)), ne(varExpr(v), int(7)))
    })
    const program = resolve(b.program())
    expect(labels(program)).toEqual(
      ['p := &s.x', 's.x := 1', 'v := s.y', '[v == 7]', '[v != 7]'].map((l) => l.replace('&s.x', '0x1000')),
    )
    expect(program.globals.map((g) => [g.name, g.initial])).toEqual([
      ['s.x', 0],
      ['s.y', 7],
    ])
    expect(program.regions).toEqual([])
    expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('keeps an array with a computed index a typed region, apart from the field beside it', () => {
    const b = handMade()
    const q = b.object('q', 36, { cells: [cell(0, '.buffer[0]', 8), cell(32, '.head')] })
    b.template('main', (t) => {
      const i = t.local('i')
      const v = t.local('v')
      const index = mul(cast(LONG, varExpr(i)), offset(4))
      const end = t.location()
      t.path(
        t.initial,
        end,
        [{ kind: 'havoc', target: i, range: { low: int(0), high: int(7) } }],
        [store(b.memory, add(address(q), index), int(5))],
        [store(b.memory, address(q, 8), int(5))],
        [load(b.memory, v, address(q, 32))],
      )
      branch(t, end, eq(varExpr(v), int(0)), ne(varExpr(v), int(0)))
    })
    const program = resolve(b.program())
    expect(regions(program)).toEqual(['global int q+0/4*8'])
    expect(program.globals.map((g) => g.name)).toEqual(['q.head'])
    expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('keeps two objects that one pointer may mean in one region, and others apart', () => {
    const b = handMade()
    const [x, y, z] = ['x', 'y', 'z'].map((name) => b.object(name, 4, { cells: [cell(0, '')] })) as [
      MemoryObject,
      MemoryObject,
      MemoryObject,
    ]
    b.template('main', (t) => {
      const p = t.local('p', POINTER[64])
      const c = t.local('c')
      const v = t.local('v')
      const [left, right, joined, end] = [t.location(), t.location(), t.location(), t.location()]
      t.edge(t.initial, left, [{ kind: 'havoc', target: c }, assume(eq(varExpr(c), int(0)))])
      t.edge(t.initial, right, [{ kind: 'havoc', target: c }, assume(ne(varExpr(c), int(0)))])
      t.edge(left, joined, [assign(p, address(x))])
      t.edge(right, joined, [assign(p, address(y))])
      t.path(joined, end, [store(b.memory, varExpr(p), int(1))], [load(b.memory, v, address(z))])
      branch(t, end, eq(varExpr(v), int(0)), ne(varExpr(v), int(0)))
    })
    const program = resolve(b.program())
    expect(regions(program)).toEqual(['global int x+0/4*1 y+0/4*1'])
    expect(program.globals.map((g) => g.name)).toEqual(['z'])
  })

  it('keeps what is accessed in different sizes as bytes', () => {
    const b = handMade()
    const x = b.object('x', 4, { cells: [cell(0, '')] })
    const char = intType(8, false)
    b.template('main', (t) => {
      const v = t.local('v', char)
      const end = t.location()
      t.path(t.initial, end, [store(b.memory, address(x), int(0x01020304))], [load(b.memory, v, address(x, 1))])
      branch(t, end, eq(varExpr(v), constant(char, 3)), ne(varExpr(v), constant(char, 3)))
    })
    const program = resolve(b.program())
    expect(regions(program)).toEqual(['global bytes x+0/1*4'])
    expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('reads a cell as signed and unsigned from one variable', () => {
    const b = handMade()
    const x = b.object('x', 4, { cells: [cell(0, '')] })
    const unsigned = intType(32, false)
    b.template('main', (t) => {
      const v = t.local('v', unsigned)
      const end = t.location()
      t.path(t.initial, end, [store(b.memory, address(x), int(-1))], [load(b.memory, v, address(x))])
      const most = constant(unsigned, 0xffffffff)
      branch(t, end, eq(varExpr(v), most), ne(varExpr(v), most))
    })
    const program = resolve(b.program())
    expect(labels(program).slice(0, 2)).toEqual(['x := -1', 'v := (unsigned int)x'])
    expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('makes locals in memory variables of their thread, unless another thread gets their address', () => {
    const build = (escapes: boolean): Program => {
      const b = handMade()
      const own = b.object('own', 4, { storage: 'thread', cells: [cell(0, '')] })
      const frame = (t: TemplateBuilder): Expr =>
        add(address(own), mul(cast(LONG, varExpr(t.self)), offset(own.stride)))
      b.template('main', (t) => {
        const n = t.local('n', intType(32, false))
        t.path(
          t.initial,
          t.final,
          [store(b.memory, frame(t), int(1))],
          [start(n, 'worker', escapes ? frame(t) : constant(POINTER[64], 0))],
        )
      })
      b.template('worker', (t) => {
        const arg = t.parameter('arg', POINTER[64])
        const v = t.local('v')
        const end = t.location()
        t.edge(t.initial, end, [load(b.memory, v, escapes ? varExpr(arg) : frame(t))])
        const expected = int(escapes ? 1 : 0)
        branch(t, end, eq(varExpr(v), expected), ne(varExpr(v), expected))
      })
      return b.program()
    }
    const isPrivate = resolve(build(false))
    expect(isPrivate.regions).toEqual([])
    expect(labels(isPrivate, 'worker')[0]).toBe('v := own#2')
    expect(isPrivate.globals).toEqual([])
    const isShared = resolve(build(true))
    expect(regions(isShared)).toEqual(['global int own+0/4*1'])
    for (const raw of [build(false), build(true)])
      for (const program of [raw, resolve(raw), prepare(raw)]) expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('stops a thread at an access that is always invalid', () => {
    const b = handMade()
    b.template('main', (t) => {
      const v = t.local('v')
      const end = t.location()
      t.edge(t.initial, end, [load(b.memory, v, constant(POINTER[64], 0))])
      t.edge(end, t.error(), [])
    })
    const program = resolve(b.program())
    expect(program.main.edges[0]!.target.reason?.kind).toBe('undefined')
    expect(oracle(program, 'assert').verdict).toBe('true')
  })

  it('finds objects behind pointers that went through memory and integers', () => {
    const b = handMade()
    const x = b.object('x', 4, { cells: [cell(0, '')] })
    const holder = b.object('holder', 8, { cells: [cell(0, '', 1, POINTER[64])] })
    b.template('main', (t) => {
      const n = t.local('n', LONG)
      const m = t.local('m', LONG)
      const v = t.local('v')
      const end = t.location()
      t.path(
        t.initial,
        end,
        [store(b.memory, address(holder), address(x))],
        [load(b.memory, n, address(holder), LONG)],
        [assign(m, { kind: 'binary', op: 'bitxor', type: LONG, left: varExpr(n), right: offset(1) })],
        [store(b.memory, cast(POINTER[64], add(varExpr(m), offset(-1))), int(9))],
        [load(b.memory, v, address(x))],
      )
      branch(t, end, eq(varExpr(v), int(9)), ne(varExpr(v), int(9)))
    })
    const program = resolve(b.program())
    // The address is known only up to its offset in x, and an access of four bytes has no other place in it.
    expect(labels(program)[3]).toBe('x := 9')
    for (const p of [b.program(), program]) expect(oracle(p, 'assert').verdict).toBe('true')
  })
})

describe('propagate', () => {
  it('makes an address constant that a parameter of an inlined function carried, and drops the parameter', () => {
    const b = handMade()
    const m = b.object('m', 4, { cells: [cell(0, '')] })
    b.template('main', (t) => {
      const p = t.local('p', POINTER[64])
      const q = t.local('q', POINTER[64])
      t.path(
        t.initial,
        t.final,
        [assign(p, address(m))],
        [assign(q, varExpr(p))],
        [store(b.memory, varExpr(q), int(1))],
      )
    })
    const program = propagate(b.program())
    expect(labels(program)).toEqual(['skip', 'skip', 'memory[0x1000]<int> := 1'])
    expect(program.main.locals.map((v) => v.name)).toEqual(['self'])
  })

  it('does not carry a value around a loop that changes it', () => {
    const b = handMade()
    const g = b.global('g')
    b.template('main', (t) => {
      const i = t.local('i')
      const head = t.location()
      const body = t.location()
      t.edge(t.initial, head, [assign(i, int(0))])
      t.edge(head, body, [assume(lt(varExpr(i), int(3)))])
      t.edge(body, head, [assign(i, add(varExpr(i), int(1)))])
      t.edge(head, t.final, [
        assume({ kind: 'not', type: { kind: 'bool' }, arg: lt(varExpr(i), int(3)) }),
        assign(g, varExpr(i)),
      ])
    })
    expect(labels(propagate(b.program()))).toContain('[i < 3]')
  })
})
