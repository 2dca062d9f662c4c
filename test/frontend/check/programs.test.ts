// Features of C that generated programs leave out, from the text to the interpreter: each snippet computes what the
// machine's compiler makes of it.
import { describe, expect, test } from 'vitest'
import { bruteForce } from '../../generate/harness.js'
import { testParser } from '../parse/load.js'
import { HAS_CC, runC } from './gcc.js'

/** Declarations, and the body of a function that returns a long. */
const SNIPPETS: Readonly<Record<string, readonly [string, string]>> = {
  'designated initialisers of locals': [
    'struct p { int x, y[3]; union { short s; char c[4]; }; };',
    'struct p v = { .y = { [1] = 5 }, .x = 2, .c = "ab" }, w = v; w.y[2] = v.y[1] + 1; return v.x + v.y[0] * 10 + v.y[1] * 100 + w.y[2] * 1000 + w.s;',
  ],
  'compound literals': [
    'struct p { int x, y; }; static int sum(struct p a, const struct p *b) { return a.x + a.y * 2 + b->x * 4 + b->y * 8; }',
    'int *q = (int[]){ 3, 4, 5 }; return sum((struct p){ 1, 2 }, &(struct p){ .y = 7 }) * 100 + q[2];',
  ],
  'records by value': [
    'struct p { int x; char t[3]; }; static struct p twice(struct p a) { a.x *= 2; a.t[1]++; return a; }',
    'struct p a = { 3, "hi" }, b = twice(a), c; c = twice(twice(b)); return a.x + b.x * 10 + c.x * 100 + c.t[1] + twice(a).x;',
  ],
  'function pointers': [
    'typedef int (*op)(int, int); static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; } static op table[] = { add, mul, &add }; static op choose(int i) { return table[i]; }',
    'int r = 0; for (int i = 0; i < 3; i++) r = r * 20 + table[i](i + 1, 3) + (*choose(i))(1, 1) + (**table[i])(2, 2); return r + (choose(0) == add);',
  ],
  'statement expressions and typeof': [
    '#define MAX(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })',
    'int i = 3; long m = MAX(i++, 2L); return m * 100 + i * 10 + MAX(1, MAX(i, 2));',
  ],
  'the conditional without a middle': [
    'static int calls; static int f(int x) { calls++; return x; }',
    'int a = f(0) ?: 7, b = f(5) ?: 9; return a * 100 + b * 10 + calls;',
  ],
  'switch with ranges, fall through and a loop inside': [
    'static int f(int x) { int r = 0; switch (x) { case 0: r += 1; case 1 ... 3: r += 10; break; default: r = 99; case -5: do { r++; if (r > 101) break; } while (1); r += 1000; } return r; }',
    'return f(0) + f(2) * 7 + f(-5) * 13 + f(77) * 17 + f(4) * 19;',
  ],
  "a jump into loops' middle": [
    'static int copy(char *to, const char *from, int n) { int k = (n + 3) / 4, c = 0; switch (n % 4) { case 0: do { *to++ = *from++; c++; case 3: *to++ = *from++; c++; case 2: *to++ = *from++; c++; case 1: *to++ = *from++; c++; } while (--k > 0); } return c; }',
    'char b[8] = { 0 }; int n = copy(b, "abcdef", 6); return n * 1000 + b[0] + b[5] + b[6];',
  ],
  'goto out of nested loops': [
    '',
    'int s = 0; for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) { s += i * j; if (s > 10) goto done; } s = -1; done: return s;',
  ],
  'bit-fields': [
    'struct b { unsigned a : 3; int b : 4; unsigned long c : 33; _Bool d : 1; signed e : 1; };',
    'struct b v = { 9, 7, -1, 4, 1 }; v.b += 3; v.a--; int r = v.a++; v.c >>= 1; long s = v.a * 1000 + v.b * 100 + (v.a - 7 < 0) + v.d * 10000 + v.e + r + (long)(v.c >> 20); return s + (v.b = 9);',
  ],
  'unions share bytes': [
    'union u { unsigned w; unsigned char c[4]; float f; };',
    'union u v; v.f = 1.5f; unsigned a = v.w; v.c[3] = 0x40; return a / 3 + (long)(v.f * 100);',
  ],
  'two dimensions and pointers to arrays': [
    'static int m[2][3] = { { 1, 2 }, { 4 } }; static int trace(int (*p)[3], int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i][i] + (*(p + i))[1]; return s; }',
    'm[1][2] = 9; int *flat = &m[0][0]; return trace(m, 2) * 100 + *(flat + 5) + (int)(&m[1][1] - &m[0][2]) + sizeof m / sizeof *m;',
  ],
  strings: [
    'static const char *names[] = { "one", "two" "!" };',
    'char a[] = "x\\ty\\x41\\0z"; return sizeof a + names[1][3] + *names[0] + a[3] * 2 + "abc"[1] + sizeof "\\u00e9";',
  ],
  'static locals and shadowing': [
    'static int next(void) { static int n = 5; return n++; } static int x = 1;',
    'int r = next(); r += next() * 10; { int x = 7; { extern int y; } r += x; } r += x * 100; return r + next();',
  ],
  'comma, short circuits and side effects': [
    'static int n; static int t(int v) { n = n * 10 + v + 1; return v; }',
    't(0) && t(1); t(1) || t(0); int r = (t(0), t(1) && t(1) && !t(0)); return n * 10 + r;',
  ],
  'conversions in calls and returns': [
    'static char narrow(int x) { return x; } static unsigned wide(signed char c) { return c; } static _Bool truth(double d) { return d; }',
    'return narrow(300) + (wide(200) > 5u) + truth(0.25) * 10 + (short)70000 + (unsigned char)-1;',
  ],
  'old-style definitions': [
    'int old(a, b, p) int a; char b; int *p; { return a + b + p[1]; } static int none() { return 3; } int bare(a, b) { return a - b; } int single(a) { return a; }',
    'int v[2] = { 1, 2 }; return old(1, 300, v) + none() + bare(9, 4) * 100 + single(7) * 1000;',
  ],
  enumerations: [
    'enum e { A, B = 5, C, D = -2, E }; enum u { P, Q };',
    'enum e v = C; enum u w = P; return v * 10 + E + (w - 1 > 0) * 1000 + sizeof(enum e);',
  ],
  'pointers and integers': [
    '#include <stdint.h>\nstruct n { int v; struct n *next; };',
    'struct n c = { 3, 0 }, b = { 2, &c }, a = { 1, &b }; int s = 0; for (struct n *p = &a; p; p = p->next) s = s * 10 + p->v; struct n *q = (struct n *)(uintptr_t)&b; return s + (q == a.next) * 1000 + (int)((char *)&b.next - (char *)&b);',
  ],
  'offsetof and container_of': [
    '#include <stddef.h>\nstruct in { int k; }; struct out { char c; struct in i[2]; long l; };\n#define container(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))',
    'struct out o = { .l = 42 }; struct in *p = &o.i[0]; return container(p, struct out, i)->l + offsetof(struct out, l) + __builtin_offsetof(struct out, i[1].k);',
  ],
  'generic selection': [
    '#define KIND(x) _Generic((x), int: 1, long: 2, char *: 3, default: 4)',
    'char c = 0; return KIND(1) * 1000 + KIND(1L) * 100 + KIND("s") * 10 + KIND(c) + KIND(+c) * 10000;',
  ],
  'flexible array members and allocation': [
    '#include <stdlib.h>\nstruct f { int n; short data[]; };',
    'struct f *p = malloc(sizeof *p + 4 * sizeof(short)); p->n = 4; for (int i = 0; i < p->n; i++) p->data[i] = i * i; int r = p->data[3] + sizeof *p; free(p); return r;',
  ],
  'floating point': [
    '',
    'double d = 0.1; float f = 0.1; int a = d == f; f += 0.2; d = f * 3; return a * 10000 + (int)(d * 1000) + (int)-2.9 + (unsigned)3.99 + (1.0 / 3 > 0.333);',
  ],
  'increments through pointers': [
    '',
    'int a[4] = { 1, 2, 3, 4 }, *p = a; int r = *p++; r += *++p * 10; r += (*p)++ * 100; r += --*p * 1000; return r + (int)(p - a) + a[2];',
  ],
  'integer overflow and shifts': [
    '',
    'int i = 2147483647; i++; unsigned u = 0; u--; long l = 1L << 40; signed char c = 127; c++; return (long)i / 2 + u / 7 + l / 3 + c + (-7 / 2) * 10 + -7 % 3 + (-8 >> 1) + (u >> 31);',
  ],
}

const parser = await testParser()

describe.skipIf(!HAS_CC)('snippets', () => {
  test.each(Object.keys(SNIPPETS))('%s', (name) => {
    const [declarations, body] = SNIPPETS[name]!
    const program = `${declarations}\nstatic long snippet(void) { ${body} }\n`
    const expected = runC(
      `${program}int printf(const char *, ...); int main(void) { printf("%ld", snippet()); return 0; }`,
    )
    const ours = (claim: string) =>
      bruteForce(parser, `#include <assert.h>\n${program}int main(void) { assert(snippet() ${claim}); return 0; }`)
    const result = ours(`== ${expected}L`)
    expect({ verdict: result.verdict, reason: result.reason, stopped: result.undefined }).toEqual({
      verdict: 'true',
      reason: undefined,
      stopped: [],
    })
    // The claim is reached: its opposite fails.
    expect(ours(`!= ${expected}L`).verdict).toBe('false')
  })
})
