// What headers declare and nothing names is not parsed; whatever could be wrong, or is named, is.
import { describe, expect, test } from 'vitest'
import { compile } from '../../../src/frontend/c/index.js'
import { checkTokens } from '../../../src/frontend/c/parse/brackets.js'
import { unusedDeclarations } from '../../../src/frontend/c/parse/unused.js'
import { lex } from '../../../src/frontend/c/preprocess/lexer.js'
import { testParser } from './load.js'

const dropped = (text: string, mayDrop: (offset: number) => boolean = () => true): readonly string[] => {
  const tokens = lex(text)
  const closing = checkTokens(tokens, () => ({ file: 'a.i', line: 1, column: 1 }))
  return unusedDeclarations(tokens, closing, mayDrop).map(({ from, to }) =>
    text.slice(tokens[from]!.start, tokens[to - 1]!.end),
  )
}

const MAIN = 'int main(void) { return used(1); }'

describe('left out', () => {
  test.each([
    'extern int unused(const char *name, unsigned long n) __attribute__ ((__nothrow__));',
    'struct s *unused(struct s *from, int (*compare)(void), ...);',
    'extern int unused(int fd, int values[2]) __asm__("other");',
    'static inline int unused(int x) { return helper(x); }',
    'static __attribute__((always_inline)) void unused(void) { }',
    'struct unused { int (*member)(void); unsigned bits : 3; };',
    'struct unused;',
    'enum { FIRST, SECOND = (1 << 2), LAST };',
    'typedef int unused(int x);',
    'typedef struct unused_tag { int x[sizeof(int) * 2]; } __attribute__((packed)) unused, *unused_pointer;',
    'typedef void (*unused)(int, void (*inner)(void));',
    'extern const char *unused[4];',
  ])('%s', (text) => expect(dropped(`${text} ${MAIN}`)).toEqual([text]))

  test('a typedef makes its name a type', () =>
    expect(dropped(`typedef int number; number unused(number n); ${MAIN}`)).toEqual([
      'typedef int number;',
      'number unused(number n);',
    ]))

  test('what only unused functions name', () =>
    expect(dropped(`int helper(int x); static inline int unused(int x) { return helper(x); } ${MAIN}`)).toEqual([
      'int helper(int x);',
      'static inline int unused(int x) { return helper(x); }',
    ]))
})

describe('kept', () => {
  test.each([
    ['named in a function', 'extern int used(int x);'],
    ['a type that is not known', 'int unused(size_type n);'],
    ['a parameter that is no declaration', 'int unused(a, b);'],
    ['several declarators', 'int unused(void), other;'],
    ['an initialiser', 'int (*unused)(void) = 0;'],
    ['no type', 'unused();'],
    ['an assertion', '_Static_assert(1, "one");'],
    ['a function that is not inline', 'int unused(int x) { return x; }'],
    ['an inline function that another file may call', 'inline int unused(int x) { return x; }'],
    ['a record whose tag is named', 'struct tag { int x; }; struct tag kept;'],
    ['a record whose inner tag is named', 'struct outer { struct inner { int x; } y; }; struct inner kept;'],
    ['an enumerator that is named', 'enum colour { RED, GREEN }; int kept = GREEN;'],
    ['an enumerator inside a record', 'struct outer { enum { RED, GREEN } colour; }; int kept = GREEN;'],
    ['the second name of a typedef', 'typedef struct { int x; } first, *second; second kept;'],
    ['a type of a type', 'typedef int number; typedef number other; other kept;'],
    ['a prototype of an unknown type', 'extern int unused(size_type n);'],
    ['a variable', 'struct { int x; } unused;'],
    ['a tentative definition', 'int unused;'],
    ['an external variable with a value', 'extern int unused = 1;'],
    ['an assertion in a record', 'struct unused { int x; _Static_assert(1, "one"); };'],
  ])('%s', (_, text) => expect(dropped(`${text} ${MAIN}`)).toEqual([]))

  test('named through a function that is used', () =>
    expect(dropped(`int helper(int x); static inline int used(int x) { return helper(x); } ${MAIN}`)).toEqual([]))

  test('what is no header', () => expect(dropped(`int unused(void); ${MAIN}`, () => false)).toEqual([]))
})

test('execution may begin in a function that nothing names', async () => {
  const files = [{ name: 'a.i', text: 'static inline int start(void) { return 0; }' }]
  const { unit } = compile(files, { dataModel: 'lp64', entry: 'start' }, await testParser())
  expect([...unit.procedures.keys()].join()).toContain('start')
})
