/* A producer and two consumers share a buffer with room for one item. A thread waits in a loop, because what it
 * waited for may no longer be true when it has the mutex again; and it wakes all, because the two kinds of waiting
 * threads share one condition.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items; /* 0 or 1 */

void *producer(void *unused)
{
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    while (items == 1)
      pthread_cond_wait(&changed, &mutex);
    items++;
    assert(items <= 1);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *consumer(void *unused)
{
  pthread_mutex_lock(&mutex);
  while (items == 0)
    pthread_cond_wait(&changed, &mutex);
  items--;
  assert(items >= 0);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void)
{
  pthread_t p, c1, c2;

  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c1, NULL, consumer, NULL);
  pthread_create(&c2, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c1, NULL);
  pthread_join(c2, NULL);
  assert(items == 0);
}
