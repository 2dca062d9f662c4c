// Addresses of freed blocks come back where a comparison can tell, and nowhere else.
import { expect, test } from 'vitest'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { testParser } from '../../frontend/parse/load.js'
import { bruteForce, compileProgram } from '../../generate/harness.js'

const parser = await testParser()

const HEADERS = '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n'
const inMain = (body: string): string => `${HEADERS}int main(void) { ${body} return 0; }`

const freedBlocks = (text: string): readonly string[] =>
  compileProgram(parser, text).globals.flatMap(({ name }) => (name.startsWith('freed.') ? [name] : []))

test.each([
  ['of one site', 'int *p[2]; for (int i = 0; i < 2; i++) { p[i] = malloc(4); free(p[i]); } assert(p[0] != p[1]);'],
  ['of two sites', 'int *p = malloc(8); free(p); int *q = malloc(4); assert(p != q);'],
  [
    'by way of a site in between',
    `int *x = malloc(4); free(x); int *y = malloc(4); int first = x == y;
     free(y); int *z = malloc(4); assert(!(first && y == z));`,
  ],
])('an address comes back: %s', (_, body) => {
  expect(bruteForce(parser, inMain(body)).verdict).toBe('false')
})

test('a condition variable that threads wait for is not freed', () => {
  const text = `${HEADERS}
    struct pool { pthread_mutex_t lock; pthread_cond_t ready; int full; };
    void *fill(void *arg) {
      struct pool *pool = arg;
      pthread_mutex_lock(&pool->lock); pool->full = 1; pthread_cond_signal(&pool->ready);
      pthread_mutex_unlock(&pool->lock);
      return 0;
    }
    int main(void) {
      struct pool *pool = malloc(sizeof *pool); pthread_t t;
      pthread_mutex_init(&pool->lock, 0); pthread_cond_init(&pool->ready, 0); pool->full = 0;
      pthread_create(&t, 0, fill, pool);
      pthread_mutex_lock(&pool->lock);
      while (!pool->full) pthread_cond_wait(&pool->ready, &pool->lock);
      pthread_mutex_unlock(&pool->lock);
      pthread_join(t, 0); free(pool);
      return 0;
    }`
  expect(freedBlocks(text)).toEqual([])
})

test('a site whose pointers are compared with no others takes no block of theirs', () => {
  const text = inMain(
    `int *p[2]; for (int i = 0; i < 2; i++) { p[i] = malloc(8); free(p[i]); }
     long *q = malloc(8); *q = 1; assert(p[0] != p[1] && *q == 1);`,
  )
  expect(freedBlocks(text)).toHaveLength(3)
  const regions = prepare(compileProgram(parser, text)).regions.filter(({ element }) => element === 'bytes')
  expect(regions).toEqual([])
})
