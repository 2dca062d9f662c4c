// Race freedom by locks and by who runs at the same time: what it must prove, what it must leave, and brute force.
import { expect, test } from 'vitest'
import { verifyRaceFreedom } from '../../../src/engine/redcomp/races.js'
import { oracle } from '../../../src/semantics/index.js'
import type { Program } from '../../../src/xcfa/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'
import { generate } from '../../generate/index.js'

const parser = await testParser()

const SETTINGS = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
const ENV = { stopped: () => undefined, progress: () => {} }
const verdictOf = (raw: Program): string =>
  verifyRaceFreedom({ raw, property: 'no-data-race', settings: SETTINGS }, ENV).verdict

const program = (thread: string, rest: string, main = 'pthread_join(t, 0);'): string => `
#include <pthread.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void *thread(void *argument) { ${thread} return 0; }
int main(void) { pthread_t t; ${rest.includes('pthread_create') ? '' : 'pthread_create(&t, 0, thread, 0);'} ${rest} ${main} }`

const LOCKED = 'while (__VERIFIER_nondet_int()) { pthread_mutex_lock(&m); x += 1; pthread_mutex_unlock(&m); }'

test.each([
  ['a common lock, with values that have no bound', LOCKED, LOCKED],
  ['any number of threads', LOCKED, 'while (1) pthread_create(&t, 0, thread, 0);'],
  [
    'atomic blocks',
    '__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();',
    '__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();',
  ],
  ['before the start and after the join', 'x++;', 'x = 1; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); x++;'],
])('proved: %s', (_, thread, main) => {
  expect(verdictOf(compileProgram(parser, program(thread, main, 'return 0;')))).toBe('true')
})

test.each([
  ['two locks', LOCKED, LOCKED.replaceAll('&m', '&n')],
  ['a write of the value that is there already', 'x = 0;', 'y = x;'],
  ['a lock that is given back too early', LOCKED, 'pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++;'],
  ['a lock tried in vain', LOCKED, 'pthread_mutex_trylock(&m); x++; pthread_mutex_unlock(&m);'],
  ['an atomic block beside a plain access', '__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end();', 'x++;'],
])('left open: %s', (_, thread, main) => {
  const raw = compileProgram(parser, program(thread, main))
  expect(verdictOf(raw)).toBe('unknown')
})

const nodes = (thread: string, main: string): string => `
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; } *head, first;
struct { int data; pthread_mutex_t lock; int more[3]; } array[2];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void publish(struct node *p) { pthread_mutex_lock(&m); head = p; pthread_mutex_unlock(&m); }
void *thread(void *argument) { ${thread} return 0; }
int main(void) { pthread_t t; ${main} }`

const ANY_NUMBER = 'while (__VERIFIER_nondet_int()) pthread_create(&t, 0, thread, 0);'
const USE = 'pthread_mutex_lock(&m); if (head) head->value++; pthread_mutex_unlock(&m);'
const NEW = 'struct node *p = calloc(1, sizeof(struct node)), *q;'

test.each([
  [
    'the result of any number of threads, joined',
    '',
    'while (1) { pthread_create(&t, 0, thread, 0); pthread_join(t, 0); }',
  ],
  ['a node that nobody else knows yet', `${NEW} p->value = 1; p->next = 0; publish(p);`, ANY_NUMBER + USE],
  [
    'fields of elements, one of them a lock',
    'int i = __VERIFIER_nondet_int() & 1; pthread_mutex_lock(&array[i].lock); pthread_mutex_unlock(&array[i].lock); return (void *)(long)array[i].data;',
    ANY_NUMBER,
  ],
])('proved of memory: %s', (_, thread, main) => {
  expect(verdictOf(compileProgram(parser, nodes(thread, main)))).toBe('true')
})

const ONE = `pthread_create(&t, 0, thread, 0); ${USE}`
test.each([
  ['a node that is known already', `${NEW} publish(p); p->value = 1;`],
  ['a node that is known through what points to it', `${NEW} p->next = p; q = p->next; publish(q); p->value = 1;`],
  [
    'a node that is known on one way',
    `${NEW} if (__VERIFIER_nondet_int()) q = p; else { q = calloc(1, sizeof(struct node)); p = &first; } publish(p); q->value = 1;`,
  ],
  ['a node that was given away as a number', `${NEW} long n = (long)p; publish((struct node *)n); p->value = 1;`],
])('left open, a race: %s', (_, thread) => {
  const raw = compileProgram(parser, nodes(thread, ONE))
  expect(verdictOf(raw)).toBe('unknown')
  expect(oracle(raw, 'no-data-race').verdict).toBe('false')
})

test('elements of one array that overlap are left open', () => {
  const thread = 'int i = __VERIFIER_nondet_int() & 1; array[i].more[i] = 1;'
  const raw = compileProgram(parser, nodes(thread, `pthread_create(&t, 0, thread, 0); array[1].more[1] = 2;`))
  expect(verdictOf(raw)).toBe('unknown')
  expect(oracle(raw, 'no-data-race').verdict).toBe('false')
})

test('what it proves, brute force proves', () => {
  let proved = 0
  for (let seed = 0; seed < 40; seed++) {
    const raw = compileProgram(parser, generate(seed))
    if (verdictOf(raw) !== 'true') continue
    const { verdict } = oracle(raw, 'no-data-race', { maxStates: 5_000 })
    expect({ seed, verdict }).not.toEqual({ seed, verdict: 'false' })
    if (verdict === 'true') proved++
  }
  expect(proved).toBeGreaterThanOrEqual(5)
})
