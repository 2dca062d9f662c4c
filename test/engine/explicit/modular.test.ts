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
