/* A ticket lock: draw a number, wait until it is called. Drawing must be atomic, or two threads draw the same.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next_ticket, now_serving;
int counter;

void *worker(void *unused)
{
  unsigned int mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&now_serving) != mine)
    ;
  counter++;
  atomic_store(&now_serving, mine + 1);
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, worker, NULL);
  pthread_create(&t2, NULL, worker, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(counter == 2);
}
