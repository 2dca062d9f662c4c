// Race freedom thread by thread over memory that nobody writes any more. What has a race must stay open.
import { describe, expect, test } from 'vitest'
import { preparedFor } from '../../../src/engine/explicit/index.js'
import { mayRace } from '../../../src/engine/explicit/modular/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generateInstances } from '../../generate/instances.js'

const parser = await testParser()

const isProved = (text: string): boolean =>
  mayRace(preparedFor(compileProgram(parser, text), 'no-data-race'), () => false) === undefined

/** Buckets with a list and a lock each; threads walk through the list of any bucket. */
const lists = (
  walk: string,
  threads = 'pthread_t t[50]; for (int i = 0; i < 50; i++) pthread_create(&t[i], 0, w, 0);',
) => `
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int datum; struct node *next; };
struct node *heads[4];
pthread_mutex_t locks[4];
int total, turn = 1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) {
  int j = __VERIFIER_nondet_int();
  if (0 <= j && j < 4) { ${walk} }
  return 0;
}
void *v(void *p) { return 0; }
int main(void) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_init(&locks[i], 0);
    for (int k = 0; k < 3; k++) {
      struct node *n = malloc(sizeof *n);
      n->datum = k; n->next = heads[i]; heads[i] = n;
    }
  }
  ${threads}
  return 0;
}`

const WALK = (index: string): string =>
  `pthread_mutex_lock(&locks[${index}]); for (struct node *n = heads[j]; n; n = n->next) n->datum++; pthread_mutex_unlock(&locks[${index}]);`

const JOINED = `pthread_t t[50]; for (int i = 0; i < 50; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 50; i++) pthread_join(t[i], 0);`

describe('lists in buckets', () => {
  test.each([
    ['each with its lock', lists(WALK('j'))],
    ['a lock for two of them', lists(WALK('j & 2'))],
    ['read by main after all are joined', lists(WALK('j'), `${JOINED} total = heads[0]->datum;`)],
    [
      'two threads one by one',
      lists(WALK('j'), 'pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);'),
    ],
    [
      'read by main after the only thread is joined',
      lists(WALK('j'), 'pthread_t a; pthread_create(&a, 0, w, 0); pthread_join(a, 0); heads[1]->datum = 5;'),
    ],
    [
      'a try',
      lists('if (pthread_mutex_trylock(&locks[j]) == 0) { heads[j]->datum++; pthread_mutex_unlock(&locks[j]); }'),
    ],
  ])('%s', (_, text) => {
    expect(isProved(text)).toBe(true)
  })

  test.each([
    ['the lock of another bucket', lists(WALK('(j + (j == 2)) & 3'))],
    ['no lock', lists('heads[j]->datum++;')],
    ['the lock is given back too early', lists(`${WALK('j')} heads[j]->datum = 1;`)],
    [
      'lists that share a node',
      lists(
        WALK('j'),
        'heads[0] = heads[1]; pthread_t t[9]; for (int i = 0; i < 9; i++) pthread_create(&t[i], 0, w, 0);',
      ),
    ],
    ['main beside them', lists(WALK('j'), 'pthread_t a; pthread_create(&a, 0, w, 0); heads[1]->datum = 5;')],
    [
      'one of two is joined',
      lists(
        WALK('j'),
        'pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); heads[1]->datum = 5;',
      ),
    ],
    [
      'heads that threads exchange',
      lists(`${WALK('j')} pthread_mutex_lock(&m); heads[j] = heads[3 - j]; pthread_mutex_unlock(&m);`),
    ],
    ['a lock that a thread makes anew', lists(`pthread_mutex_init(&locks[j], 0); ${WALK('j')}`)],
    [
      'which lock depends on what others write',
      lists(
        `pthread_mutex_lock(&m); turn = 3 - turn; int k = turn; pthread_mutex_unlock(&m); pthread_mutex_lock(&locks[k & 3]); total++; pthread_mutex_unlock(&locks[k & 3]);`,
      ),
    ],
    [
      'a branch on what others write',
      lists('pthread_mutex_lock(&m); int k = turn; turn = 2; pthread_mutex_unlock(&m); if (k == 2) total++;'),
    ],
  ])('open: %s', (_, text) => {
    expect(isProved(text)).toBe(false)
  })
})

/** Fifty threads; each may choose a bit i. */
const masks = (body: string, others = '') => `
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
atomic_uint mask; unsigned plain, pair[2]; atomic_ulong wide; atomic_uchar small; int data[64];
union { unsigned word; unsigned char bytes[4]; } both;
void *v(void *p) { ${others} return 0; }
void *w(void *p) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 7) return 0; unsigned b = 1u << i; ${body} return 0; }
int main(void) { pthread_t t;
  for (int i = 0; i < 50; i++) { pthread_create(&t, 0, w, 0); pthread_create(&t, 0, v, 0); }
  return 0; }`

const SEARCH =
  'int s = -1; pthread_mutex_lock(&m); for (int j = 0; j < 8; j++) if (!(plain & (1u << j))) { plain |= 1u << j; s = j; break; } pthread_mutex_unlock(&m); if (s < 0) return 0; data[s]++;'
const OR = 'unsigned old = atomic_fetch_or(&mask, b);'

describe('slots by bits of a mask', () => {
  test.each([
    ['who sets it first', masks(`${OR} if (!(old & b)) { data[i]++; data[i]++; }`)],
    ['the bit is given back', masks(`${OR} if (!(old & b)) { data[i]++; atomic_fetch_and(&mask, ~b); }`)],
    ['as a spin lock', masks('while (atomic_fetch_or(&mask, b) & b) ; data[i]++; atomic_fetch_and(&mask, ~b);')],
    ['tested by a shift', masks(`${OR} if (((old >> i) & 1) == 0) data[i]++;`)],
    [
      'compare and exchange',
      masks(
        'unsigned old = mask; do { if (old & b) return 0; } while (!atomic_compare_exchange_strong(&mask, &old, old | b)); data[i]++;',
      ),
    ],
    ['64 bits', masks('if (!(atomic_fetch_or(&wide, 1ul << (i + 40)) & (1ul << (i + 40)))) data[i]++;')],
    ['8 bits', masks('if (!(atomic_fetch_or(&small, 1 << i) & (1 << i))) data[i]++;')],
    ['searched with a lock', masks(SEARCH)],
    [
      'searched and given back with a lock',
      masks(`${SEARCH} pthread_mutex_lock(&m); plain &= ~(1u << s); pthread_mutex_unlock(&m);`),
    ],
    [
      'a byte of a word',
      masks(
        'pthread_mutex_lock(&m); if (!(both.bytes[0] & b)) { both.bytes[0] |= b; pthread_mutex_unlock(&m); data[i]++; } else pthread_mutex_unlock(&m);',
        'pthread_mutex_lock(&m); unsigned all = both.word; pthread_mutex_unlock(&m);',
      ),
    ],
  ])('%s', (_, text) => {
    expect(isProved(text)).toBe(true)
  })

  test.each([
    ['tested and set in two steps', masks('if (!(mask & b)) { atomic_fetch_or(&mask, b); data[i]++; }')],
    ['the slot of another bit', masks(`${OR} if (!(old & b)) data[i / 2]++;`)],
    ['given back too early', masks(`${OR} if (!(old & b)) { atomic_fetch_and(&mask, ~b); data[i]++; }`)],
    ['all bits are cleared', masks(`${OR} if (!(old & b)) { data[i]++; mask = 0; }`)],
    ['two bits are cleared', masks(`${OR} if (!(old & b)) { data[i]++; atomic_fetch_and(&mask, ~(3u << (i & 6))); }`)],
    ['another bit is tested', masks(`${OR} if (!(old & (b << 1))) data[i]++;`)],
    ['no bit is set', masks('unsigned old = atomic_fetch_or(&mask, 0u); if (!(old & b)) data[i]++;')],
    ['bits change sides', masks(`${OR} if (!(old & b)) data[i]++; else atomic_fetch_xor(&mask, b);`)],
    ['a bit of eight that are not there', masks('if (!(atomic_fetch_or(&small, b << 8) & (b << 8))) data[i]++;')],
    ['another thread clears them', masks(`${OR} if (!(old & b)) data[i]++;`, 'atomic_fetch_and(&mask, 7);')],
    ['another thread has another lock', masks(SEARCH, 'pthread_mutex_lock(&k); plain = 0; pthread_mutex_unlock(&k);')],
    [
      'the lock is given back in between',
      masks(
        'pthread_mutex_lock(&m); unsigned old = plain; pthread_mutex_unlock(&m); if (old & b) return 0; pthread_mutex_lock(&m); plain |= b; pthread_mutex_unlock(&m); data[i]++;',
      ),
    ],
    [
      'an atomic write without the lock',
      masks(
        'pthread_mutex_lock(&m); unsigned old = mask; if (old & b) { pthread_mutex_unlock(&m); return 0; } mask = old | b; pthread_mutex_unlock(&m); data[i]++;',
        'atomic_fetch_or(&mask, 9);',
      ),
    ],
    [
      'set in another word',
      masks(
        'pthread_mutex_lock(&m); unsigned old = pair[0]; if (!(old & b)) { pair[1] = old | b; pthread_mutex_unlock(&m); data[i]++; } else pthread_mutex_unlock(&m);',
      ),
    ],
    [
      'a byte of the word is cleared as part of it',
      masks(
        'pthread_mutex_lock(&m); if (!(both.bytes[0] & b)) { both.bytes[0] |= b; pthread_mutex_unlock(&m); data[i]++; } else pthread_mutex_unlock(&m);',
        'pthread_mutex_lock(&m); both.word &= ~255u; pthread_mutex_unlock(&m);',
      ),
    ],
    [
      'what was read before is set',
      masks(
        'pthread_mutex_lock(&m); unsigned old = plain; if (old & b) { pthread_mutex_unlock(&m); return 0; } plain = 0; plain = old | b; pthread_mutex_unlock(&m); data[i]++;',
      ),
    ],
  ])('open: %s', (_, text) => {
    expect(isProved(text)).toBe(false)
  })
})

test('generated programs: what is proved has no race', () => {
  let proved = 0
  for (let seed = 300; seed < 320; seed++) {
    const text = generateInstances(seed, { most: 2 }).replaceAll(/&k\b/g, '&m')
    const raw = compileProgram(parser, seed % 2 === 0 ? text : text.replaceAll(/assert\([^;]*;/g, ''))
    if (mayRace(preparedFor(raw, 'no-data-race'), () => false) !== undefined) continue
    const { verdict } = oracle(raw, 'no-data-race', { maxStates: 1_000 })
    proved += verdict === 'true' ? 1 : 0
    expect(`${seed}: ${verdict}`).not.toBe(`${seed}: false`)
  }
  expect(proved).toBeGreaterThan(0)
})
