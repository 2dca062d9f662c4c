// Constant expressions have the value and the type that the machine's C compiler gives them: promotions, the usual
// arithmetic conversions, wrapping, truncation, shifts.
import { describe, expect, test } from 'vitest'
import { compiles, HAS_CC, HAS_CC_32, runC } from './gcc.js'
import { checkText } from './support.js'

const TYPES = [
  'char',
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  '_Bool',
]
const NUMBERS = [
  '0',
  '1',
  '2',
  '-1',
  '-7',
  '127',
  '128',
  '255',
  '-128',
  '65535',
  '2147483647',
  '-2147483648',
  '4294967295',
]
const WIDE = ['0x7fffffffffffffff', '0x8000000000000000', '9223372036854775807', '0xffffffffu', '017', "'a'", "'\\xff'"]
const BINARY = ['+', '-', '*', '&', '|', '^', '<', '<=', '==', '!=', '>', '>=', '&&', '||']

/** A small generator of pseudorandom numbers, the same on every run. */
const randomly = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 4294967296) * below)
  }
}

const expressionOf = (random: (below: number) => number, depth: number): string => {
  const pick = <T>(choices: readonly T[]): T => choices[random(choices.length)]!
  if (depth === 0) return random(4) === 0 ? pick(WIDE) : `(${pick(TYPES)})${pick(NUMBERS)}`
  const sub = (): string => expressionOf(random, depth - 1)
  switch (random(8)) {
    case 0:
      return `(${pick(TYPES)})(${sub()})`
    case 1:
      return `${pick(['-', '~', '!', '+'])}(${sub()})`
    case 2:
      return `((${sub()}) ${pick(['<<', '>>'])} ${random(8)})`
    case 3:
      return `((${sub()}) ${pick(['/', '%'])} ${pick(['3', '7u', '-5L', '(unsigned char)200', '11ull'])})`
    case 4:
      return `((${sub()}) ? (${sub()}) : (${sub()}))`
    default:
      return `((${sub()}) ${pick(BINARY)} (${sub()}))`
  }
}

const CODE = `#define CODE(e) _Generic((e), _Bool: 0, char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, \\
  int: 6, unsigned: 7, long: 8, unsigned long: 9, long long: 10, unsigned long long: 11, float: 12, double: 13)`

/** The values of an array of constants, as the checker folded them. */
const folded = (
  declarations: string,
  expressions: readonly string[],
  dataModel: 'ilp32' | 'lp64' = 'lp64',
): readonly string[] => {
  const { variables } = checkText(
    `${declarations}\nlong long v[] = { ${expressions.join(',\n')} };\nint main(void) { return 0; }`,
    dataModel,
  )
  const values = expressions.map(() => '0')
  for (const { offset, value } of variables.find((variable) => variable.name === 'v')!.initializer!)
    values[offset / 8] = value.kind === 'constant' ? String(value.value) : value.kind
  return values
}

const compiled = (declarations: string, expressions: readonly string[]): readonly string[] =>
  runC(`${declarations}\nint printf(const char *, ...);\nlong long v[] = { ${expressions.join(',\n')} };
  int main(void) { for (int i = 0; i < ${expressions.length}; i++) printf("%lld\\n", v[i]); return 0; }`)
    .trim()
    .split('\n')

describe.skipIf(!HAS_CC)('constant expressions', () => {
  test('values and types of generated expressions', () => {
    const random = randomly(7)
    const expressions = Array.from({ length: 200 }, (_, index) => expressionOf(random, 1 + (index % 4)))
    const both = expressions.flatMap((e) => [`(long long)(${e})`, `CODE(${e})`])
    const show = (values: readonly string[]) => values.map((value, index) => `${both[index]} = ${value}`)
    expect(show(folded(CODE, both))).toEqual(show(compiled(CODE, both)))
  })

  test.skipIf(!HAS_CC_32)('the same on i386', () => {
    const random = randomly(11)
    const expressions = Array.from({ length: 60 }, (_, index) => expressionOf(random, 1 + (index % 3)))
    const both = expressions.flatMap((e) => [`(long long)(${e})`, `CODE(${e})`])
    const claims = folded(CODE, both, 'ilp32').map(
      (value, index) => `_Static_assert((${both[index]}) == ${value}LL, "");`,
    )
    // The least long long has no literal.
    const text = claims.join('\n').replaceAll('-9223372036854775808LL', '(-9223372036854775807LL - 1)')
    expect(compiles(`${CODE}\n${text}`, ['-m32', '-fwrapv'])).toBe('')
  })

  test('types of operands that are no constants', () => {
    const declarations = `${CODE}
    struct bits { unsigned a : 3; unsigned b : 32; int c : 5; unsigned long d : 40; unsigned long e : 20; _Bool f : 1; } s;
    char c; short h; unsigned short uh; float f; double d; enum { P } plain; enum { M = -1 } minus; int *p; char array[3];
    const int k = 1; volatile unsigned char vc; _Atomic short at; long l; unsigned u;`
    const expressions = `s.a + 1; s.b + 1; +s.c; +s.a; s.f + 1; c; +c; c + c; h + 1; uh * uh; -uh; ~vc; vc; at; at + 1;
      f + 1; f + d; f * f; d + l; plain; minus; plain + 1; M; k; l + u; u + c; u << l; l << u; c << 1; p - p; sizeof(p);
      &p[1] - p; *p; p[0]; c ? c : h; c ? l : u; c ? f : 1; !f; c && l; (c, h); c = l; c += l; h++; ++uh; 'a'; L'a';
      1.0f; 1.0; 1; 1u; 1l; 1ul; 1ll; 0x80000000; 2147483648; 0xffffffffffffffff; array[0]; *array; "abc"[0]`
      .split(';')
      .map((e) => `CODE(${e.trim()})`)
    const show = (values: readonly string[]) => values.map((value, index) => `${expressions[index]} = ${value}`)
    expect(show(folded(declarations, expressions))).toEqual(show(compiled(declarations, expressions)))
  })

  test('literals', () => {
    const expressions = [
      ...[
        "'a'",
        "'\\n'",
        "'\\0'",
        "'\\377'",
        "'\\xff'",
        "'ab'",
        "'abcd'",
        "'\\''",
        "'\"'",
        "L'\\x1234'",
        "u'\\xffff'",
        "'\\e'",
      ],
      ...['0b101', '0777', '0x1F', '1e3', '0x1p4', '1.5e1f', '.5', '1.', '10ull', '0', '00', '0xFFFFFFFFFFFFFFFFull'],
      ...[
        'sizeof("abc")',
        'sizeof("a" "b\\0c")',
        'sizeof(L"ab")',
        'sizeof(u"ab")',
        'sizeof(u8"\\u00e9")',
        'sizeof("\\x41\\102")',
      ],
      ...[
        '(int)3.99',
        '(int)-3.99',
        '(unsigned char)300',
        '(_Bool)0.5',
        '(char)200',
        '(short)70000',
        '1 ? 2 : 1/0',
        '0 && 1/0',
      ],
    ]
    expect(folded('', expressions)).toEqual(compiled('', expressions))
  })
})
