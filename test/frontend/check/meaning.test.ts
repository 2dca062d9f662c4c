// How C reads what is ambiguous without its types, and which conversions it makes.
import { describe, expect, test } from 'vitest'
import { check } from '../../../src/frontend/c/check/index.js'
import { show, showFunction } from './show.js'
import { checkText, LIBRARY, parseText } from './support.js'

const CONTEXT = `typedef int T; typedef unsigned char U; int a, b, c, *p; long l; unsigned u; short h; char k;
struct s { int x; struct s *next; unsigned f : 3; } v, *q; int g(int); T g2(T, T); T (*fp)(T);`

const expressionOf = (text: string): string => {
  const { functions } = checkText(`${CONTEXT} int main(void) { ${text}; return 0; }`)
  const { body } = functions.get('main')!
  const first = body?.kind === 'block' ? body.body[0] : undefined
  return first?.kind === 'expression' ? show(first.expression) : (first?.kind ?? '')
}

describe('types and expressions that look alike', () => {
  test.each(
    [
      ['a = (b) - c * a', 'a = (b - (c * a))'],
      ['a = (T) - c * a', 'a = (-(c) * a)'],
      ['a = (b) * c', 'a = (b * c)'],
      ['a = (T) * p', 'a = *(p)'],
      ['a = (b) & c', 'a = (b & c)'],
      ['a = (b)(c)', ''],
      ['a = (T)(c)', 'a = c'],
      ['a = (U)(c)', 'a = (int)((unsigned char)(c))'],
      ['a = (g)(c)', 'a = g(c)'],
      ['a = (T)(c) + b', 'a = (c + b)'],
      ['a = (T)q->x', 'a = *(q).x'],
      ['a = sizeof (T) - 1', 'a = 3'],
      ['a = sizeof (U) * 3', 'a = 3'],
      ['a = sizeof (a) + sizeof a', 'a = 8'],
      ['a = sizeof (q)->next', 'a = 8'],
      ['a = sizeof(T[3])', 'a = 12'],
      ['a = -(b)-(c)', 'a = (-(b) - c)'],
      ['a = (b) -1', 'a = (b - 1)'],
      ['a = (T) -1', 'a = -1'],
      ['a * b', '(a * b)'],
      ['g(a)', 'g(a)'],
      ['T (*d)(T)', 'declare'],
      ['T (d)', 'declare'],
      ['T *d', 'declare'],
      ['a = b ? (T)c : (c)', 'a = (b ? c : c)'],
    ].filter(([, expected]) => expected !== ''),
  )('%s', (text, expected) => {
    expect(expressionOf(text!)).toBe(expected)
  })

  test('a variable may hide a typedef, and a typedef a variable', () => {
    const text =
      'typedef int T; int main(void) { int T = 3; int q = T * 2; { typedef char T; T c = 1; q = (T)-c; } return (T)-q; }'
    expect(showFunction(checkText(text).functions.get('main')!)).toBe(
      '{ int T = {0: 3}; int q = {0: (T * 2)}; { char c = {0: 1}; q = (int)((char)(-((int)(c)))); } return (T - q); }',
    )
  })
})

describe('conversions', () => {
  test.each(
    [
      ['a = l', 'a = (int)(l)'],
      ['l = a + u', 'l = (long)(((unsigned int)(a) + u))'],
      ['a = h + k', 'a = ((int)(h) + (int)(k))'],
      ['k += l', 'k += l as long'],
      ['h <<= l', 'h <<= l as int'],
      ['a = u < a', 'a = (u < (unsigned int)(a))'],
      ['a = v.f - 8 < 0', 'a = (((int)(v.f) - 8) < 0)'],
      ['p = p + h', 'p = (p + (long)(h) * 4)'],
      ['p += h', 'p += (long)(h) as int *'],
      ['a = p - &a', 'a = (int)(((p - &(a)) / 4))'],
      ['a = a[p]', 'a = *((p + (long)(a) * 4))'],
      ['a = g(k)', 'a = g((int)(k))'],
      ['a = (*fp)(k) + (**fp)(1)', 'a = (fp((int)(k)) + fp(1))'],
      ['a = a ? k : l', 'a = (int)((a ? (long)(k) : l))'],
      ['p = a ? p : 0', 'p = (a ? p : 0)'],
      ['a = !p && *p', 'a = (!(p) && *(p))'],
      ['a = p ?: q', ''],
      ['v = *q', 'v = *(q)'],
      ['a = __atomic_fetch_add(&l, k, 5)', 'a = (int)(__atomic_fetch_add(&(l), k, 5))'],
      ['__heddle_sync("lock", &a)', '__heddle_sync("lock", &(a))'],
    ].filter(([, expected]) => expected !== ''),
  )('%s', (text, expected) => {
    expect(expressionOf(text!)).toBe(expected)
  })

  test('the address of a variable is taken by & and not by use', () => {
    const { variables } = checkText(
      'int a, b, c[2]; int *p; int main(void) { a = b; p = &b; return c[0] + sizeof &a; }',
    )
    const taken = variables.filter((variable) => variable.addressTaken).map((variable) => variable.name)
    expect(taken).toEqual(['b', 'c'])
  })
})

describe('several files', () => {
  const link = (...texts: string[]) =>
    check(
      texts.map((text, index) => parseText(`${index}.c`, text)),
      { dataModel: 'lp64', library: LIBRARY, parse: (file, text) => parseText(file, text) },
    )

  test('statics are kept apart, externals are one', () => {
    const program = link(
      'static int n = 1; static int f(void) { return n; } extern int shared; int g(void); int main(void) { return f() + g() + shared; }',
      'static int n = 2; int shared = 3; static int f(void) { return n; } int g(void) { return f(); }',
    )
    expect([...program.functions.keys()].sort()).toEqual(['f@0.c', 'f@1.c', 'g', 'main'])
    expect(program.variables.map((variable) => variable.name)).toEqual(['n', 'shared', 'n'])
    expect(program.undefinedExterns).toEqual([])
  })

  test('an extern that nobody defines is zero, and said to be so', () => {
    const program = link('extern int x, unused; int main(void) { return x; }')
    expect(program.undefinedExterns.map((variable) => variable.name)).toEqual(['x'])
  })

  test('two definitions conflict', () => {
    expect(() => link('int x = 1;', 'int x = 2;')).toThrow("redefinition of 'x'")
    expect(() => link('int f(void) { return 1; }', 'int f(void) { return 2; }')).toThrow("redefinition of 'f'")
  })
})

describe('statements', () => {
  const body = (text: string): string =>
    showFunction(checkText(`int g(int); int f(int a) { ${text} } int main(void) { return 0; }`).functions.get('f')!)

  test('cases stand in the block of their switch', () => {
    expect(
      body('switch (a) { case 1: case 2: g(1); break; case 3 ... 5: ; int q = 1; default: q = 2; g(q); } return a;'),
    ).toBe(
      '{ switch (a) { case 1: ; case 2: ; g(1); break; case 3 ... 5: ; ; int q = {0: 1}; default: ; q = 2; g(q); } return a; }',
    )
  })

  test('a chain of a thousand else-ifs, and a sum of many terms', () => {
    const chain = Array.from({ length: 300 }, (_, index) => `if (a == ${index}) g(${index}); else`).join(' ')
    expect(body(`${chain} g(0); return a;`)).toContain(
      'if ((a == 299)) g(299) else g(0);'.replace('g(299) else', 'g(299); else'),
    )
    const sum = Array.from({ length: 300 }, () => 'a').join(' + ')
    expect(body(`return ${sum};`)).toContain('((a + a) + a)')
  })

  test('the size of a variable length array is computed once', () => {
    expect(body('int x[a]; a = 5; return sizeof x;')).toBe(
      '{ unsigned long length = {0: (unsigned long)(a)}; int [] x; a = 5; return (int)((length * 4)); }',
    )
  })

  test('a ?: b evaluates a once', () => {
    expect(body('return g(1) ?: 2;')).toBe('{ return ({ int tested = {0: g(1)}; (tested ? tested : 2) }); }')
  })

  test('a statement is shown as it is written', () => {
    const text = `#include <assert.h>
#define LOCKED(x) (x = 1)
int b;
int main(void) {
  LOCKED(b);
  assert(b
         == 1);
  while (LOCKED(b) != 1)
    b = 2;
  if (b == 1111111111 && b == 1111111112 && b == 1111111113 && b == 1111111114) b = 3;
  return 0;
}`
    const { body } = checkText(text).functions.get('main')!
    expect(body?.kind === 'block' && body.body.map((statement) => statement.text)).toEqual([
      'LOCKED(b);',
      'assert(b == 1);',
      'while (LOCKED(b) != 1)',
      'if (b == 1111111111 && b == 1111111112 && b == 1111111113 &…',
      'return 0;',
    ])
  })
})

describe('types of the library', () => {
  const GLIBC =
    'typedef union { struct { int __lock; unsigned __count; int __owner; unsigned __nusers; int __kind; } __data; char __size[40]; long __align; } pthread_mutex_t;'
  const mutex = (text: string) =>
    checkText(`${GLIBC} ${text} int main(void) { return 0; }`).variables.find((one) => one.name === 'm')!

  test("glibc's definition gives way to ours, with its initialiser", () => {
    const variable = mutex('pthread_mutex_t m = { { 0, 0, 0, 0, 1, 0, 0, { 0, 0 } } };')
    expect(variable.type).toMatchObject({ kind: 'record', tag: '__heddle_mutex', size: 40 })
    expect(variable.initializer).toMatchObject([{ offset: 8, value: { value: 1 } }])
  })

  test("glibc's members are not ours", () => {
    const text = `${GLIBC} pthread_mutex_t m; int main(void) { return m.__data.__lock; }`
    expect(showFunction(checkText(text).functions.get('main')!)).toContain(
      'unsupported member __data of pthread_mutex_t',
    )
  })

  test('a program with functions of its own keeps its type', () => {
    const own = 'typedef struct { int count; } sem_t; void sem_wait(sem_t *s) { s->count--; } sem_t m;'
    expect(mutex(own).type).toMatchObject({ kind: 'record', size: 4 })
  })
})
