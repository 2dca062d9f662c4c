// Wrong programs are told what a compiler tells, with the place; what gcc only warns about is a warning.
import { describe, expect, test } from 'vitest'
import { InputError } from '../../../src/frontend/c/diagnostic.js'
import { checkText } from './support.js'

const errorsOf = (text: string): readonly string[] => {
  try {
    checkText(text)
    return []
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.diagnostics.map(({ position, text: message }) => `${position?.line}:${position?.column} ${message}`)
  }
}

const WRONG: readonly (readonly [string, string])[] = [
  ['int main(void) { int counter = 0; countr = 1; }', "1:35 'countr' undeclared; did you mean 'counter'?"],
  ['int main(void) { foo(); }', "1:18 implicit declaration of function 'foo'"],
  ['void f(int a); int main(void) { f(); }', "1:33 too few arguments to 'f': expected 1, have 0"],
  ['void f(int a); int main(void) { f(1, 2); }', "1:33 too many arguments to 'f': expected 1, have 2"],
  ['int main(void) { (3) = 4; }', '1:18 lvalue required as left operand of assignment'],
  ['int main(void) { const int x = 1; x = 2; }', "1:35 assignment of read-only variable 'x'"],
  [
    'struct s { int abc; }; int f(struct s *p) { return p->ab; }',
    "1:55 'struct s' has no member named 'ab'; did you mean 'abc'?",
  ],
  ['int x; float x;', "1:14 conflicting types for 'x': 'float', before 'int'"],
  ['int f(int); int f(char *);', "1:17 conflicting types for 'f': 'int (char *)', before 'int (int)'"],
  ['int f(void) { return 1; } int f(void) { return 2; }', "1:31 redefinition of 'f'"],
  ['int x = 1; int x = 2;', "1:16 redefinition of 'x'"],
  ['int main(void) { int x; int x; }', "1:29 redefinition of 'x'"],
  ['struct s v;', "1:10 storage size of 'v' is not known: 'struct s'"],
  ['int main(void) { int a; *a = 1; }', "1:25 invalid type argument of unary '*' (have 'int')"],
  ['int main(void) { int a[3]; a = 0; }', "1:28 'int [3]' cannot be assigned to"],
  ['int main(void) { break; }', '1:18 break statement not within loop or switch'],
  ['int main(void) { goto x; }', "1:23 label 'x' used but not defined"],
  ['int main(void) { switch (1) { case 1 ... 3: case 2: ; } }', '1:45 duplicate case value'],
  ['int main(void) { int x; switch (x) { case x: ; } }', '1:43 case label is not an integer constant'],
  ['typedef int integer; intger x;', "1:22 unknown type name 'intger'; did you mean 'integer'?"],
  [
    'struct s { int a; } s; int f(void) { return s + 1; }',
    "1:45 invalid operands to binary + (have 'struct s' and 'int')",
  ],
  [
    'struct s { int a; } s; int f(void) { int x = s; }',
    "1:46 incompatible types in initialization: 'int' from 'struct s'",
  ],
  ['int n; int a[n];', '1:14 variably modified type at file scope'],
  ['_Static_assert(sizeof(int) == 8, "no");', '1:1 static assertion failed: "no"'],
  ['int main(void) { return &3; }', "1:25 lvalue required as operand of unary '&'"],
  ['int a[2] = {[5] = 1};', '1:13 array index in initializer exceeds array bounds'],
  ['int main(void) { for (int i = 0; i < 3; i++) ; return i; }', "1:55 'i' undeclared"],
  ['int later(void) { return g; } int g;', "1:26 'g' undeclared"],
]

describe('errors', () => {
  test.each(WRONG)('%s', (text, message) => {
    expect(errorsOf(text)).toEqual([message])
  })

  test('errors of several functions are told together', () => {
    expect(
      errorsOf('int f(void) { return a; }\nint g(void) { return b; }\nint main(void) { return f() + g(); }'),
    ).toEqual(["1:22 'a' undeclared", "2:22 'b' undeclared"])
  })
})

describe('warnings', () => {
  test.each([
    ['int main(void) { char *c = 5; }', 'initialization makes pointer from integer without a cast'],
    ['int main(void) { int i = "x"; }', 'initialization makes integer from pointer without a cast'],
    ['int main(void) { long l; int *p = &l; }', "initialization from incompatible pointer type: 'int *' from 'long *'"],
    ['int main(void) { return strlen("abc"); }', "implicit declaration of function 'strlen'"],
  ])('%s', (text, message) => {
    expect(checkText(text).warnings.map((warning) => warning.text)).toEqual([message])
  })

  test('null, void pointers and _Bool need none', () => {
    const text = 'int main(void) { int x, *p = 0; void *v = p; p = v; _Bool b = p; return b + (p == (void *)0) + x; }'
    expect(checkText(text).warnings).toEqual([])
  })
})

describe('what is not modelled', () => {
  test('is a statement that matters only where it is reached', () => {
    const { functions } = checkText('_Float128 f(_Float128 x) { return x + 1; } int main(void) { return 0; }')
    expect(functions.get('f')!.body).toMatchObject({
      kind: 'block',
      body: [{ kind: 'unsupported', what: 'value of type _Float128' }],
    })
  })

  test('a constructor with arguments is not modelled', () => {
    expect(() => checkText('__attribute__((constructor)) void f(int n) {} int main(void) { return 0; }')).toThrow(
      'attribute constructor',
    )
  })

  test('a variable whose value is not modelled matters only if it is used', () => {
    expect(checkText('_Float128 x = 1; int main(void) { return 0; }').functions.has('main')).toBe(true)
    expect(() => checkText('_Float128 x = 1; int main(void) { return x != 0; }')).toThrow('_Float128')
  })

  test('a label in a statement that is not modelled is no missing label', () => {
    const text = 'int f(_Float128 x) { if (x) { l: return 1; } goto l; } int main(void) { return 0; }'
    expect(checkText(text).functions.get('f')!.body).toMatchObject({ kind: 'unsupported' })
  })
})
