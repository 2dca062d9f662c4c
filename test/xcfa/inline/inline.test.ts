// Inlining: copies with variables and objects of their own, constants that end recursion, templates of threads.
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import { inline } from '../../../src/xcfa/passes/inline/inline.js'
import { compileText, edgesOf, texts } from '../../frontend/lower/support.js'

describe('recursion', () => {
  const factorial = 'int f(int n) { return n <= 1 ? 1 : n * f(n - 1); }'

  it('ends where constants bound it', () => {
    const edges = edgesOf(`${factorial} int x;`, 'x = f(5);')
    // Five copies: four products and the innermost 1.
    expect(texts(edges).filter((text) => text.includes('*'))).toHaveLength(4)
  })

  it('is unsupported by name where the depth is not known', () => {
    const program = `${factorial} int x; int main(void) { return f(x); }`
    expect(() => compileText(program)).toThrow(/unsupported: recursion of f deeper than 8 at test.c:1/)
    expect(() => compileText(program, { recursionLimit: 2 })).toThrow(/deeper than 2/)
  })

  it('mutual recursion is recursion', () => {
    const program = 'int g(int); int f(int n) { return n ? g(n - 1) : 0; } int g(int n) { return n ? f(n - 1) : 1; }'
    expect(() => compileText(`${program} int x; int main(void) { return f(x); }`)).toThrow(/recursion of/)
    expect(() => compileText(`${program} int main(void) { return f(6); }`)).not.toThrow()
  })

  it('a program that grows without end is refused', () => {
    const { unit } = compileText('int x; void f(void) { x++; x++; } int main(void) { f(); f(); f(); return 0; }')
    expect(() => inline(unit, { edgeLimit: 10 })).toThrow(/unsupported: a program too large after inlining/)
    expect(() => inline(unit)).not.toThrow()
  })
})

describe('copies', () => {
  it('two calls have two objects for one local', () => {
    const { program } = compileText(
      'void set(int *p); int x; void f(void) { int l; set(&l); x = l; } void set(int *p) { *p = 1; } int main(void) { f(); f(); return 0; }',
    )
    const copies = program.objects.filter((object) => object.name === 'l')
    expect(copies).toHaveLength(2)
    expect(new Set(copies.map((object) => object.base)).size).toBe(2)
  })

  it('objects never touch, and lie below 2^31', () => {
    const { program } = compileText(
      '#include <stdlib.h>\n_Thread_local int t; char c, *p = &c; int a[100]; int main(void) { int l, *q = &l; *q = t; p = malloc(5); return a[0]; }',
    )
    const spans = program.objects
      .map((object) => ({
        start: object.base,
        end: object.base + object.stride * ((object.instances ?? 1) - 1) + object.size,
      }))
      .toSorted((a, b) => a.start - b.start)
    expect(spans.length).toBeGreaterThanOrEqual(5)
    for (const [i, span] of spans.slice(1).entries()) expect(span.start - spans[i]!.end).toBeGreaterThanOrEqual(16)
    expect(spans[0]!.start).toBeGreaterThan(0)
    expect(spans.at(-1)!.end).toBeLessThan(2 ** 31)
  })

  it('edges and locations have numbers of their own, and names of locals differ', () => {
    const { program } = compileText(
      'int f(int n) { int a = n; return a; } int main(void) { int a = f(1); return a + f(2); }',
    )
    const { locations, edges, locals } = program.main
    expect(new Set(locations.map(({ id }) => id)).size).toBe(locations.length)
    expect(new Set(edges.map(({ id }) => id)).size).toBe(edges.length)
    expect(new Set(locals.map(({ name }) => name)).size).toBe(locals.length)
  })

  it('no call is left', () => {
    const { program } = compileText('int f(void) { return 1; } int main(void) { return f(); }')
    expect(program.main.edges.flatMap((edge) => edge.labels).some((label) => label.kind === 'call')).toBe(false)
  })
})

describe('function pointers', () => {
  const functions = `#include <assert.h>
    int one(void) { return 1; } int two(void) { return 2; } int other(int n) { return n; }
    int (*chosen)(void); int (*unary)(int) = other;`

  it('go to the functions that fit', () => {
    const program = `${functions} int main(void) { _Bool b; chosen = b ? one : two; int r = chosen(); assert(r == EXPECTED); return 0; }`
    expect(oracle(compileText(program.replace('EXPECTED', '1')).program, 'assert').verdict).toBe('false')
    const both = program.replace('r == EXPECTED', 'r == 1 || r == 2')
    expect(oracle(compileText(both).program, 'assert').verdict).toBe('true')
  })

  it('to no function are undefined', () => {
    const program = `${functions} int main(void) { chosen = one; chosen = 0; chosen(); assert(0); return 0; }`
    const result = oracle(compileText(program).program, 'assert')
    expect(result.verdict).toBe('true')
    expect(result.undefined).toHaveLength(1)
  })
})

describe('templates', () => {
  it('one for main and one for each function that is started, however often', () => {
    const { program } = compileText(`#include <pthread.h>
      void *a(void *p) { return p; } void *b(void *p) { return p; } void *unused(void *p) { return p; }
      int main(void) {
        pthread_t t;
        for (int i = 0; i < 3; i++) pthread_create(&t, 0, a, 0);
        pthread_create(&t, 0, b, 0);
        return 0;
      }`)
    expect([...program.templates.keys()]).toEqual(['main', 'a', 'b'])
  })

  it('a function that is started through a pointer is one of those that fit', () => {
    const { program } = compileText(`#include <pthread.h>
      void *a(void *p) { return p; } void *b(void *p) { return p; }
      void *(*table[2])(void *) = { a, b };
      int main(void) {
        pthread_t t;
        for (int i = 0; i < 2; i++) pthread_create(&t, 0, table[i], 0);
        return 0;
      }`)
    expect([...program.templates.keys()]).toEqual(['main', 'a', 'b'])
    expect(oracle(program, 'assert')).toMatchObject({ verdict: 'true', undefined: [] })
  })
})
