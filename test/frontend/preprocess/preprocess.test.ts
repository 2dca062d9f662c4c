// The rules of C11 6.10 and GNU's extensions of them. What a macro expands to is asked of the machine's compiler too.
import { describe, expect, test } from 'vitest'
import { type Diagnostic, InputError } from '../../../src/frontend/c/diagnostic.js'
import { type PreprocessOptions, preprocess } from '../../../src/frontend/c/preprocess/index.js'
import { lex } from '../../../src/frontend/c/preprocess/lexer.js'
import { Unsupported } from '../../../src/xcfa/index.js'
import { compilerPreprocess, hasCompiler } from './compiler.js'

const run = (text: string, options: Partial<PreprocessOptions> = {}, file = 'main.c') =>
  preprocess(file, text, { dataModel: 'lp64', ...options })

const tokens = (text: string): readonly string[] => lex(text).map((lexeme) => lexeme.text)

const expanded = (text: string, options: Partial<PreprocessOptions> = {}): string =>
  tokens(run(text, options).text).join(' ')

const errors = (text: string, options: Partial<PreprocessOptions> = {}): readonly string[] => {
  try {
    run(text, options)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return error.diagnostics.map(
      ({ text, position }) => `${position?.file ?? ''}:${position?.line ?? ''}:${position?.column ?? ''} ${text}`,
    )
  }
  return []
}

const MACROS: Readonly<Record<string, string>> = {
  'an argument is expanded before it is put in': `
    #define twice(a) a a
    #define one 1
    twice(one) twice(twice(one)) twice(twice)(2)`,
  'a macro does not expand itself, directly or through others': `
    #define loop loop + 1
    #define ping pong (1)
    #define pong ping (2)
    #define call(n) call(n - 1)
    loop ping pong call(call(3))`,
  'the rest of the text completes a call that an expansion began': `
    #define begin add(1,
    #define add(a, b) (a + b)
    #define name add
    begin 2) name(3, 4) name
      (5, 6) name;`,
  'a name that was hidden stays hidden': `
    #define id(x) x
    #define outer(x) id(inner)(x)
    #define inner(x) id(x)
    #define again(x) x again
    outer(5) again(1)(2)(3) id(id)(1) id(id(id))(2)`,
  'pasting and making strings use the arguments as written': `
    #define glue(a, b) a ## b
    #define late_glue(a, b) glue(a, b)
    #define text(a) #a
    #define late_text(a) text(a)
    #define left right
    glue(le, ft) late_glue(le, ft) text(left) late_text(left) glue(, x) glue(x,) glue(,) glue(1, e) glue(+, =)
    text( a  +
       "q\\n" 'c' ) text() late_text(glue(a, b)) text("a\\"b")`,
  'three are pasted from left to right, with nothing among them': `
    #define three(a, b, c) a ## b ## c
    three(1, 2, 3) three(, 2, 3) three(1, , 3) three(1, 2, ) three(, , ) three(a, , )`,
  'a pasted double hash is no operator': `
    #define hashes # ## #
    #define text(a) #a
    #define late(a) text(a)
    #define both(a, b) late(a hashes b)
    both(x, y)`,
  'variable arguments, standard and GNU': `
    #define all(...) f(__VA_ARGS__)
    #define some(a, ...) f(a, #__VA_ARGS__, __VA_ARGS__)
    #define gnu(a, ...) f(a, ## __VA_ARGS__)
    #define named(a, rest...) f(a, ## rest)
    #define only(...) f(0, ## __VA_ARGS__)
    #define x 9
    all() all(1, x) some(1, (2, x), 3) gnu(x) gnu(x, ) gnu(x, x, 1) named(1) named(1, x) only() only(x)`,
  'parentheses and commas in arguments': `
    #define pair(a, b) [a | b]
    #define comma ,
    #define open (
    pair((1, 2), 3) pair(1 comma 2, 3) pair open 1, 2) pair(open, x)`,
  'signs that come together stay apart': `
    #define plus +
    #define minus -
    #define empty
    plus+ +plus minus-1 -minus -empty- plus empty plus x plus++ y =minus 1 &&plus`,
  'redefinition and removal': `
    #define v 1
    v
    #undef v
    v
    #define v(x) x + v
    v(2) v (3) v`,
  'comments and continued lines': `
    #define spl\\
it(a) a/* one */b /* two
    */ c
    split(/* none */ 1 // rest
    ) x /**/ y`,
}

describe('macros agree with the compiler', () => {
  test.skipIf(!hasCompiler).each(Object.entries(MACROS))('%s', (_name, text) => {
    const theirs = compilerPreprocess(text)
    expect(theirs).toBeDefined()
    expect(tokens(run(text).text)).toEqual(tokens(theirs!))
  })
})

describe('macros', () => {
  test('wrong uses have a position', () => {
    expect(errors('#define f(a) a\nint x = f(1, 2);')).toEqual(["main.c:2:9 macro 'f' takes 1 argument, but 2 given"])
    expect(errors('#define f(a) a\n  f(1')).toEqual(["main.c:2:3 unterminated argument list of macro 'f'"])
    expect(errors('#define g(a, b) a ## b\ng(), x')).toEqual(["main.c:2:1 macro 'g' takes 2 arguments, but 1 given"])
    expect(errors('#define g(a, b) a ## b\ng(], x)')).toEqual([expect.stringContaining('does not give a token')])
    expect(errors('#define f(a) #b\n')).toEqual([expect.stringContaining("'#' is not followed by a macro parameter")])
    expect(errors('#define 3 x\n')).toEqual([expect.stringContaining('is not an identifier')])
  })

  test('growth without end is bounded', () => {
    const doubling = Array.from({ length: 60 }, (_, i) => `#define a${i + 1} a${i} a${i}\n`).join('')
    expect(errors(`${doubling}a60`)).toEqual(['main.c:61:1 macro expansion grows too large'])
    expect(errors(`#define f(x) x\n${'f('.repeat(1000)}${')'.repeat(1000)}`)).toEqual([
      expect.stringContaining('nested too deeply'),
    ])
  })

  test('__LINE__, __FILE__, __COUNTER__', () => {
    expect(expanded('#define here __LINE__\n\nhere __FILE__ __COUNTER__ __COUNTER__')).toBe('3 "main.c" 0 1')
    expect(expanded('#line 40 "other.c"\n__LINE__ __FILE__\n__LINE__')).toBe('40 "other.c" 41')
  })

  test('-D and the data model', () => {
    expect(expanded('A B C(4)', { defines: ['A', 'B=2 + 3', 'C(x)=x x'] })).toBe('1 2 + 3 4 4')
    expect(() => run('', { defines: ['1=2'] })).toThrow(InputError)
    const sizes = '__SIZEOF_LONG__ __SIZEOF_POINTER__ __SIZEOF_INT__'
    expect(expanded(sizes)).toBe('8 8 4')
    expect(expanded(sizes, { dataModel: 'ilp32' })).toBe('4 4 4')
  })
})

describe('conditions', () => {
  test.each([
    ['1 + 2 * 3 == 7', true],
    ['-1 > 0u', true],
    ['-1 < 0', true],
    ['(2 || 1 / 0) && !(0 && 1 % 0)', true],
    ['1 ? 2 : (1 / 0)', true],
    ["'a' == 97 && '\\n' == 10 && '\\377' < 0 && '\\x41' == 65", true],
    ['010 == 8 && 0x1F == 31 && 0b101 == 5 && 10UL == 10', true],
    ['0xffffffffffffffff == -1', true],
    ['-8 >> 1 == -4 && 1 << 4 == 16 && ~0 == -1', true],
    ['-7 / 2 == -3 && -7 % 2 == -1', true],
    ['defined YES && defined(YES) && !defined NO', true],
    ['undeclared', false],
    ['YES == 5 && YES - 5', false],
    ['1 == 2 != 0', false],
    ['(1 ? -1 : 0u) > 0', true],
    ['__has_include(<none.h>)', false],
  ])('%s', (condition, holds) => {
    const text = `#define YES 5\n#if ${condition}\nyes\n#else\nno\n#endif`
    expect(expanded(text)).toBe(holds ? 'yes' : 'no')
    if (hasCompiler) expect(compilerPreprocess(text)?.trim()).toBe(holds ? 'yes' : 'no')
  })

  test('groups: one branch, nothing of the others is looked at', () => {
    const text =
      "#if 0\n#error no\n#if x'\n#endif\n#elif 1\na\n#elif 1 / 0\nb\n#else\nc\n#endif\n#ifdef q\nd\n#elif !q\ne\n#endif"
    expect(expanded(text)).toBe('a e')
  })

  test.each([
    ['#if 1 / 0\n#endif', 'main.c:1:7 division by zero in the condition'],
    ['#if\n#endif', 'main.c:1:2 #if without a condition'],
    ['#if 1 +\n#endif', 'main.c:1:7 the condition ends where a value is expected'],
    ['#if (1\n#endif', "main.c:1:6 expected ')' in the condition"],
    ['#if 1.5\n#endif', "main.c:1:5 '1.5' is not allowed in the condition of a directive"],
    ['\n#if 1\n', 'main.c:2:2 unterminated #if'],
    ['#else\n', 'main.c:1:2 #else without #if'],
    ['#if 1\n#else\n#elif 1\n#endif', 'main.c:3:2 #elif after #else'],
    ['#endif\n', 'main.c:1:2 #endif without #if'],
    ['#error it\'s "over"\n', 'main.c:1:1 #error it\'s "over"'],
    ['#nonsense\n', 'main.c:1:2 unknown directive #nonsense'],
    ['x /* y', 'main.c:1:3 unterminated comment'],
  ])('%j is an error', (text, expected) => {
    expect(errors(text)).toEqual([expected])
  })
})

describe('files', () => {
  const files: Readonly<Record<string, string>> = {
    'src/near.h': 'near',
    'src/nested.h': '#include "deeper/a.h"\n',
    'src/deeper/a.h': '#include "b.h"\n',
    'src/deeper/b.h': 'b __FILE__',
    'inc/far.h': 'far',
    'inc/near.h': 'wrong',
    'src/guarded.h': '#ifndef G\n#define G\nguarded\n#endif\n',
    'src/once.h': '#pragma once\nonce\n',
    'src/self.h': '#include "self.h"\n',
  }
  const options: Partial<PreprocessOptions> = {
    includeDirectories: ['inc'],
    readFile: (path) => files[path],
    header: (name) => (name === 'library.h' ? '#define LIBRARY 1\nlibrary' : undefined),
  }
  const included = (text: string): string => tokens(run(text, options, 'src/main.c').text).join(' ')

  test('own directory first, then -I, then the library', () => {
    expect(included('#include "near.h"\n#include <far.h>\n#include <library.h>\nLIBRARY')).toBe('near far library 1')
    expect(included('#include <near.h>')).toBe('wrong')
    expect(included('#include "nested.h"')).toBe('b "src/deeper/b.h"')
    expect(included('#define FAR <far.h>\n#include FAR\n')).toBe('far')
  })

  test('guards and #pragma once', () => {
    expect(included('#include "guarded.h"\n#include "guarded.h"')).toBe('guarded')
    expect(included('#include "once.h"\n#include "once.h"')).toBe('once')
  })

  test('errors name the place', () => {
    expect(errors('\n#include "none.h"', options)).toEqual([
      'main.c:2:10 cannot find "none.h": name its folder with -I DIR',
    ])
    expect(errors('#include none', options)).toEqual(['main.c:1:10 #include needs "FILE" or <FILE>'])
    expect(() => run('#include "self.h"', options, 'src/main.c')).toThrow('nested too deeply')
  })

  test('pragmas: packing changes layouts, so it is not ignored; #warning is told', () => {
    expect(run('#pragma pack(push, 2)\nx\n#pragma pack(pop)\n').packs?.map(({ align }) => align)).toEqual([
      2,
      undefined,
    ])
    expect(run('#pragma pack(1)\n', {}, 'main.i').packs).toEqual([{ offset: 0, align: 1 }])
    expect(() => run('#pragma pack(3)\n')).toThrow(Unsupported)
    expect(() => run('#pragma pack(3)\n', {}, 'main.i')).toThrow(Unsupported)
    const warnings: Diagnostic[] = []
    expect(expanded('#pragma omp parallel\n#warning look out\nx', { warn: (warning) => warnings.push(warning) })).toBe(
      'x',
    )
    expect(warnings.map((warning) => warning.text)).toEqual(['#warning look out'])
  })

  test('push_macro and pop_macro keep a definition, or that there is none', () => {
    const text = '#define A 1\n#pragma push_macro("A")\n#undef A\n#define A 2\nA\n#pragma pop_macro("A")\nA'
    expect(expanded(text)).toBe('2 1')
    expect(expanded('#pragma push_macro("B")\n#define B 2\n#pragma pop_macro("B")\nB')).toBe('B')
  })
})

describe('positions', () => {
  const positionsOf = (text: string, word: string, file = 'main.c', options: Partial<PreprocessOptions> = {}) => {
    const result = run(text, options, file)
    return [...result.text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map((match) => {
      const { file, line, column } = result.position(match.index)
      return `${file}:${line}:${column}`
    })
  }

  test('plain text, continued lines, comments', () => {
    expect(positionsOf('int x;\n  int /* y\n */ z;\nlong \\\n  z; z', 'z')).toEqual([
      'main.c:3:5',
      'main.c:5:3',
      'main.c:5:6',
    ])
  })

  test("a macro's body is where it is used, an argument where it is written", () => {
    const text = '#define f(a) body + a\n#define g f(arg)\n\n  f(\n arg) g'
    expect(positionsOf(text, 'body')).toEqual(['main.c:4:3', 'main.c:5:7'])
    expect(positionsOf(text, 'arg')).toEqual(['main.c:5:2', 'main.c:5:7'])
  })

  test('included files and line markers', () => {
    const options = { readFile: () => '\n x' }
    expect(positionsOf('#include "a.h"\n x\n#line 9 "b.c"\nx', 'x', 'main.c', options)).toEqual([
      'a.h:2:2',
      'main.c:2:2',
      'b.c:9:1',
    ])
    expect(positionsOf('# 3 "q.c"\nx\n#pragma once\nx', 'x', 'main.i')).toEqual(['q.c:3:1', 'q.c:5:1'])
  })

  test('a .i file keeps its text, character by character', () => {
    const text = '# 1 "a.c"\nint  x; /* c */\n'
    expect(run(text, {}, 'main.i').text).toBe(text.replace('# 1 "a.c"', ' '.repeat(9)))
  })
})
