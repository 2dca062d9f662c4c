/* A buffer with a famous mistake: `if` instead of `while` around the wait. A consumer that was woken may
 * find that the other one took the item before it got the mutex again. (It may also have woken for no reason at all.)
 *
 * Verdicts: assert FALSE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
int items;

void *producer(void *unused)
{
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *consumer(void *unused)
{
  pthread_mutex_lock(&mutex);
  if (items == 0)
    pthread_cond_wait(&not_empty, &mutex);
  items--;
  assert(items >= 0);
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
}
