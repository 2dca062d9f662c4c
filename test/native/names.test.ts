// Bytes of global objects as C names them, in findings of heddle test. Offsets are those that C11 6.7.2.1 and the sizes of
// int give; a lock is named by itself, whatever its implementation consists of.
import { expect, test } from 'vitest'
import { staticName } from '../../src/semantics/index.js'
import { layoutOf } from '../../src/semantics/layout.js'
import { sampleOf } from '../output/sample.js'

const PROGRAM = `#include <pthread.h>
struct statistics { int hits; int misses; int total; };
struct statistics cache, several[3];
pthread_mutex_t forks[4];
int main(void) {
  pthread_mutex_lock(&forks[1]);
  cache.total = several[1].misses;
  return 0;
}
`

test('members and elements have their names, where the sizes agree', async () => {
  const { raw } = await sampleOf(PROGRAM)
  const layout = layoutOf(raw)
  expect(staticName(layout, 'cache', 12, 8)).toBe('cache.total')
  expect(staticName(layout, 'several', 36, 16)).toBe('several[1].misses')
  expect(staticName(layout, 'forks', 4 * 40, 80)).toBe('forks[2]')
  expect(staticName(layout, 'cache', 16, 8)).toBeUndefined()
  expect(staticName(layout, 'nowhere', 4, 0)).toBeUndefined()
})
