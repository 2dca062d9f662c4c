// The comparison with the machine notices what it is there for: what the machine shows and the interpreter excludes, and
// the other way round. The two texts differ on purpose.
import { expect, it } from 'vitest'
import { testParser } from '../frontend/parse/load.js'
import { hasCompiler, SKIPPED } from '../native/harness.js'
import { compareWithMachine, outcomeProgram } from './native.js'

const counter = (before: string, after: string): string => `#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) { ${before} x = x + 1; ${after} return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  ${before} x = x + 1; ${after}
  pthread_join(t, 0);
  assert(x > 0);
  return 0;
}
`
const plain = outcomeProgram(counter('', ''))!
const locked = outcomeProgram(counter('pthread_mutex_lock(&m);', 'pthread_mutex_unlock(&m);'))!
const stuck = outcomeProgram(counter('pthread_mutex_lock(&m);', ''))!

it.skipIf(!hasCompiler)(
  `outcomes, deadlocks and races of the machine's only (${SKIPPED})`,
  { timeout: 60_000 },
  async () => {
    const parser = await testParser()
    const compare = async (onMachine: string, interpreted: string): Promise<string> => {
      const { wrong, more } = await compareWithMachine(parser, { onMachine, interpreted }, 5000, 100)
      return [...wrong.map((w) => `wrong: ${w}`), ...more.map((m) => `more: ${m}`)].join('; ')
    }
    expect(await compare(plain.onMachine, plain.interpreted)).toBe('')
    expect(await compare(plain.onMachine, locked.interpreted)).toMatch(
      /^wrong: outcome 1 on the machine only; wrong: a race on the machine only \(.*\)$/,
    )
    expect(await compare(locked.onMachine, plain.interpreted)).toBe('more: further outcomes; more: a race')
    expect(await compare(stuck.onMachine, locked.interpreted)).toBe(
      'wrong: a deadlock on the machine only; more: further outcomes',
    )
  },
)
