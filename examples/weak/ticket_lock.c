/* A ticket lock: a thread takes a number, and waits until it is served.
 *
 * Verdicts under rc11: assert TRUE, no-data-race TRUE. With -DWEAK (the lock is handed over by a relaxed store):
 * assert FALSE, no-data-race FALSE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

atomic_int next_ticket, serving;
int counter;

void *work(void *argument)
{
  int mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
    ;
  counter = counter + 1;
  atomic_store_explicit(&serving, mine + 1, HAND_OVER);
  return argument;
}

int main(void)
{
  pthread_t one, two;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(counter == 2);
  return 0;
}
