// What instances of a thread have for themselves, of which there are any number (docs/any-number.md): each proof has
// twins that break one of the rules it needs, and race.
import { describe, expect, test } from 'vitest'
import { mayRaceSomewhere } from '../../src/check/index.js'
import { verifyRaceFreedom } from '../../src/engine/redcomp/races.js'
import { errorsOf } from '../../src/property/index.js'
import { prepare } from '../../src/xcfa/passes/index.js'
import { testParser } from '../frontend/parse/load.js'
import { compileProgram } from '../generate/harness.js'

const parser = await testParser()

const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

interface Parts {
  readonly thread: string
  /** How main starts an instance, in a loop. */
  readonly start?: string
  readonly start_loop?: string
  readonly join_loop?: string
  /** Before the loops, and after them. */
  readonly before?: string
  readonly after?: string
}

const programOf = (parts: Parts): string => `
#include <pthread.h>
#include <stdlib.h>
struct job { int id; int result; };
int a[10000], b[10000], next; int *data; struct job jobs[10000];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);
int fetch(void) { return __atomic_fetch_add(&next, 1, 5); }
void *w(void *p) { int k = (int)(long)p; int *q = p; struct job *j = p; ${parts.thread} return 0; }
int main(void) {
  int i, l, n = __VERIFIER_nondet_int(); pthread_t *t = malloc(n * sizeof *t);
  ${parts.before ?? ''}
  ${parts.start_loop ?? 'for (i = 0; i < n; i++)'} { ${parts.start ?? 'pthread_create(&t[i], 0, w, (void *)(long)i);'} }
  ${parts.join_loop ?? 'for (l = 0; l < n; l++) pthread_join(t[l], 0);'}
  ${parts.after ?? ''}
  return 0;
}`

/** The engine's answer, and whether the checker's own analysis accepts it. */
const verdictOf = (parts: Parts): string => {
  const raw = compileProgram(parser, programOf(parts), 'no-data-race')
  const env = { stopped: () => undefined, progress: () => {} }
  const { verdict } = verifyRaceFreedom({ raw, property: 'no-data-race', settings: SETTINGS }, env)
  const program = prepare(errorsOf(raw, 'no-data-race'), { slice: false, largeBlocks: false })
  return `${verdict}, ${mayRaceSomewhere(program) === undefined ? 'accepted' : 'not accepted'}`
}

const start = (argument: string): string => `pthread_create(&t[i], 0, w, ${argument});`
const TICKET = 'pthread_mutex_lock(&m); int s = next; next++; pthread_mutex_unlock(&m); a[s] = 1;'

describe('proved', () => {
  test.each<readonly [string, Parts]>([
    ['own slot by index', { thread: 'a[k]++;' }],
    ['own slot by index, counted down', { thread: 'a[k]++;', start_loop: 'for (i = n; i > 0; i--)', join_loop: '' }],
    ['own slot by pointer', { thread: '*q = 1; (*q)++;', start: start('&a[i]') }],
    ['own slot by a pointer that moves', { thread: '*q = 1;', before: 'int *r = a;', start: `${start('r')} r++;` }],
    ['own slot of an array on the heap', { thread: 'data[k] = 1;', before: 'data = malloc(n * sizeof *data);' }],
    ['own struct', { thread: 'j->result = j->id;', start: `jobs[i].id = i; ${start('&jobs[i]')}` }],
    [
      'own struct by a variable',
      { thread: 'j->result = j->id;', start: `struct job *s = &jobs[i]; s->id = i; ${start('s')}` },
    ],
    [
      'own heap object',
      { thread: 'j->result = j->id; free(j);', start: `struct job *s = malloc(8); s->id = i; ${start('s')}` },
    ],
    ['slot by an atomic ticket', { thread: 'int s = fetch(); a[s] = 1;' }],
    ['slot by a ticket under a lock', { thread: TICKET }],
    ['read after joining all', { thread: 'a[k] = 1;', after: 'for (i = 0; i < n; i++) b[0] += a[i]; free(t);' }],
  ])('%s', (_, parts) => {
    expect(verdictOf(parts)).toBe('true, accepted')
  })
})

describe('left open, since it races', () => {
  test.each<readonly [string, Parts]>([
    ['a slot for two', { thread: 'a[k / 2]++;' }],
    ['the slot of the next one', { thread: 'a[k] = a[k + 1];' }],
    ['more than the slot', { thread: '*(long *)&a[k] = 1;' }],
    ['an index that wraps', { thread: 'a[k]++;', before: 'unsigned char c = 0;', start: start('(void *)(long)c++') }],
    [
      'an index that wraps after four steps',
      {
        thread: 'a[k]++;',
        start_loop: 'for (unsigned u = 0;; u += 1u << 30)',
        start: 'pthread_create(&t[0], 0, w, (void *)(long)u);',
        join_loop: '',
      },
    ],
    [
      'a slot for two handles',
      {
        thread: 'a[k] = 1;',
        before: 'int c = 0;',
        start_loop: 'for (i = 0; i < n;)',
        start: 'pthread_create(&t[i], 0, w, (void *)(long)c); c++; if (__VERIFIER_nondet_int()) i++;',
        after: 'b[0] = a[6];',
      },
    ],
    ['an index that comes back', { thread: 'a[k]++;', start: `${start('(void *)(long)i')} if (i == 5) i = 2;` }],
    [
      'an index that goes both ways',
      { thread: 'a[k]++;', start: `${start('(void *)(long)i')} if (i == 5) i = i - 3;` },
    ],
    [
      'an index that does not always move',
      {
        thread: 'a[k]++;',
        start_loop: 'for (i = 0, l = 0; l < n; l++)',
        start: `${start('(void *)(long)i')} if (l & 1) i++;`,
      },
    ],
    [
      'two that start with the same',
      { thread: 'a[k]++;', start: `${start('(void *)(long)i')} ${start('(void *)(long)i')}` },
    ],
    [
      'main writes once it has started',
      { thread: 'j->result = j->id;', start: `${start('&jobs[i]')} jobs[i].id = i;` },
    ],
    [
      'main writes by a variable once it has started',
      { thread: 'j->result = j->id;', start: `struct job *s = &jobs[i]; ${start('s')} s->id = i;` },
    ],
    [
      'main writes what it gave before',
      { thread: 'a[k] = 1;', start: `${start('(void *)(long)i')} if (i > 0) a[i - 1] = 0;` },
    ],
    ['one object for all', { thread: 'j->result = 1;', before: 'struct job *s = malloc(8);', start: start('s') }],
    [
      'an object that main keeps',
      { thread: 'j->result = j->id;', start: `struct job *s = malloc(8); ${start('s')} s->id = i;` },
    ],
    ['an array that others change', { thread: 'if (k == 0) data = a; else if (k == 1) data = a + 1; data[k] = 1;' }],
    [
      'a ticket that two may read',
      {
        thread:
          'pthread_mutex_lock(&m); int s = next; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); next++; pthread_mutex_unlock(&m); a[s] = 1;',
      },
    ],
    [
      'a ticket that is not always taken',
      { thread: 'pthread_mutex_lock(&m); int s = next; if (s & 1) next++; pthread_mutex_unlock(&m); a[s] = 1;' },
    ],
    ['a ticket that is given back', { thread: `${TICKET} pthread_mutex_lock(&m); next--; pthread_mutex_unlock(&m);` }],
    [
      'a ticket read before or after it moves',
      {
        thread:
          'pthread_mutex_lock(&m); if (k) next++; int s = next; if (!k) next++; pthread_mutex_unlock(&m); a[s] = 1;',
      },
    ],
    [
      'all but the first joined',
      { thread: 'a[k] = 1;', join_loop: 'for (l = 1; l < n; l++) pthread_join(t[l], 0);', after: 'b[0] = a[0];' },
    ],
    [
      'all but the last joined',
      { thread: 'a[k] = 1;', join_loop: 'for (l = 0; l < n - 1; l++) pthread_join(t[l], 0);', after: 'b[0] = a[0];' },
    ],
    [
      'every other one joined',
      {
        thread: 'a[k] = 1;',
        join_loop: 'for (l = 0; l < n; l++) if (l & 1) pthread_join(t[l], 0);',
        after: 'b[0] = a[0];',
      },
    ],
    [
      'one joined again and again',
      { thread: 'a[k] = 1;', join_loop: 'for (l = 0; l < n; l++) pthread_join(t[0], 0);', after: 'b[0] = a[1];' },
    ],
    [
      'joins that are broken off',
      {
        thread: 'a[k] = 1;',
        join_loop: 'for (l = 0; l < n; l++) { if (l == 5) break; pthread_join(t[l], 0); }',
        after: 'b[0] = a[6];',
      },
    ],
    [
      'a bound that changes in between',
      {
        thread: 'a[k] = 1;',
        after: 'b[0] = a[6];',
        join_loop: 'n = __VERIFIER_nondet_int(); for (l = 0; l < n; l++) pthread_join(t[l], 0);',
      },
    ],
    [
      'handles that are overwritten',
      {
        thread: 'a[k] = 1;',
        after: 'b[0] = a[6];',
        join_loop: 't[6] = t[5]; for (l = 0; l < n; l++) pthread_join(t[l], 0);',
      },
    ],
    [
      'one slot for all handles',
      { thread: 'a[k] = 1;', after: 'b[0] = a[6];', start: 'pthread_create(&t[0], 0, w, (void *)(long)i);' },
    ],
  ])('%s', (_, parts) => {
    expect(verdictOf(parts)).toBe('unknown, not accepted')
  })
})
