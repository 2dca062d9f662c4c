// A jump past a declaration leaves the variable indeterminate (C11 6.2.4p6), and so does every later jump.
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import { compileText } from './support.js'

const verdict = (body: string): string =>
  oracle(compileText(`#include <assert.h>\nint main(void)\n{\n${body}\nreturn 0;\n}\n`).program, 'assert').verdict

describe('a declaration that is jumped over', () => {
  it('leaves any value, in a variable and in memory', () => {
    expect(verdict('goto in; { _Bool x; in: assert(x == 0); }')).toBe('false')
    expect(verdict('goto in; { _Bool x; in: assert(x == 1); }')).toBe('false')
    expect(verdict('goto in; { _Bool x; in:; _Bool *p = &x; assert(*p == 0); }')).toBe('false')
    expect(verdict('switch (1) { _Bool x = 0; case 1: assert(x == 0); }')).toBe('false')
    expect(verdict('switch (1) { _Bool a[2]; case 1: assert(a[1] == 0); }')).toBe('false')
  })

  it('leaves another value each time', () => {
    const again = (use: string): string =>
      `int n = 0; again: n++; goto in; { _Bool x; in: if (n == 1) x = 0; ${use} } if (n < 2) goto again;`
    expect(verdict(again('assert(x == 0);'))).toBe('false')
    expect(verdict(again('_Bool *p = &x; assert(*p == 0);'))).toBe('false')
    expect(verdict(again('assert(n == 2 || x == 0);'))).toBe('true')
  })

  it('does not touch variables that are declared before the jump, or not jumped over', () => {
    expect(verdict('_Bool x = 0; goto in; { in: assert(x == 0); }')).toBe('true')
    expect(verdict('_Bool x = 0; again: assert(x == 0); _Bool y = 1; if (!y) goto again;')).toBe('true')
    expect(verdict('switch (1) { case 1:; _Bool x = 0; assert(x == 0); }')).toBe('true')
  })
})
