// One execution of a program without threads and inputs. Its truth is the compiler's: the programs are those that
// programs.test.ts also runs on the machine.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Run, runSequential } from '../../src/semantics/index.js'
import { compileText } from '../frontend/lower/support.js'
import { hasCompiler } from '../frontend/preprocess/compiler.js'

class Looked extends Error {}

const run = (text: string, options: Parameters<typeof compileText>[1] = {}): Run => {
  let result: Run | undefined
  const look: NonNullable<typeof options>['look'] = (unit) => {
    result = runSequential(unit, { property: 'assert', stopped: () => undefined })
    throw new Looked()
  }
  expect(() => compileText(text, { ...options, look })).toThrow(Looked)
  return result!
}

const main = (body: string, before = ''): Run =>
  run(`#include <assert.h>\n${before}\nint main(void)\n{\n${body}\nreturn 0;\n}\n`)

const FOLDER = join(import.meta.dirname, '../frontend/lower/programs')
/** Programs that ask for the number of their thread, or for inputs. */
const OTHERS = new Set(['atomics.c'])

describe('programs that check themselves', () => {
  const names = readdirSync(FOLDER).filter((name) => !OTHERS.has(name))
  it.each(names)('%s ends, and its end is reached', (name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8')
    expect(run(text)).toMatchObject({ kind: 'ended' })
    const end = text.lastIndexOf('return 0;')
    expect(run(`${text.slice(0, end)}assert(!"the end");${text.slice(end)}`)).toMatchObject({ kind: 'error' })
  })
})

describe('programs of values and jumps that engines leave open', () => {
  const folder = join(import.meta.dirname, 'sequential-programs')
  it.each(readdirSync(folder))('%s', (name) => {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    const end = text.lastIndexOf('return 0;')
    if (hasCompiler && process.arch === 'x64') {
      const binary = join(mkdtempSync(join(tmpdir(), 'sequential-')), 'program')
      execFileSync('cc', ['-w', path, '-o', binary])
      execFileSync(binary)
    }
    expect(run(text)).toMatchObject({ kind: 'ended' })
    expect(run(`${text.slice(0, end)}assert(!"the end");${text.slice(end)}`)).toMatchObject({ kind: 'error' })
  })

  it('long double and __int128 are named where they are reached', () => {
    const program = (body: string): string => `long double x; __int128 y; int main(void) { ${body} return 0; }`
    expect(() => compileText(program('x = x + 1;'))).toThrow('values of type long double')
    expect(() => compileText(program('y++;'))).toThrow('values of type __int128')
    expect(() => compileText(program('long double f(long double z) { return z; } f(1);'))).toThrow('long double')
    expect(() => compileText(program('if (0) x = 1;'))).not.toThrow()
  })
})

describe('what one execution cannot decide', () => {
  it.each([
    ['an input', 'int x = __VERIFIER_nondet_int(); assert(x != 7);', 'not known'],
    ['an uninitialised variable', 'int x; if (x) assert(0);', 'not known'],
    ['uninitialised memory', 'int a[2]; a[0] = 1; int *p = a; if (p[1]) assert(0);', 'not known'],
    ['memory of malloc', 'int *p = malloc(8); if (*p) assert(0);', 'not known'],
    ['an index out of bounds', 'int a[2] = { 1, 2 }, i = 2; a[i] = 3;', 'outside of any object'],
    ['memory that was freed', 'int *p = malloc(8); *p = 1; free(p); assert(*p == 1);', 'outside of any object'],
    ['a local of a call that has ended', 'int *p = local(); assert(*p == 1);', 'outside of any object'],
    ['division by zero', 'int zero = 0; assert(1 / zero == 0);', 'division by zero'],
    ['a thread', 'pthread_t t; pthread_create(&t, 0, body, 0);', 'threads'],
  ])('%s', (_, body, reason) => {
    const before =
      '#include <stdlib.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nvoid *body(void *p) { return p; }\nint *local(void) { int x = 1; int *p = &x; return p; }'
    const result = main(body, before)
    expect(result).toMatchObject({ kind: 'gave up' })
    expect(result.kind === 'gave up' && result.reason).toContain(reason)
  })
})

describe('what it can', () => {
  it('recursion as deep as it likes', () => {
    const sum = 'int sum(int n) { int here = n, *p = &here; return n == 0 ? 0 : *p + sum(n - 1); }'
    expect(main('assert(sum(20000) == 200010000);', sum)).toMatchObject({ kind: 'ended' })
  })

  it('copies of what is not known, and bit-fields in an uninitialised unit', () => {
    const record = 'struct s { unsigned a : 3; int b : 7; unsigned c : 22; };'
    expect(main('struct s x; x.a = 5; x.b = -3; assert(x.a == 5 && x.b == -3);', record)).toMatchObject({
      kind: 'ended',
    })
    expect(main('struct s x, y; x.a = 5; y = x; y.b = 1; assert(y.a == 5 && y.b == 1);', record)).toMatchObject({
      kind: 'ended',
    })
    expect(main('struct s x; x.a = 5; x.b = -3; assert(x.c == 0);', record)).toMatchObject({ kind: 'gave up' })
  })

  it('errors that the user names', () => {
    const text = 'void panic(void) {}\nint main(void) { panic(); return 0; }'
    expect(run(text)).toMatchObject({ kind: 'ended' })
    expect(run(text, { errorFunctions: ['panic'] })).toMatchObject({ kind: 'error' })
  })

  it('an order of evaluation that fails', () => {
    const next = 'int n; int next(void) { return ++n; } int first(int a, int b) { return a; }'
    expect(main('assert(first(next(), next()) == 1);', next)).toMatchObject({ kind: 'error' })
    expect(main('assert(first(next(), next()) == 2);', next)).toMatchObject({ kind: 'error' })
    expect(main('assert(first(next(), next()) < 3);', next)).toMatchObject({ kind: 'ended' })
  })
})
