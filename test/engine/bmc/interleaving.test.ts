// Constants of each thread in the interleaving encoding: what a thread was started with, and what changes on the way.
// Brute force says what is right.
import { expect, test } from 'vitest'
import { createSmt } from '../../../src/smt/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { agreement, VARIANTS } from './support.js'

const parser = await testParser()
const smt = await createSmt('auto')

const INTERLEAVING = VARIANTS.filter((v) => v['por'] === 'none' || v['gir-encoding'] === 'dependent')

const program = (body: string, claim: string): string => `
#include <pthread.h>
#include <assert.h>
int x, table[8];
void *work(void *argument) { int n = (int)(long)argument; ${body} return 0; }
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, work, (void *)1L);
  pthread_create(&two, 0, work, (void *)3L);
  pthread_join(one, 0); pthread_join(two, 0);
  assert(${claim});
  return 0;
}`

const expectVerdict = (text: string, expected: 'true' | 'false') =>
  expect(agreement(parser, smt, text, INTERLEAVING)).toEqual({ expected, undecided: [], wrong: [] })

test('a local that a loop changes is no constant', () => {
  const loop = 'for (int i = 0; i < 2; i++) n = n + i; x = n;'
  expectVerdict(program(loop, 'x != 4'), 'false')
  expectVerdict(program(loop, 'x == 2 || x == 4'), 'true')
})

test('each thread has its own', () => {
  expectVerdict(program('table[2 * n] = n; x = n;', 'table[2] + table[6] == 4'), 'true')
  expectVerdict(program('table[2 * n] = n; x = n;', 'x == 3'), 'false')
})
