// Programs without a bound, which need an invariant: Peterson's algorithm in a loop, and a counter under an unbounded
// input, where explicit values go on for ever.
import { expect, it } from 'vitest'
import { combinations, compiled, verdictOf } from './run.js'

const HEADER = '#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n'

const thread = (me: number, other: number) => `void *t${me}(void *a) { while (1) {
  flag${me} = 1; turn = ${other}; while (flag${other} == 1 && turn == ${other}) ;
  inside = inside + 1; assert(inside == 1); inside = inside - 1; flag${me} = 0; } return 0; }`

const PETERSON = `${HEADER}int flag0, flag1, turn, inside;
${thread(0, 1)}
${thread(1, 0)}
int main(void) { pthread_t a, b; pthread_create(&a, 0, t0, 0); pthread_create(&b, 0, t1, 0); pthread_join(a, 0); }`

/** The counter is below an input before it grows, so that it cannot overflow. */
const COUNTER = `${HEADER}int x;
void *t(void *a) { while (1) { int v = __VERIFIER_nondet_int(); int now = x; if (now < v) x = now + 1; } return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); int r = x; assert(r >= 0); }`

it.each(['pred-cart', 'product'])('Peterson with two threads in a loop is proved by %s', async (domain) => {
  const [options] = combinations({ domain: [domain] })
  expect(await verdictOf(await compiled(PETERSON), options!)).toBe('true')
})

it.each(['pred-cart', 'pred-bool', 'product'])('an unbounded counter is proved by %s', async (domain) => {
  const [options] = combinations({ domain: [domain] })
  expect(await verdictOf(await compiled(COUNTER), options!)).toBe('true')
})

it('explicit values follow the counter for ever', async () => {
  const [options] = combinations({ domain: ['expl'] })
  expect(await verdictOf(await compiled(COUNTER), options!, 3_000)).toBe('unknown: enough')
})
