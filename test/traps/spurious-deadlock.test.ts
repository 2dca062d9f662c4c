// A thread that waits for ever beside one that still runs: the wait can always be left spuriously, so that a reduction
// may go round that loop only, and never come to the state where nobody else can move (soundness.md 2, 3, 6).
import { describe, expect, test } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { decidingContenders } from '../generate/contenders.js'
import { compareEngines, compileProgram } from '../generate/harness.js'

const parser = await testParser()

const program = (other: string): string => `
  #include <pthread.h>
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  int ready, x;
  void *waiter(void *argument) {
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
  }
  void *other(void *argument) { ${other} return 0; }
  int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
  }`

const SIGNAL = 'pthread_mutex_lock(&mutex); ready = 1; pthread_cond_signal(&condition); pthread_mutex_unlock(&mutex);'

describe('no-deadlock with a waiting thread', () => {
  test.each([
    ['nobody signals', 'x = 1;', 'false'],
    ['a signal, but not the condition', 'pthread_cond_signal(&condition);', 'false'],
    ['the condition and a signal', SIGNAL, 'true'],
  ])('%s: %s', async (_name, other, expected) => {
    const raw = compileProgram(parser, program(other))
    const found = compareEngines(raw, 'no-deadlock', await decidingContenders('no-deadlock'))
    expect(found).toEqual({ expected, undecided: [], wrong: [] })
  })
})
