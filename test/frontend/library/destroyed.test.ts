// Using what was destroyed is undefined behaviour that no model notices: the ledger says so where something is destroyed.
import { expect, test } from 'vitest'
import { compileText } from '../lower/support.js'

const NOTE = 'no lock, condition variable or semaphore is used after it was destroyed'

const notesOf = (body: string): readonly string[] =>
  compileText(
    `#include <pthread.h>\n#include <semaphore.h>\n#include <threads.h>\nint main(void) { ${body} return 0; }`,
  ).notes

test.each([
  'pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_destroy(&m);',
  'pthread_rwlock_t l; pthread_rwlock_init(&l, 0); pthread_rwlock_destroy(&l);',
  'pthread_spinlock_t l; pthread_spin_init(&l, 0); pthread_spin_destroy(&l);',
  'pthread_cond_t c; pthread_cond_init(&c, 0); pthread_cond_destroy(&c);',
  'sem_t s; sem_init(&s, 0, 1); sem_destroy(&s);',
  'mtx_t m; mtx_init(&m, mtx_plain); mtx_destroy(&m);',
  'cnd_t c; cnd_init(&c); cnd_destroy(&c);',
])('%s', (body) => {
  expect(notesOf(body)).toContain(NOTE)
})

test('not where nothing is', () => {
  expect(notesOf('pthread_mutex_t m; pthread_mutex_init(&m, 0); pthread_mutex_lock(&m);')).not.toContain(NOTE)
})
