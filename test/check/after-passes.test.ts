// Explorations of large programs are checked after the passes: there the interpreter finds what it finds before them.
import { expect, test } from 'vitest'
import { errorsOf } from '../../src/property/index.js'
import { oracle } from '../../src/semantics/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'
import { generateFor } from '../generate/index.js'

const parser = await testParser()

const verdicts = (text: string, property: 'assert' | 'unreach-call'): readonly string[] => {
  const raw = compileProgram(parser, text)
  const after = prepare(errorsOf(raw, property), { resetDead: true })
  return [raw, after].map((program) => oracle(program, property, { paths: false }).verdict)
}

const updates = (end: string): string => `
#include <pthread.h>
extern void reach_error(void);
int x;
void *add(void *argument) { int t = x; x = t + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  ${end}
  return 0;
}`

test.each([
  ['if (x != 2) reach_error();', 'unreach-call', 'false'],
  ['if (x == 0) reach_error();', 'unreach-call', 'true'],
] as const)('%s', (end, property, expected) => {
  expect(verdicts(updates(end), property)).toEqual([expected, expected])
})

test('generated programs', () => {
  const seen = new Set<string>()
  for (let seed = 3000; seed < 3030; seed++) {
    const [before, after] = verdicts(generateFor('assert', seed), 'assert')
    if (before !== 'unknown') expect([seed, after]).toEqual([seed, before])
    seen.add(before!)
  }
  expect(seen).toContain('true')
  expect(seen).toContain('false')
})
