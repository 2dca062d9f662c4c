// One execution decides a sequential program only if it could not have gone otherwise: not where addresses show, nor
// where the library may answer with another number.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const verdictOf = (body: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'heddle-look-')), 'program.c')
  const includes = ['assert', 'ctype', 'stdint', 'stdlib', 'string'].map((name) => `#include <${name}.h>\n`).join('')
  writeFileSync(file, `${includes}int main(void) {\n${body}\nreturn 0; }\n`)
  const run = spawnSync(process.execPath, [main, 'verify', file, '--timeout', '20s'], { encoding: 'utf8' })
  return run.stdout.trimEnd().split('\n').at(-1)!
}

test.each([
  [
    'a block at the address of a freed one',
    'int *p = malloc(4); uintptr_t a = (uintptr_t)p; free(p); assert((uintptr_t)malloc(4) != a);',
  ],
  ['the order of two blocks', 'char *p = malloc(64), *q = malloc(8); assert((uintptr_t)p < (uintptr_t)q);'],
  ['a pointer read as a number', 'union { void *p; uintptr_t u; } x; x.p = malloc(4); assert((x.u >> 4) % 7 != 5);'],
  ['a byte of a pointer', 'void *p = malloc(4); unsigned char b[8]; memcpy(b, &p, 8); assert(b[2] != 7);'],
  ['where a global variable lies', 'static char b[16]; assert(((uintptr_t)b & 7) == 0);'],
  ['an address as a floating point number', 'void *p = malloc(4); assert((double)(uintptr_t)p < 1e13);'],
  ['the number that isdigit returns', "assert(isdigit('5') == 1);"],
  ['the number that isalpha returns', "assert(isalpha('x') + isalpha('y') == 2);"],
])('%s is not taken for granted', (_, body) => {
  expect(verdictOf(body)).not.toBe('VERDICT: TRUE')
})

test.each([
  ['letters', "assert(isdigit('5') && !isdigit('x') && isupper('Q') && tolower('Q') == 'q');"],
  ['pointers into one array', 'int a[4]; int *p = a, *q = a + 3; assert(p < q && q - p == 3);'],
  [
    'records with pointers that are copied and compared by their names',
    'struct { char name[8]; void *p; } r = { "a", &r }, s; memcpy(&s, &r, sizeof r); assert(!strcmp(s.name, "a"));',
  ],
  ['bits below the alignment', 'static int a; assert(((uintptr_t)&a & 3) == 0 && (uintptr_t)&a != 0);'],
  ['a comparison with NULL', 'int *p = malloc(4); assert(p != 0); free(p);'],
])('%s are decided', (_, body) => {
  expect(verdictOf(body)).toBe('VERDICT: TRUE')
})
