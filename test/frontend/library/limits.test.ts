// What a model provides for is an obligation: an execution that needs more is an error of its own kind, which reports
// turn into UNKNOWN. And what a barrier promises to who destroys it (POSIX; glibc waits for those who still leave).
import { describe, expect, it } from 'vitest'
import { oracle } from '../../../src/semantics/index.js'
import { compileText } from '../lower/support.js'

const keys = (count: number): string =>
  `#include <pthread.h>\nint main(void) { pthread_key_t k; for (int i = 0; i < ${count}; i++) pthread_key_create(&k, 0); return 0; }`

const BARRIER = `#include <pthread.h>
#include <stdlib.h>
pthread_barrier_t *b;
void *other(void *p) { pthread_barrier_wait(b); return 0; }
int main(void)
{
  pthread_t t;
  b = malloc(sizeof *b);
  pthread_barrier_init(b, 0, 2);
  pthread_create(&t, 0, other, 0);
  pthread_barrier_wait(b);
  pthread_barrier_destroy(b);
  END
  pthread_join(t, 0);
  return 0;
}`

describe('limits of models', () => {
  it('sixteen keys are there, the seventeenth is no proof', () => {
    expect(oracle(compileText(keys(16)).program, 'assert').verdict).toBe('true')
    expect(oracle(compileText(keys(17)).program, 'assert').verdict).toBe('false')
  })
})

describe('a barrier that is destroyed', () => {
  it('may be freed, or initialised again', () => {
    const verdict = (end: string): unknown => oracle(compileText(BARRIER.replace('END', end)).program, 'assert')
    expect(verdict('free(b);')).toMatchObject({ verdict: 'true', undefined: [] })
    const again = oracle(
      compileText(BARRIER.replace('END', 'pthread_barrier_init(b, 0, 1); pthread_barrier_wait(b);')).program,
      'no-deadlock',
    )
    expect(again.verdict).toBe('true')
  })
})
