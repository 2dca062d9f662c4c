import { describe, expect, it } from 'vitest'
import { add, constant, eq, ne, varExpr } from '../../../src/xcfa/build.js'
import { INT, intType, type Label, type Program, type Variable } from '../../../src/xcfa/index.js'
import { resetDeadLocals, sharing, slice } from '../../../src/xcfa/passes/index.js'
import { edgeText } from '../../../src/xcfa/print/index.js'
import { handMade } from '../hand.js'

const int = (value: number) => constant(INT, value)
const assign = (target: Variable, value: Variable | ReturnType<typeof int>): Label => ({
  kind: 'assign',
  target,
  value: 'scope' in value ? varExpr(value) : value,
})
const start = (target: Variable, procedure: string): Label => ({ kind: 'start', target, procedure, args: [] })
const labels = (program: Program, name = 'main'): string[] =>
  program.templates.get(name)!.edges.map((edge) => edgeText(edge))

/** main writes `own` and starts one writer and, in a loop, readers. */
const sample = () => {
  const b = handMade()
  const [own, flag, constantly, counter] = ['own', 'flag', 'constantly', 'counter'].map((name) => b.global(name)) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ]
  b.template('main', (t) => {
    const n = t.local('n', intType(32, false))
    const v = t.local('v')
    const loop = t.location()
    t.path(t.initial, loop, [assign(own, int(1))], [start(n, 'writer')])
    t.edge(loop, loop, [start(n, 'reader')])
    t.path(loop, t.final, [assign(v, own)], [assign(v, constantly)])
  })
  b.template('writer', (t) => {
    const v = t.local('v')
    t.path(t.initial, t.final, [assign(flag, int(1))], [assign(v, flag)], [assign(v, constantly)])
  })
  b.template('reader', (t) => {
    const v = t.local('v')
    const w = t.local('w')
    const end = t.location()
    t.path(
      t.initial,
      end,
      [assign(v, flag)],
      [assign(w, counter)],
      [{ kind: 'assign', target: counter, value: add(varExpr(w), int(1)) }],
    )
    t.edge(end, t.final, [{ kind: 'assume', condition: eq(varExpr(v), int(0)) }])
    t.edge(end, t.error(), [{ kind: 'assume', condition: ne(varExpr(v), int(0)) }])
  })
  return { program: b.program(), own, flag, constantly, counter }
}

describe('sharing', () => {
  it('counts instances: one for main, one a start, any number in a loop', () => {
    const { program } = sample()
    const { instances } = sharing(program)
    const counts = [...instances].map(([procedure, count]) => [procedure.name, count])
    expect(counts).toEqual([
      ['main', 1],
      ['writer', 1],
      ['reader', Number.POSITIVE_INFINITY],
    ])
  })

  it('knows what main does before there is another thread', () => {
    const { program } = sample()
    const { isAlone } = sharing(program)
    expect(program.main.edges.filter(isAlone).map((edge) => edgeText(edge))).toEqual([
      'own := 1',
      'n := start writer()',
    ])
  })

  it('sees a write that others read, but no read that nobody else disturbs', () => {
    const { program, own, flag, constantly, counter } = sample()
    const { isShared, isReadOnly, visible } = sharing(program)
    expect([own, flag, constantly, counter].map(isShared)).toEqual([false, true, false, true])
    expect([own, flag, constantly, counter].map(isReadOnly)).toEqual([true, false, true, false])
    const seen = [...program.templates.values()].map((t) =>
      t.edges.flatMap((e) => e.labels.filter((label) => visible(label, t)).map(() => edgeText(e))),
    )
    expect(seen).toEqual([[], ['flag := 1'], ['v := flag', 'w := counter', 'counter := w + 1']])
  })
})

describe('slice', () => {
  it('drops what no guard depends on, over all threads, and keeps every edge', () => {
    const { program } = sample()
    const sliced = slice(program)
    expect(labels(sliced)).toEqual(['skip', 'n := start writer()', 'n := start reader()', 'skip', 'skip'])
    expect(labels(sliced, 'writer')).toEqual(['flag := 1', 'skip', 'skip'])
    expect(labels(sliced, 'reader')).toEqual(['v := flag', 'skip', 'skip', '[v == 0]', '[v != 0]'])
    expect(sliced.globals.map((g) => g.name)).toEqual(['flag'])
  })
})

describe('resetDeadLocals', () => {
  it('resets a local on each edge after which nobody reads it', () => {
    const { program } = sample()
    expect(labels(resetDeadLocals(program), 'reader')).toEqual([
      'v := flag',
      'w := counter',
      'counter := w + 1; w := 0',
      '[v == 0]; v := 0',
      '[v != 0]; v := 0',
    ])
  })
})
