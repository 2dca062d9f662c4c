// Arrays by one cell each: what every cell has in common is proved, what was written is not forgotten, and proofs agree
// with brute force where arrays are too large to be expanded.
import { describe, expect, test } from 'vitest'
import type { HornCertificate } from '../../../src/certificate/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { createSmt } from '../../../src/smt/index.js'
import { generateFor } from '../../generate/index.js'
import { checkHornCertificate } from './check-horn.js'
import { rawOf, run, runRaw } from './support.js'

const configurationOf = (data: unknown) => (data as HornCertificate).configuration

/** Two threads share a stack of values below 50; `pushed` is what is put on it, `popped` what is said of a value. */
const stack = (pushed: string, popped: string): string => `
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned stack[100];
int top;
void *pusher(void *argument) {
  for (int i = 0; i < 100; i++) {
    unsigned value = __VERIFIER_nondet_uint();
    __VERIFIER_assume(value < 50);
    pthread_mutex_lock(&m);
    stack[top] = ${pushed};
    top++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *popper(void *argument) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&m);
    if (top > 0) {
      top--;
      unsigned value = stack[top];
      assert(${popped});
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pusher, 0);
  pthread_create(&b, 0, popper, 0);
  return 0;
}`

/** One thread writes two cells, then main reads some. */
const cells = (written: string, said: string): string => `
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int cells[60] = { [3] = 5 };
int at(void) { int i = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= i && i < 60); return i; }
void *writer(void *argument) { ${written} return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_join(t, 0);
  int i = at(), j = at();
  assert(${said});
  return 0;
}`

describe('what is said of every cell', () => {
  test('values on a stack stay below what was pushed: proved by cells, and the proof is accepted', async () => {
    const text = stack('value', 'value < 50')
    const result = await run(text, { 'horn-limit': '5000', view: 'threads' })
    expect(result.verdict).toBe('true')
    if (result.verdict !== 'true') return
    const { data } = result.certificate
    expect(configurationOf(data).cells).toBe(true)
    const smt = await createSmt('auto')
    expect(checkHornCertificate(await rawOf(text), 'assert', data as HornCertificate, smt)).toBeUndefined()
    smt.dispose()
  })
  test.each([
    ['one more than that', stack('value + 1', 'value < 50')],
    ['less than that', stack('value', 'value < 49')],
  ])('not proved: %s', async (_, text) => {
    expect((await run(text, { 'horn-limit': '300', view: 'threads' })).verdict).not.toBe('true')
  })
  test.each([
    ['first values and what is written', 'cells[at()] = 7;', 'cells[i] == 0 || cells[i] == 5 || cells[i] == 7', true],
    ['what is written is forgotten', 'cells[at()] = 7;', 'cells[i] == 0 || cells[i] == 5', false],
    ['a first value is forgotten', 'cells[at()] = 7;', 'cells[i] == 0 || cells[i] == 7', false],
    ['the last of two writes', 'cells[4] = 7; cells[4] = 8;', 'cells[4] == 8', true],
    ['the first of two writes', 'cells[4] = 7; cells[4] = 8;', 'cells[4] == 7', false],
    ['one cell read twice', 'cells[at()] = at();', 'i != j || cells[i] == cells[j]', true],
    ['two cells', 'cells[at()] = at();', 'cells[i] == cells[j]', false],
  ])('%s', async (_, written, said, holds) => {
    const result = await run(cells(written, said), { 'horn-limit': holds ? '5000' : '500', view: 'threads' })
    expect(result.verdict === 'true').toBe(holds)
  })
})

test('agrees with brute force on generated programs whose arrays are made large', async () => {
  let proved = 0
  for (let seed = 5000; seed < 5040; seed++) {
    const text = generateFor('assert', seed)
    if (!text.includes('int cells[2];')) continue
    const raw = await rawOf(text.replace('int cells[2];', 'int cells[40];'))
    const { verdict } = oracle(raw, 'assert', { maxStates: 3000 })
    if (verdict === 'unknown') continue
    const result = await runRaw(raw, { 'horn-limit': '500', view: 'threads' })
    if (result.verdict !== 'unknown') expect([seed, result.verdict]).toEqual([seed, verdict])
    if (result.verdict === 'true' && configurationOf(result.certificate.data).cells) proved++
  }
  expect(proved).toBeGreaterThan(0)
})
