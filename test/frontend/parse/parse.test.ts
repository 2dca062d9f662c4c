// Facts of C's grammar (C11 6.5, 6.7): what an expression means depends on which names are types.
import { describe, expect, test } from 'vitest'
import { InputError } from '../../../src/frontend/c/diagnostic.js'
import {
  field,
  fields,
  namedChildren,
  positionOf,
  type SyntaxTree,
  textOf,
} from '../../../src/frontend/c/parse/index.js'
import { Unsupported } from '../../../src/xcfa/index.js'
import { findNode, preprocessed, shape, testParser } from './load.js'

const parser = await testParser()

const parse = (text: string): SyntaxTree => parser.parse(preprocessed(text))

/** The shape of the initializer of the last `v` in the text. */
const initializer = (text: string): string => {
  const tree = parse(text)
  const value = field(findNode(tree.root.children.at(-1)!, 'init_declarator')!, 'value')!
  return shape(tree, value)
}

const errors = (text: string, file = 'test.i'): readonly string[] => {
  try {
    parser.parse(preprocessed(text, file))
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.diagnostics.map(({ text, position }) => `${position?.line}:${position?.column} ${text}`)
  }
  return []
}

describe('types and values', () => {
  test.each([
    ['(T)-1', 'cast<T>((- 1))'],
    ['(a)-1', '(a - 1)'],
    ['(T)-a * b', '(cast<T>((- a)) * b)'],
    ['(a)-(b) * 2', '(a - (b * 2))'],
    ['((a))-(b) * 2', '(a - (b * 2))'],
    ['(a[1])-(b) * 2', '(index(a 1) - (b * 2))'],
    ['(f(a))*(b)+1', '((call(f a) * b) + 1)'],
    ['(T)*p', 'cast<T>((* p))'],
    ['(a)*b', '(a * b)'],
    ['(T)&a', 'cast<T>((& a))'],
    ['(a)&b&(c)', '((a & b) & c)'],
    ['(T)(a)', 'cast<T>(a)'],
    ['(f)(a)', 'call(f a)'],
    ['(_Bool)+a', 'cast<_Bool>((+ a))'],
    ['sizeof(T)*2', '(sizeof<T> * 2)'],
    ['sizeof(int)-1', '(sizeof<int> - 1)'],
    ['sizeof(a)-1', '(sizeof(a) - 1)'],
    ['sizeof (a)[0]', 'sizeof(index(a 0))'],
    ['sizeof a + 1', '(sizeof(a) + 1)'],
    ['a -1', '(a - 1)'],
    ['- 2147483648', '(- 2147483648)'],
    ['a - -1', '(a - (- 1))'],
  ])('%s', (expression, expected) => {
    expect(initializer(`typedef int T; void g(void) { int v = ${expression}; }`)).toBe(expected)
  })

  test('a variable hides a typedef name, to the end of its block', () => {
    const tree = parse('typedef int T; void g(void) { { int T; x = (T) + 1; } y = (T) + 1; }')
    const body = findNode(tree.root, 'compound_statement')!
    expect(shape(tree, namedChildren(body)[1]!)).toBe('(y = cast<T>((+ 1)))')
    expect(shape(tree, findNode(namedChildren(body)[0]!, 'assignment_expression')!)).toBe('(x = (T + 1))')
  })

  test('parameters and enumerators hide a typedef name, members and labels do not', () => {
    expect(initializer('typedef int T; int g(T T) { int v = (T) - 1; }')).toBe('(T - 1)')
    expect(initializer('typedef int T; void g(void) { enum { T, U }; int v = (T) - 1; }')).toBe('(T - 1)')
    expect(initializer('typedef int T; struct s { int T; T x; }; int v = (T) - 1;')).toBe('cast<T>((- 1))')
    expect(initializer('typedef int T; void g(void) { T: goto T; s.T = p->T; int v = (T) - 1; }')).toBe(
      'cast<T>((- 1))',
    )
  })

  test('names that the grammar takes for types or constants are identifiers until they are declared', () => {
    expect(initializer('enum { FALSE, TRUE }; int size_t; void g(void) { int v = (size_t) - TRUE; }')).toBe(
      '(size_t - TRUE)',
    )
    expect(initializer('typedef unsigned long size_t; unsigned long v = (size_t) - 1;')).toBe('cast<size_t>((- 1))')
  })

  test('T x; T *p; T (*f)(int); are declarations for a typedef name', () => {
    const tree = parse('typedef int T; void g(void) { T *p; T (*f)(int); T (y); T a[3]; }')
    const body = findNode(tree.root, 'compound_statement')!
    expect(namedChildren(body).map((node) => node.type)).toEqual(Array(4).fill('declaration'))
    expect(namedChildren(body).map((node) => field(node, 'type')?.type)).toEqual(Array(4).fill('type_identifier'))
  })
})

describe('GNU and C11 spellings', () => {
  test('typeof takes an expression or a type', () => {
    const tree = parse('typeof(p->x + 1) a; void g(void) { __typeof__(int *) b; c = (typeof(d)) 3; }')
    const first = findNode(tree.root, 'typeof_specifier')!
    expect(shape(tree, first.children[0]!)).toBe('((p -> x) + 1)')
    const second = findNode(findNode(tree.root, 'compound_statement')!, 'typeof_specifier')!
    expect(second.children[0]!.type).toBe('type_descriptor')
    expect(textOf(tree, second)).toBe('__typeof__(int *)')
  })

  test('_Atomic(T) is a specifier, _Atomic alone a qualifier', () => {
    const tree = parse('_Atomic(int *) a, b; _Atomic int c;')
    const [first, second] = namedChildren(tree.root)
    expect(field(first!, 'type')!.type).toBe('atomic_specifier')
    expect(fields(first!, 'declarator')).toHaveLength(2)
    expect(textOf(tree, second!.children[0]!)).toBe('_Atomic')
  })

  test('attributes stand beside the tree, with their arguments', () => {
    const tree = parse('struct s { char c; } __attribute__((__packed__, aligned(4))) x; int y __attribute__((unused));')
    expect(tree.attributes.map(({ name, argument }) => [name, argument])).toEqual([
      ['packed', ''],
      ['aligned', '4'],
      ['unused', ''],
    ])
  })

  test('case ranges, builtins with types, unnamed bit-fields, implicit int', () => {
    const tree = parse('main() { switch (x) { case 1 ... 3: ; } y = __builtin_va_arg(ap, struct s *); }')
    const range = findNode(tree.root, 'case_range')!
    expect([textOf(tree, field(range, 'left')!), textOf(tree, field(range, 'right')!)]).toEqual(['1', '3'])
    expect(field(findNode(tree.root, 'call_expression')!, 'arguments')!.children.map((node) => node.type)).toEqual([
      'identifier',
      'type_descriptor',
    ])
    expect(errors('struct s { unsigned a : 3, : 2; int : 0; ; };')).toEqual([])
    expect(errors('static __inline__ __attribute__((always_inline)) int f(void) __asm__("g"); int x;')).toEqual([])
    expect(errors('extern __signed__ char *__restrict p; static _Thread_local int t; _Noreturn void f(void);')).toEqual(
      [],
    )
    expect(errors('int f(a, b) int a; char *b; { return ({ int z = a; z; }); }')).toEqual([])
  })

  test('what has no meaning here is unsupported by name', () => {
    expect(() => parse('int x = _Alignof (y + 1);')).toThrow(Unsupported)
  })
})

describe('positions', () => {
  test('offsets count UTF-16 units, as JavaScript does', () => {
    const tree = parse('/* äö😀 */ char *s = "ü😀"; int second;')
    const second = namedChildren(tree.root)[1]!
    expect(textOf(tree, second)).toBe('int second;')
    expect(textOf(tree, findNode(tree.root, 'string_content')!)).toBe('ü😀')
  })

  test('line markers give file and line', () => {
    const tree = parse('# 7 "lib.h" 1 3\nint a;\n\nint b;\n# 2 "main.c" 2\nint c;\n')
    expect(namedChildren(tree.root).map((node) => positionOf(tree, node))).toEqual([
      { file: 'lib.h', line: 7, column: 1 },
      { file: 'lib.h', line: 9, column: 1 },
      { file: 'main.c', line: 2, column: 1 },
    ])
  })
})

describe('wrong input', () => {
  test.each([
    ['', []],
    ['int x', ["1:5 syntax error: expected ';' before the end of the file"]],
    ['int a @ 3;', ["1:7 stray '@' in program"]],
    ['int x;\0', ['1:7 stray character U+0000 in program']],
    ['char *s = "abc\n;', ['1:11 unterminated string']],
    ['int x; /* abc', ['1:8 unterminated comment']],
    ['int f(void) { return (1; }', ["1:26 '}' does not match '(' of line 1"]],
    ['void f(void) { {', ["1:16 '{' is never closed"]],
    ['int x; }', ["1:8 unmatched '}'"]],
    [`int x = ${'('.repeat(100_000)}`, ['1:1009 nested too deeply (more than 1000 levels)']],
  ])('%#', (text, expected) => {
    expect(errors(text)).toEqual(expected)
  })

  test.each([
    ['minus signs', `int x = ${'- '.repeat(20_000)}1;`],
    ['a long sum', `int x = 1${' + 1'.repeat(20_000)};`],
    ['else if', `void f(void) { ${'if (x) y(); else '.repeat(5_000)};}`],
    ['casts', `int x = ${'(int)'.repeat(20_000)}1;`],
    ['typeof', `${'typeof('.repeat(900)}int${')'.repeat(900)} x;`],
  ])('%s nested beyond what recursive passes bear', (_name, text) => {
    expect(errors(text)).toEqual([expect.stringContaining('nested too deeply')])
  })

  test('at most ten errors, each on its own line', () => {
    expect(errors('int a = ;\n'.repeat(50)).length).toBeLessThanOrEqual(10)
    expect(errors('int ` x;\n'.repeat(50))).toHaveLength(10)
  })

  test('a file too large is refused', () => {
    expect(errors('int x;\n'.repeat(1_300_000))).toEqual([expect.stringContaining('more than 8388608')])
  })
})
