// A started thread's own array holds any values at first (C11 6.7.9p10): they are symbols of the path, nothing more.
import { expect, test } from 'vitest'
import { bruteForce, byEngine, compiled } from '../../property/run.js'

const program = (claim: string): string => `#include <assert.h>
#include <pthread.h>
unsigned char x;
void *user(void *arg) { unsigned char b[2]; b[0] = x; x = b[x & 1]; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, user, 0); x = 1; pthread_join(t, 0); assert(${claim}); return 0; }`

test.each([
  ['x <= 1', 'false(assert)'],
  ['x <= 255', 'true'],
])('%s: %s', async (claim, expected) => {
  const raw = await compiled(program(claim), 'assert')
  expect(bruteForce(raw, 'assert')).toBe(expected)
  expect(await byEngine(raw, 'assert', 'impact')).toBe(expected)
})
