/* A signal that nobody waits for is lost. The waiter here does not look whether it has come already, so it waits for
 * ever if the other thread was faster. (A spurious wake-up would save it, but nobody can count on that.)
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock FALSE
 */
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

void *waiter(void *unused)
{
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void)
{
  pthread_t t;

  pthread_create(&t, NULL, waiter, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
}
