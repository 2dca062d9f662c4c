/* Double-checked initialisation: whoever finds the object missing makes it under a lock; everybody else only looks.
 *
 * Verdicts under rc11: assert TRUE, no-data-race TRUE. With -DWEAK (the first look is relaxed): assert FALSE,
 * no-data-race FALSE
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
int object;

void *use(void *argument)
{
  if (!atomic_load_explicit(&ready, LOOK)) {
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
      object = 42;
      atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
  }
  assert(object == 42);
  return argument;
}

int main(void)
{
  pthread_t one, two;
  pthread_create(&one, NULL, use, NULL);
  pthread_create(&two, NULL, use, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
