// Sizes, alignments and offsets are those of the machine's C compiler.
import { describe, expect, test } from 'vitest'
import { compiles, HAS_CC, HAS_CC_32, runC } from './gcc.js'
import { checkText } from './support.js'

const DECLARATIONS = `
#include <stddef.h>
struct s1 { char a; int b; short c; };
struct s2 { char a; double b; char c; long long d; };
struct s3 { char a; struct s1 b; char c[3]; void *d; };
union u1 { char a[5]; int b; short c[3]; };
struct b1 { int a : 3; int b : 5; unsigned c : 24; int d : 1; };
struct b2 { char a; int b : 8; char c; long long d : 40; short e : 9; };
struct b3 { int a : 3; int : 0; int b : 4; char c; int : 5; char d; };
struct b4 { char a : 4; char b : 5; unsigned short c : 12; _Bool d : 1; };
struct b5 { long long a : 33; int b : 31; int c : 2; };
struct b6 { char x; int : 0; char y; };
struct b7 { char x; long long : 3; char y; };
struct p1 { char a; int b; } __attribute__((packed));
struct __attribute__((packed)) p2 { char a; int b : 7; int c : 11; long d; };
struct p3 { char a; int b __attribute__((packed)); short c; };
struct a1 { char a; int b __attribute__((aligned(16))); };
struct a2 { char a; } __attribute__((aligned(8)));
struct a3 { char a; _Alignas(32) char b; };
struct f1 { int n; char data[]; };
struct f2 { int n; struct { char x; union { int y; double z; }; }; short t; };
struct t1 { unsigned char a[7]; float f; };
enum e1 { A, B = 5, C }; enum e2 { D = -1, E }; enum e3 { F = 0xffffffffu };
typedef unsigned int byte __attribute__((__mode__(__QI__))); typedef int word __attribute__((mode(word)));
typedef int quad __attribute__((vector_size(16))); struct m1 { byte a; quad b; word c; };
struct m2 { struct { char x; int y __attribute__((packed)); } in; int z; };
struct m3 { char a; __attribute__((aligned(8))) char b, c; };
typedef int (*fp)(int, char *); typedef int matrix[3][4];
`
const TYPES =
  `struct s1;struct s2;struct s3;union u1;struct b1;struct b2;struct b3;struct b4;struct b5;struct b6;struct b7;
struct p1;struct p2;struct p3;struct a1;struct a2;struct a3;struct f1;struct f2;struct t1;enum e1;enum e2;enum e3;fp;matrix;
char;signed char;unsigned short;int;long;unsigned long long;float;double;_Bool;void *;int [7];struct s1 [3];long double;
_Atomic int;byte;word;quad;struct m1;struct m2;struct m3;int *[3];int (*)[3];matrix *;char (*(*)[2])(void)`
    .split(';')
    .map((type) => type.trim())
const OFFSETS = [
  's1.b s1.c s2.b s2.c s2.d s3.b s3.c s3.d b2.c b3.c b3.d b6.y b7.y p1.b p2.d p3.b p3.c a1.b a3.b f1.data f2.x f2.y',
  'f2.z f2.t t1.f m1.b m1.c m2.z m3.b m3.c',
]
  .join(' ')
  .split(' ')

const expressions = [
  ...TYPES.flatMap((type) => [`sizeof(${type})`, `_Alignof(${type})`]),
  ...OFFSETS.map((offset) => `__builtin_offsetof(struct ${offset.split('.')[0]}, ${offset.split('.')[1]})`),
]

const measured = (flags: readonly string[]): readonly number[] =>
  runC(
    `${DECLARATIONS} int printf(const char *, ...);
    int main(void) { ${expressions.map((e) => `printf("%d ", (int)${e});`).join('\n')} return 0; }`,
    flags,
  )
    .trim()
    .split(' ')
    .map(Number)

const ours = (dataModel: 'ilp32' | 'lp64'): readonly number[] => {
  const { variables } = checkText(
    `${DECLARATIONS} int v[] = { ${expressions.join(', ')} }; int main(void) { return 0; }`,
    dataModel,
  )
  const found = expressions.map(() => 0)
  for (const { offset, value } of variables.find((variable) => variable.name === 'v')!.initializer!)
    if (value.kind === 'constant') found[offset / 4] = Number(value.value)
  return found
}

describe('layout', () => {
  test.skipIf(!HAS_CC)('x86-64', () => {
    const expected = measured([])
    expect(ours('lp64').map((size, index) => `${expressions[index]} = ${size}`)).toEqual(
      expected.map((size, index) => `${expressions[index]} = ${size}`),
    )
  })

  // Often there is no C library for 32 bits, but the compiler can check assertions without one.
  test.skipIf(!HAS_CC_32)('i386', () => {
    const assertions = ours('ilp32').map((size, index) => `_Static_assert(${expressions[index]} == ${size}, "");`)
    expect(compiles(`${DECLARATIONS}${assertions.join('\n')}`, ['-m32'])).toBe('')
  })
})
