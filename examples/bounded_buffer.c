/* A producer and a consumer share a buffer with room for one item. Who finds nothing to do waits, and looks again
 * when it has been woken: in a loop, because waking up does not mean that there is something to do.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
int items; /* 0 or 1 */

void *producer(void *unused)
{
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    while (items == 1)
      pthread_cond_wait(&not_full, &mutex);
    items++;
    assert(items == 1);
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *consumer(void *unused)
{
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    while (items == 0)
      pthread_cond_wait(&not_empty, &mutex);
    items--;
    assert(items == 0);
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void)
{
  pthread_t p, c;

  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  assert(items == 0);
}
