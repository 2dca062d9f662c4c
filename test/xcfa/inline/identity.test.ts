// Passes and engines tell variables, objects, locations and edges apart by id: within a program no two may share one.
import { expect, test } from 'vitest'
import { compile } from '../../../src/frontend/c/index.js'
import { oracle } from '../../../src/semantics/index.js'
import { prepare } from '../../../src/xcfa/passes/index.js'
import { testParser } from '../../frontend/parse/load.js'

/** An object of the program's and one of a frame, of equal size, whose ids once met: they became one variable. */
const TEXT = `#include <pthread.h>
int shared;
int *first, *second;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused) {
  pthread_mutex_lock(&mutex);
  (*first)++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) {
  pthread_t id;
  first = second = &shared;
  pthread_create(&id, NULL, worker, NULL);
  (*second)++;
  pthread_join(id, NULL);
  return 0;
}
`

test.each(['ilp32', 'lp64'] as const)('ids are unique (%s)', async (dataModel) => {
  const { program } = compile([{ name: 'identity.c', text: TEXT }], { dataModel }, await testParser())
  const templates = [...program.templates.values()]
  const unique = (things: readonly { readonly id: number }[]): void =>
    expect(new Set(things.map(({ id }) => id)).size).toBe(new Set(things).size)
  unique(program.objects)
  unique([...program.globals, ...templates.flatMap((t) => t.locals)])
  unique(templates.flatMap((t) => t.locations))
  unique(templates.flatMap((t) => t.edges))
  // C: main's access is not protected by the mutex.
  expect(oracle(program, 'no-data-race').verdict).toBe('false')
  expect(oracle(prepare(program, { slice: false }), 'no-data-race').verdict).toBe('false')
})
