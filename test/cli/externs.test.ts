// Functions without a definition: told all at once, and assumed about only where the user says so.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oracle } from '../../src/semantics/exploration/oracle.js'
import { compileText } from '../frontend/lower/support.js'

const PROGRAM = `#include <assert.h>
struct s { _Bool a; };
extern _Bool get(struct s *p, const _Bool *n);
extern void report(int level, const char *format, ...);
extern int never(void);
int unused(void) { return never(); }
int main(void) {
  struct s q = { 1 }; _Bool n = 1;
  report(1, "a");
  if (get(&q, &n)) assert(n == 1);
  assert(q.a == 1);
  return 0;
}
`
const folder = mkdtempSync(join(tmpdir(), 'heddle-externs-'))
const file = join(folder, 'program.c')
writeFileSync(file, PROGRAM)
const heddle = (...args: readonly string[]) =>
  spawnSync('node', ['dist/cli/main.js', ...args], {
    cwd: new URL('../..', import.meta.url).pathname,
    encoding: 'utf8',
  })

test('all of them are told at the start, with the ways on', () => {
  const { stdout, stderr, status } = heddle('verify', file)
  expect(status).toBe(3)
  expect(stderr.trim().split('\n')).toEqual([
    `${file}:3:14: warning: function get has no definition`,
    `${file}:4:13: warning: function report has no definition`,
  ])
  expect(stdout).toContain('--assume-pure get,report')
  expect(stdout).not.toContain('another engine decided it')
})

test('stubs are C that defines them', () => {
  const { stdout } = heddle('stubs', file)
  const { program, undefinedFunctions } = compileText(`${PROGRAM}${stdout}`)
  expect(undefinedFunctions).toEqual([])
  expect(oracle(program, 'assert').verdict).toBe('true')
})

test('stubs of what a header declares are a file that compiles', () => {
  const header = join(folder, 'lib.h')
  writeFileSync(
    header,
    'typedef struct { int id; } handle_t;\nstruct opts { int n; };\n' +
      'handle_t lib_open(const struct opts *o);\nint lib_use(handle_t *h);\n',
  )
  const main = join(folder, 'main.c')
  writeFileSync(
    main,
    '#include "lib.h"\nint main(void) { struct opts o = { 1 }; handle_t h = lib_open(&o); return lib_use(&h); }\n',
  )
  const stubs = join(folder, 'stubs.c')
  writeFileSync(stubs, heddle('stubs', main).stdout)
  expect(heddle('verify', main, stubs, '--engine', 'explicit').stdout).toContain('VERDICT: TRUE')
})

test('pure functions change nothing, others what they are given pointers to', () => {
  const pure = compileText(PROGRAM, { externs: { pure: ['get', 'report'], havoc: false } })
  expect(oracle(pure.program, 'assert').verdict).toBe('true')
  expect(pure.notes).toHaveLength(2)
  const any = compileText(PROGRAM, { externs: { pure: ['report'], havoc: true } })
  expect(oracle(any.program, 'assert').verdict).toBe('false')
  const untouched = compileText(PROGRAM.replace('assert(q.a == 1);', ''), { externs: { pure: [], havoc: true } })
  expect(oracle(untouched.program, 'assert').verdict).toBe('true')
})
