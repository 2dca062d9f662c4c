/* The lost update, repaired without a lock: an atomic increment is one action.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter;

void *count(void *unused)
{
  atomic_fetch_add(&counter, 1);
  counter++; /* on an atomic object this is the same */
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, count, NULL);
  pthread_create(&t2, NULL, count, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(atomic_load(&counter) == 4);
}
