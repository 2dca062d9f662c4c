import { describe, expect, it } from 'vitest'
import { add, and, constant, eq, ite, lt, mul, ne, neg, not, shl, sub, varExpr } from '../../../src/xcfa/build.js'
import { INT, type MemoryObject, POINTER, type Region } from '../../../src/xcfa/index.js'
import { exprText, pointsToText, toC, toDot, toJson, toText } from '../../../src/xcfa/print/index.js'
import { assume, global, local, programOf, set, template } from '../passes/sample.js'

const [a, b, c] = [local('a'), local('b'), local('c')].map(varExpr) as [
  ReturnType<typeof varExpr>,
  ReturnType<typeof varExpr>,
  ReturnType<typeof varExpr>,
]

describe('expressions', () => {
  it('have the parentheses that C needs and no others', () => {
    expect(exprText(mul(add(a, b), c))).toBe('(a + b) * c')
    expect(exprText(add(a, mul(b, c)))).toBe('a + b * c')
    expect(exprText(sub(a, sub(b, c)))).toBe('a - (b - c)')
    expect(exprText(sub(sub(a, b), c))).toBe('a - b - c')
    expect(exprText(shl(a, add(b, c)))).toBe('a << b + c')
    expect(exprText(neg(add(a, b)))).toBe('-(a + b)')
    expect(exprText(and(lt(a, b), ne(b, c)))).toBe('a < b && b != c')
    expect(exprText(not(and(lt(a, b), ne(b, c))))).toBe('!(a < b && b != c)')
    expect(exprText(add(ite(lt(a, b), a, b), c))).toBe('(a < b ? a : b) + c')
  })
})

const mutex: MemoryObject = {
  id: 0,
  name: 'm',
  storage: 'static',
  base: 4096,
  stride: 0,
  size: 8,
  cells: [
    { offset: 0, type: INT, step: 4, count: 1, path: '.owner' },
    { offset: 4, type: INT, step: 4, count: 1, path: '.count' },
  ],
  initial: [],
  contents: 'zero',
}
const memory: Region = {
  id: 0,
  name: 'memory',
  scope: 'global',
  element: 'bytes',
  slots: [{ object: mutex, offset: 0, step: 1, count: 8 }],
}
const x = global('x')
const t = local('t')
const program = programOf(
  [x],
  [
    template(
      'main',
      [t],
      [
        { from: 'p', to: 'q', labels: [set(t, x)], text: 't = x' },
        {
          from: 'q',
          to: 'final',
          labels: [
            { kind: 'store', region: memory, address: constant(POINTER[64], 4100), value: varExpr(t), type: INT },
            assume(eq(varExpr(t), constant(INT, 0))),
          ],
          sync: { kind: 'lock', object: constant(POINTER[64], 4096) },
        },
      ],
    ),
  ],
  { objects: [mutex], regions: [memory] },
)

describe('a program', () => {
  it('is readable as text', () => {
    expect(toText(program)).toBe(`program lp64

global int x = 0

object m: static, 8 bytes at 0x1000

region memory: global bytes { m+0..7/1 }

thread main() self self
  local int t
  initial L0
  L0 -> L1: t := x  // sample.c:1 t = x
  L1 -> L2: lock &m.owner: memory[&m.count]<int> := t; [t == 0]
  L2 is final
`)
  })

  it('is a graph of quoted labels', () => {
    const dot = toDot(program)
    expect(dot).toContain('t0_L0 -> t0_L1 [label="t := x"];')
    expect(dot).toContain('t0_L2 [label="L2\\nfinal", shape=doublecircle];')
  })

  it('is JSON that parses, with edges between numbered locations', () => {
    const json = JSON.parse(toJson(program))
    expect(json.threads[0].edges.map((e: { source: number; target: number }) => [e.source, e.target])).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(json.threads[0].edges[0].labels).toEqual([{ kind: 'assign', target: t.id, value: ['var', x.id] }])
  })
})

describe('points-to', () => {
  it('says what each access means and how memory is split', () => {
    expect(pointsToText(program)).toBe('main sample.c:1: memory[&m.count]<int> := 0 -> m+4\nclass of int: m+4\n')
  })
})

describe('C', () => {
  it('has a label a location, an atomic block a step, and names that C allows', () => {
    const renamed = { ...x, name: 's.left' }
    const one = programOf(
      [renamed],
      [
        template(
          'main',
          [t],
          [{ from: 'p', to: 'final', labels: [set(t, renamed), assume(eq(varExpr(t), varExpr(renamed)))] }],
        ),
      ],
    )
    const text = toC(one)
    expect(text).toContain('int s_left = 0;')
    expect(text).toMatch(
      /L0:\n {2}atomic_begin\(\);\n {2}t = s_left;\n {2}assume\(t == s_left\);\n {2}atomic_end\(\);\n {2}goto L1;/,
    )
  })
})
