// What is one step (semantics.md, Steps): the exact edges of small statements.
import { describe, expect, it } from 'vitest'
import { compileText, edgesAt, edgesOf, edgeText, outgoing, texts } from './support.js'

describe('accesses', () => {
  it('x = y + z on globals is read y, read z, write x', () => {
    expect(texts(edgesOf('int x, y, z;', 'x = y + z;'))).toEqual(['t1 := y', 't2 := z', 'x := t1 + t2'])
  })

  it('a global that is read twice is two reads', () => {
    expect(texts(edgesOf('int x, y;', 'x = y * y;'))).toEqual(['t1 := y', 't2 := y', 'x := t1 * t2'])
  })

  it('a read goes into the local that wants it', () => {
    expect(texts(edgesOf('int x;', 'int r = x; x = r;'))).toEqual(['r := x', 'x := r'])
  })

  it('x += y reads from left to right', () => {
    expect(texts(edgesOf('int x, y;', 'x += y;'))).toEqual(['t1 := x', 't2 := y', 'x := t1 + t2'])
  })

  it('an array element is base plus index times size plus offset, a field of a constant element one constant', () => {
    const [variable] = edgesOf('struct { int k, x; } a[4];', 'int i = 2; i++; a[i].x = 1;').slice(-1)
    const [fixed] = edgesOf('struct { int k, x; } a[4];', 'a[3].x = 1;')
    const store = variable!.labels[0]!
    const base = (fixed!.labels[0] as typeof store & { kind: 'store' }).address
    expect(base.kind).toBe('const')
    expect(store.kind === 'store' && store.address).toMatchObject({
      kind: 'binary',
      op: 'add',
      // The base stays the address of the array, also where an index goes below it.
      left: {
        kind: 'binary',
        op: 'add',
        left: { kind: 'const', value: Number(base.kind === 'const' && base.value) - 3 * 8 - 4 },
        right: { kind: 'binary', op: 'mul', right: { value: 8 } },
      },
      right: { kind: 'const', value: 4 },
    })
  })

  it('a write to a bit-field reads its unit and writes it back, in two steps', () => {
    const edges = edgesOf('struct { unsigned a : 3, b : 5; } s;', 's.b = 9;')
    expect(edges.map((edge) => edge.labels.map((label) => label.kind))).toEqual([['load'], ['store']])
  })

  it('an increment of an _Atomic variable is one atomic step, of a plain one two', () => {
    const atomic = edgesOf('_Atomic int x;', 'x++;')
    expect(texts(atomic)).toEqual(['x := x + 1'])
    expect(atomic[0]!.sync).toEqual({ kind: 'atomic' })
    expect(texts(edgesOf('int x;', 'x++;'))).toEqual(['t1 := x', 'x := t1 + 1'])
  })

  it('a builtin atomic operation is one step, whatever it does', () => {
    const edges = edgesOf('int x;', '__sync_bool_compare_and_swap(&x, 0, 1);')
    // Two ways: equal and different; no location between reading and writing.
    expect(edges).toHaveLength(2)
    expect(new Set(edges.map((edge) => `${edge.source.id} ${edge.target.id}`)).size).toBe(1)
    expect(edges.every((edge) => edge.sync?.kind === 'atomic')).toBe(true)
  })
})

describe('branches', () => {
  it('two edges with complementary conditions', () => {
    const { program } = compileText('int y; int main(void) { if (y > 3) y = 0; return 0; }')
    const [read] = edgesAt({ program } as never, 'if (y > 3)')
    expect(edgeText(read!)).toBe('t1 := y')
    expect(texts(outgoing(program.main, read!.target)).toSorted()).toEqual(['[3 < t1]', '[t1 <= 3]'])
  })

  it('?: and && over locals need no branch', () => {
    const edges = edgesOf('int x;', 'int a = x, b = x; int c = a > 0 && b > 0 ? a : b; x = c;')
    expect(new Set(edges.map((edge) => edge.source)).size).toBe(edges.length)
  })

  it('the right side of && that reads a global is read only if the left side holds', () => {
    const edges = edgesOf('int x, y, z;', 'if (x && y) z = 1;')
    const read = edges.find((edge) => edgeText(edge) === 't2 := y')!
    expect(texts(edges.filter((edge) => edge.target === read.source))).toEqual(['[t1 != 0]'])
  })
})

describe('undefined behaviour stops the thread', () => {
  it('division: a guard where the divisor is not a constant', () => {
    const edges = edgesOf('int x;', 'int a = x, b = x; x = a / b;')
    const stops = edges.filter((edge) => edge.target.kind === 'halt' && edge.target.reason?.kind === 'undefined')
    expect(texts(stops)).toEqual(['[b == 0]'])
    expect(edgesOf('int x;', 'x = x / 2;').some((edge) => edge.target.reason?.kind === 'undefined')).toBe(false)
  })

  it('a shift that is too wide or negative', () => {
    const edges = edgesOf('int x;', 'int a = x; x = 1 << a;')
    expect(edges.filter((edge) => edge.target.reason?.kind === 'undefined')).toHaveLength(1)
    expect(edgesOf('int x;', 'x = x << 31;').some((edge) => edge.target.reason?.kind === 'undefined')).toBe(false)
  })

  it('overflow is a violation only where it is asked for', () => {
    const violations = (checkOverflow: boolean, statement: string): number =>
      edgesOf('int x; unsigned u;', statement, { checkOverflow }).filter(
        (edge) => edge.target.violation?.kind === 'overflow',
      ).length
    expect(violations(false, 'x = x + 1;')).toBe(0)
    expect(violations(true, 'x = x + 1;')).toBe(1)
    expect(violations(true, 'u = u + 1;')).toBe(0)
    expect(violations(true, 'x = 2 + 3;')).toBe(0)
  })
})

describe('atomic blocks', () => {
  const declared = 'extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); int x, y, z;'
  const block = (body: string): string => `__VERIFIER_atomic_begin(); ${body} __VERIFIER_atomic_end();`

  it('straight code is one edge over globals, without temporaries', () => {
    const edges = edgesOf(declared, block('x = y > 0 ? y : z; y = x + z;'))
    expect(texts(edges)).toEqual(['x := 0 < y ? y : z; y := x + z'])
    expect(edges[0]!.sync).toEqual({ kind: 'atomic' })
  })

  it('a value that is changed in between is kept', () => {
    const [edge] = edgesOf(declared, block('x = y++ + z;'))
    expect(edgeText(edge!)).toBe('t1 := y; y := t1 + 1; x := t1 + z')
  })

  it('a branch makes two edges from the same place to the same place', () => {
    const edges = edgesOf(declared, block('if (x) y = 1; z = 2;'))
    expect(texts(edges).toSorted()).toEqual(['[x != 0]; y := 1; z := 2', '[x == 0]; z := 2'])
    expect(edges.some((edge) => edge.source.atomic || edge.target.atomic)).toBe(false)
  })

  it('a loop has locations inside, where only this thread moves', () => {
    const edges = edgesOf(declared, block('while (x < y) x++;'))
    const inside = new Set(edges.flatMap((edge) => [edge.source, edge.target]).filter((location) => location.atomic))
    expect(inside.size).toBe(1)
    expect(edges.every((edge) => edge.sync?.kind === 'atomic')).toBe(true)
  })

  it('two blocks that follow each other are two steps', () => {
    expect(texts(edgesOf(declared, block('x = 1;') + block('y = 1;')))).toEqual(['x := 1', 'y := 1'])
  })

  it('a function __VERIFIER_atomic_* is one step', () => {
    const edges = edgesOf(
      `${declared} int __VERIFIER_atomic_take(int *p) { int old = *p; *p = 1; return old; } int m;`,
      'int r = __VERIFIER_atomic_take(&m); x = r;',
    )
    expect(edges.map((edge) => edge.labels.filter((l) => l.kind === 'load' || l.kind === 'store').length)).toEqual([
      2, 0,
    ])
  })

  it('a function that is called inside is part of the step', () => {
    const edges = edgesOf(`${declared} static int twice(int v) { return y + v * 2; }`, block('x = twice(z);'))
    expect(edges).toHaveLength(1)
    expect(edges[0]!.sync).toEqual({ kind: 'atomic' })
  })

  it('one that ends on some paths only is unsupported', () => {
    const text = '__VERIFIER_atomic_begin(); if (x) __VERIFIER_atomic_end(); y = 1;'
    expect(() => edgesOf(declared, text)).toThrow(/unsupported: an atomic block/)
  })
})

describe('library calls', () => {
  const program = `#include <pthread.h>
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int x;
    int main(void)
    {
      pthread_mutex_lock(&m);
      x = 1;
      pthread_mutex_unlock(&m);
    }`

  it('lock is one step with its kind and object', () => {
    const edges = edgesAt(compileText(program), 'pthread_mutex_lock(&m)')
    expect(new Set(edges.map((edge) => `${edge.source.id} ${edge.target.id}`)).size).toBe(1)
    for (const edge of edges) {
      expect(edge.sync?.kind).toBe('lock')
      expect(edge.sync?.object).toMatchObject({ kind: 'const' })
      expect(edge.position).toMatchObject({ file: 'test.c', line: 6 })
    }
  })

  it('every edge shows a place of the program', () => {
    for (const edge of compileText(program).program.main.edges) expect(edge.position.file).toBe('test.c')
  })

  it('the step also of a program that declares the function itself', () => {
    const own = program.replace('#include <pthread.h>', PREPROCESSED)
    for (const edge of compileText(own).program.main.edges) expect(edge.position.file).toBe('test.c')
  })
})

const PREPROCESSED = `typedef union { char __size[40]; long int __align; } pthread_mutex_t;
  extern int pthread_mutex_lock(pthread_mutex_t *__mutex);
  extern int pthread_mutex_unlock(pthread_mutex_t *__mutex);
  #define PTHREAD_MUTEX_INITIALIZER { { 0 } }`
