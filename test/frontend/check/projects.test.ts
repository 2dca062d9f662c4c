// What real projects write, and gcc compiles.
import { expect, test } from 'vitest'
import { InputError } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/oracle.js'
import { compileText } from '../lower/support.js'

const holds = (text: string): void => {
  expect(oracle(compileText(`#include <assert.h>\n${text}`).program, 'assert').verdict).toBe('true')
}

test('what is wrong in a function that is never called is a warning', () => {
  const { warnings } = compileText('static int unused(void) { return asctime_r(1); }\nint main(void) { return 0; }')
  expect(warnings.map(({ text, severity }) => [severity, text])).toEqual([
    ['warning', "implicit declaration of function 'asctime_r'"],
  ])
})

test('and an error in one that is called, through a pointer too', () => {
  const wrong = 'static int f(void) { return nowhere; }'
  expect(() => compileText(`${wrong} int main(void) { return f(); }`)).toThrow(InputError)
  expect(() => compileText(`${wrong} int (*p)(void) = f; int main(void) { return p(); }`)).toThrow(InputError)
})

test('the name of a parameter in parentheses', () => {
  holds(`static int twice(int(cb)(int), int (x)) { return cb(cb(x)); }
    static int inc(int i) { return i + 1; }
    int main(void) { assert(twice(inc, 1) == 3); }`)
})

test('lock-freedom is a constant', () => {
  holds(`static long x; _Static_assert(__atomic_always_lock_free(sizeof(x), 0), "");
    _Static_assert(!__atomic_always_lock_free(16, 0) || 0, "");
    int main(void) { return 0; }`)
})

test('offsetof with a computed index', () => {
  holds(`#include <stddef.h>
    struct s { char c; struct { short a, b[4]; } in[3]; };
    int main(void) { volatile int i = 2, j = 3;
      assert(offsetof(struct s, in[i].b[j]) == offsetof(struct s, in[2].b[3])); }`)
})

test('an argument for a transparent union', () => {
  holds(`typedef union { int *i; char *c; long n; } any __attribute__((transparent_union));
    static int first(any a) { return *a.i; }
    static long number(any a) { return a.n; }
    int main(void) { int v = 3; assert(first(&v) == 3); assert(number(5L) == 5); any a = { &v }; assert(first(a) == 3); }`)
})
