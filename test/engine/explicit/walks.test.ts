// Random walks find errors that breadth-first search comes to only after all that the other threads can do.
import { describe, expect, it } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import { replay } from '../../../src/semantics/index.js'
import { inconclusive } from '../../../src/verdict/reason.js'
import { compileText } from '../../frontend/lower/support.js'

const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const

/** The search asks every few thousand states whether to go on: these are far fewer than there are. */
const patience = (questions: number) => {
  let asked = 0
  return { stopped: () => (++asked > questions ? inconclusive('long enough') : undefined), progress: () => {} }
}

describe('random walks', () => {
  it('give the only thread of its kind a turn among many others, between two steps of one of them', () => {
    const { program: raw } = compileText(`
      #include <pthread.h>
      extern void reach_error(void);
      int first, second;
      void *writer(void *argument) { first = 1; second = 1; return 0; }
      void *reader(void *argument) { if (first && !second) reach_error(); return 0; }
      int main(void) {
        pthread_t t[31];
        for (int i = 0; i < 30; i++) pthread_create(&t[i], 0, writer, 0);
        pthread_create(&t[30], 0, reader, 0);
        for (int i = 0; i < 31; i++) pthread_join(t[i], 0);
        return 0;
      }`)
    const result = explicitEngine.verify({ raw, property: 'unreach-call', settings }, { por: 'both' }, patience(40))
    expect(result.verdict).toBe('false')
    if (result.verdict === 'false') expect(replay(raw, result.trace, 'unreach-call').reached).toBe(true)
  })

  it('meet a race with many writers, once main has started the reader', () => {
    const { program: raw } = compileText(`
      #include <pthread.h>
      #include <stdatomic.h>
      extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
      int first;
      void *writer(void *argument) {
        __VERIFIER_atomic_begin(); first = 1; __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin(); first = 2; __VERIFIER_atomic_end();
        return 0;
      }
      void *reader(void *argument) { return first ? argument : 0; }
      int main(void) {
        pthread_t t[31];
        for (int i = 0; i < 30; i++) pthread_create(&t[i], 0, writer, 0);
        pthread_create(&t[30], 0, reader, 0);
        for (int i = 0; i < 31; i++) pthread_join(t[i], 0);
        return 0;
      }`)
    const result = explicitEngine.verify({ raw, property: 'no-data-race', settings }, { por: 'both' }, patience(40))
    expect(result.verdict).toBe('false')
    if (result.verdict === 'false') expect(replay(raw, result.trace, 'no-data-race').reached).toBe(true)
  })
})
