// Small C programs whose verdicts follow from C and POSIX, decided by brute force; each FALSE is replayed.
import { describe, expect, it } from 'vitest'
import { interpreterOf, minimise, oracle, replay } from '../../src/semantics/index.js'
import { compileText } from '../frontend/lower/support.js'
import { PROGRAMS } from './programs.js'

describe.each(PROGRAMS)('$name', ({ text, verdicts }) => {
  it.each(Object.entries(verdicts))('%s: %s', (property, expected) => {
    const { program } = compileText(text)
    const result = oracle(program, property)
    expect({ verdict: result.verdict, reason: result.reason }).toEqual({ verdict: expected, reason: undefined })
    if (result.trace) {
      const found = replay(program, result.trace, property)
      expect(found.reason).toBeUndefined()
      expect(found.reached).toBe(true)
      expect(minimise(interpreterOf(program), found, result.trace, property).reached).toBe(true)
    }
  })
})

describe('messages', () => {
  it('an unbounded choice is named with its place', () => {
    const { program } = compileText(`
      #include <assert.h>
      extern int __VERIFIER_nondet_int(void);
      int x;
      int main(void) {
        x = __VERIFIER_nondet_int() * 3;
        assert(x != 8);
        return 0;
      }`)
    const { verdict, reason } = oracle(program, 'assert')
    expect(verdict).toBe('unknown')
    expect(reason).toBe('unbounded nondeterminism at test.c:6')
  })

  it('a bad dereference stops its thread and is noted', () => {
    const { program } = compileText(`
      #include <assert.h>
      int main(void) { int *p = 0; *p = 1; assert(0); }`)
    const result = oracle(program, 'assert')
    expect(result.verdict).toBe('true')
    expect(result.undefined.map(({ text }) => text)).toEqual(['null pointer dereference'])
  })

  it('a deadlock says who holds what', () => {
    const { program } = compileText(`
      #include <pthread.h>
      pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
      void *f(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return 0; }
      int main(void) {
        pthread_t t;
        pthread_create(&t, 0, f, 0);
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_join(t, 0);
      }`)
    const { trace } = oracle(program, 'no-deadlock')
    expect(replay(program, trace!, 'no-deadlock').waiting).toMatchObject([
      { thread: 0, kind: 'lock', object: 'b', heldBy: 1 },
      { thread: 1, kind: 'lock', object: 'a', heldBy: 0 },
    ])
  })

  it('changes have the names of the source', () => {
    const { program } = compileText(`
      #include <assert.h>
      struct account { int owner; int balance; } account;
      int queue[3];
      struct account *p = &account;
      int main(void) { int i = 2; account.balance = 5; queue[i] = 7; p->owner = 9; assert(0); }`)
    const { trace } = oracle(program, 'assert')
    const changes = replay(program, trace!, 'assert').steps.flatMap((step) => step.changes)
    expect(changes.map(({ name, text }) => `${name} = ${text}`)).toEqual([
      'i = 2',
      'account.balance = 5',
      'queue[2] = 7',
      'account.owner = 9',
    ])
  })
})
