/* The queue lock of Mellor-Crummey and Scott (1991): each thread waits at a node of its own, until its predecessor hands
 * the lock over.
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

/* Nodes are numbers: 0 is none. */
atomic_int last, next1, next2, waiting1, waiting2;
int counter;

void *first(void *argument)
{
  int before = atomic_exchange_explicit(&last, 1, memory_order_acq_rel);
  if (before != 0) {
    atomic_store_explicit(&waiting1, 1, memory_order_relaxed);
    atomic_store_explicit(&next2, 1, memory_order_release);
    while (atomic_load_explicit(&waiting1, memory_order_acquire) == 1)
      ;
  }
  counter = counter + 1;
  int mine = 1;
  if (!atomic_compare_exchange_strong_explicit(&last, &mine, 0, HAND_OVER, memory_order_relaxed)) {
    while (atomic_load_explicit(&next1, memory_order_acquire) == 0)
      ;
    atomic_store_explicit(&waiting2, 0, HAND_OVER);
  }
  return argument;
}

void *second(void *argument)
{
  int before = atomic_exchange_explicit(&last, 2, memory_order_acq_rel);
  if (before != 0) {
    atomic_store_explicit(&waiting2, 1, memory_order_relaxed);
    atomic_store_explicit(&next1, 1, memory_order_release);
    while (atomic_load_explicit(&waiting2, memory_order_acquire) == 1)
      ;
  }
  counter = counter + 1;
  int mine = 2;
  if (!atomic_compare_exchange_strong_explicit(&last, &mine, 0, HAND_OVER, memory_order_relaxed)) {
    while (atomic_load_explicit(&next2, memory_order_acquire) == 0)
      ;
    atomic_store_explicit(&waiting1, 0, HAND_OVER);
  }
  return argument;
}

int main(void)
{
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(counter == 2);
  return 0;
}
