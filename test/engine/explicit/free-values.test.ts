// Times of a clock that only decide branches need not be known; what they are computed into otherwise must be.
import { expect, test } from 'vitest'
import { explicitEngine } from '../../../src/engine/explicit/index.js'
import type { Property } from '../../../src/property/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { compileProgram } from '../../generate/harness.js'

const parser = await testParser()

const verdictOf = (body: string, property: Property = 'assert'): string => {
  const text = `#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <time.h>
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int done, n;
    void *work(void *arg) { pthread_mutex_lock(&m); n++; done = 1; pthread_mutex_unlock(&m); return 0; }
    int isDone(void) { pthread_mutex_lock(&m); int d = done; pthread_mutex_unlock(&m); return d; }
    int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); ${body} pthread_join(t, 0); return 0; }`
  const settings = { arith: 'auto', solver: 'auto', memoryModel: 'sc', spuriousWakeups: true } as const
  const env = { stopped: () => undefined, write: () => {}, progress: () => {} }
  return explicitEngine.verify({ raw: compileProgram(parser, text, property), property, settings }, {}, env).verdict
}

const POLL = 'time_t start, now; time(&start); do time(&now); while (difftime(now, start) < 1.0 && !isDone());'

test.each(['assert', 'no-data-race', 'no-deadlock'] as const)('a loop until a deadline: %s', (property) => {
  expect(verdictOf(`${POLL} assert(isDone() <= 1);`, property)).toBe('true')
})

test('a violation that needs a certain outcome of comparisons is none', () => {
  const body = `time_t a, b; time(&a); time(&b); int v = isDone(); if (difftime(b, a) > 0) v += 5;
    isDone(); if (difftime(b, a) <= 0) assert(v < 5);`
  expect(verdictOf(body)).not.toBe('false')
})

test('a time that is asserted about is not free', () => {
  expect(verdictOf('long *p = malloc(8); *p = time(0) - time(0); assert(*p != 77);')).not.toBe('true')
})
