// Entries 1-3, 5 and 6 of soundness.md as C programs: what a reduction that forgets one of them would answer wrongly.
// Every engine that needs no solver must agree with brute force, under every reduction it has. Entry 4 is about
// abstract states: concrete ones are never only perhaps enabled.
import { describe, expect, test } from 'vitest'
import type { Property } from '../../src/property/index.js'
import { testParser } from '../frontend/parse/load.js'
import { decidingContenders } from '../generate/contenders.js'
import { compareEngines, compileProgram } from '../generate/harness.js'

const parser = await testParser()

const HEADERS = '#include <pthread.h>\n#include <stdlib.h>\n#include <assert.h>\n'

/** Threads by name and body, started in order by main, which then executes `after`. */
const program = (declarations: string, threads: Readonly<Record<string, string>>, after = ''): string => {
  const functions = Object.entries(threads).map(([name, body]) => `void *${name}(void *argument) { ${body} return 0; }`)
  const starts = Object.keys(threads).map((name) => `pthread_t t_${name}; pthread_create(&t_${name}, 0, ${name}, 0);`)
  return `${HEADERS}${declarations}\n${functions.join('\n')}\nint main(void) { ${starts.join(' ')} ${after} return 0; }`
}

const expectVerdict = async (text: string, property: Property, expected: 'true' | 'false') => {
  const found = compareEngines(compileProgram(parser, text), property, await decidingContenders(property))
  expect(found).toEqual({ expected, undecided: [], wrong: [] })
}

describe('1: what stops stops its own thread only', () => {
  const error = 'x = 1; assert(0);'
  test.each([
    ['abort', 'abort();'],
    ['exit', 'exit(0);'],
    ['undefined behaviour', '*(volatile int *)0 = 1;'],
    ['division by zero', 'y = 1 / y;'],
  ])('%s beside a failing assertion', (_, stop) =>
    expectVerdict(program('int x, y;', { stopper: stop, failing: error }), 'assert', 'false'),
  )
  test('the end of main beside a failing assertion', () =>
    expectVerdict(program('int x;', { failing: error }), 'assert', 'false'))
})

describe('2: threads that are blocked or not yet started count', () => {
  test('an access behind a lock that another thread holds', () =>
    expectVerdict(
      program('int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;', {
        holder: 'pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); assert(x == 1);',
        blocked: 'pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);',
      }),
      'assert',
      'false',
    ))
  test('an access by a thread that is started later', () =>
    expectVerdict(
      `${HEADERS}int x;
       void *late(void *argument) { x = 2; return 0; }
       void *early(void *argument) { x = 1; assert(x == 1); return 0; }
       void *starter(void *argument) { pthread_t t; pthread_create(&t, 0, late, 0); return 0; }
       int main(void) { pthread_t a, b; pthread_create(&a, 0, early, 0); pthread_create(&b, 0, starter, 0); return 0; }`,
      'assert',
      'false',
    ))
  test('an access behind a join', () =>
    expectVerdict(
      program('int x, y;', { other: 'y = 1;', failing: 'x = 1; assert(x == 1);' }, 'pthread_join(t_other, 0); x = 2;'),
      'assert',
      'false',
    ))
  test('an access behind a semaphore', () =>
    expectVerdict(
      program('#include <semaphore.h>\nint x; sem_t s;', {
        poster: 'sem_post(&s);',
        waiter: 'sem_wait(&s); x = 2;',
        failing: 'x = 1; assert(x == 1);',
      }),
      'assert',
      'false',
    ))
  test('trylock sees a lock that another thread may take', () =>
    expectVerdict(
      program('int busy; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;', {
        holder: 'pthread_mutex_lock(&m); pthread_mutex_unlock(&m);',
        trying: 'if (pthread_mutex_trylock(&m)) assert(0);',
      }),
      'assert',
      'false',
    ))
})

describe('3: no action is put off for ever', () => {
  test('an endless loop beside an error', () =>
    expectVerdict(program('int x;', { looping: 'while (1);', failing: 'x = 1; assert(0);' }), 'assert', 'false'))
  test('an endless loop over a variable of its own', () =>
    expectVerdict(
      program('int x, y;', { looping: 'while (1) y = !y;', failing: 'x = 1; assert(0);' }),
      'assert',
      'false',
    ))
  test('two endless loops beside an error', () =>
    expectVerdict(
      program('int x, y, z;', { one: 'while (1) y = !y;', two: 'while (1) z = !z;', failing: 'x = 1; assert(0);' }),
      'assert',
      'false',
    ))
  test('an atomic block that does not end', () =>
    expectVerdict(
      program('void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x, y;', {
        looping: '__VERIFIER_atomic_begin(); while (1) y = !y; __VERIFIER_atomic_end();',
        failing: 'x = 1; assert(0);',
      }),
      'assert',
      'false',
    ))
  test('an atomic block that gets stuck', () =>
    expectVerdict(
      program('void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x, *p;', {
        stuck: '__VERIFIER_atomic_begin(); int i = 0; while (i < 2) i++; *p = 1; __VERIFIER_atomic_end();',
        failing: 'x = 1; assert(0);',
      }),
      'assert',
      'false',
    ))
})

describe('5: sleep sets meet stored states', () => {
  test('a state that is reached again with fewer threads asleep', () =>
    expectVerdict(
      program('int x, y, z;', {
        one: 'while (x < 2) { x++; if (y) x = 0; }',
        two: 'y = 1; y = 0; z = 1;',
        three: 'if (z) { if (x == 1) assert(y); }',
      }),
      'assert',
      'false',
    ))
})

describe('6: races and deadlocks look at everything that is enabled', () => {
  test('a race of two single writes', () =>
    expectVerdict(program('int x;', { one: 'x = 1;', two: 'x = 2;' }), 'no-data-race', 'false'))
  test('a race behind independent work', () =>
    expectVerdict(program('int x, y, z;', { one: 'y = 1; x = 1;', two: 'z = 1; x = 2;' }), 'no-data-race', 'false'))
  test('no race under a lock', () =>
    expectVerdict(
      program('int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;', {
        one: 'pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);',
        two: 'pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);',
      }),
      'no-data-race',
      'true',
    ))
  const crossed = {
    one: 'pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);',
    two: 'pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);',
  }
  const LOCKS = 'int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;'
  const joins = 'pthread_join(t_one, 0); pthread_join(t_two, 0);'
  test('locks taken in both orders', () => expectVerdict(program(LOCKS, crossed, joins), 'no-deadlock', 'false'))
  test('and beside them a thread that may end the program before', () =>
    expectVerdict(
      program(LOCKS, { ...crossed, ender: 'if (x) exit(0);', setter: 'x = 1;' }, joins),
      'no-deadlock',
      'false',
    ))
  test('a thread that always ends the program in the end', () =>
    expectVerdict(program(LOCKS, { ...crossed, ender: 'x = 1; exit(0);' }, joins), 'no-deadlock', 'true'))
})
