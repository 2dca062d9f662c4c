// Entries 8 to 10 of soundness.md: proofs with a hole that no verdict shows. The checker works out by itself which
// threads must be followed, so it rejects what an algorithm that forgets one of the rules calls a proof.
import { expect, test } from 'vitest'
import { cegarEngine } from '../../src/engine/cegar/index.js'
import { impactEngine } from '../../src/engine/impact/index.js'
import { answer, type Configuration, prove } from '../check/certificates.js'
import { compiled, solver } from '../engine/impact/support.js'
import { generate } from '../generate/index.js'

/** A loop of local steps, in a thread that wrote the one variable or the other before it. */
const LOCAL_LOOP = (after: string): string => `
  #include <pthread.h>
  #include <assert.h>
  extern int __VERIFIER_nondet_int(void);
  int x, y;
  void *first(void *a) { y = 5; return 0; }
  void *second(void *a) {
    if (__VERIFIER_nondet_int()) y = 1; else x = 1;
    while (__VERIFIER_nondet_int()) while (__VERIFIER_nondet_int());
    int r = y; ${after} assert(r != 7);
    return 0;
  }
  void *third(void *a) { x = 2; return 0; }
  int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, third, 0); pthread_create(&u, 0, first, 0); pthread_create(&v, 0, second, 0);
    return 0; }`

const accepts = async (text: string, configuration: Configuration = [impactEngine, {}]): Promise<string> => {
  const [raw, smt] = [await compiled(text), await solver()]
  const proof = prove(raw, configuration, smt)
  return proof === undefined ? 'no proof' : answer(raw, proof, smt)
}

test.each([104, 181])(
  '8: a predicate that comes into the precision concerns all its variables (program %i)',
  async (seed) => {
    expect(await accepts(generate(seed), [cegarEngine, { domain: 'pred-cart', por: 'aapor' }])).toBe('accepted')
  },
)

test('9: what may follow a local step at the covered node may follow it at the coverer', async () => {
  expect(await accepts(LOCAL_LOOP('int s = x; assert(s != 7);'))).toBe('accepted')
})

test('10: a loop of local steps leaves nobody out for ever', async () => {
  expect(await accepts(LOCAL_LOOP(''))).toBe('accepted')
})

test.each([91, 97, 106])(
  '9: covers by nodes that wait are made up for when those are expanded (program %i)',
  async (seed) => {
    expect(await accepts(generate(seed))).toBe('accepted')
  },
)

// What steps cannot do because of the types of what they read (31, 117); indices that no label bounds (16, 77).
test.each([16, 31, 77, 117])('proofs of generated programs are accepted: %i', async (seed) => {
  for (const options of [{}, { domain: 'pred-cart', por: 'aapor' }])
    expect(await accepts(generate(seed), [cegarEngine, options])).toBe('accepted')
})

test('an index is bounded by the access before it: the proof says that accesses outside their objects stop', async () => {
  const text = `
    #include <pthread.h>
    #include <assert.h>
    int x, z;
    void *thread(void *a) { if (!z) assert(x < 2); return 0; }
    int main(void) {
      pthread_t t[2];
      for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, 0);
      x = (x + x) & 3;
      for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
      assert(x + z < 3);
      return 0;
    }`
  const raw = await compiled(text)
  const smt = await solver()
  const proof = prove(raw, [impactEngine, {}], smt)
  // What is checked before a verdict is said is not read from a file.
  expect(proof).toMatchObject({ strayAccess: 'stops' })
  expect(answer(raw, proof, smt)).toBe('accepted')
})
