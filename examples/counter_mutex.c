/* The lost update, repaired: a mutex makes reading and writing back one action.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

int counter;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *count(void *unused)
{
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, count, NULL);
  pthread_create(&t2, NULL, count, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  assert(counter == 4);
}
