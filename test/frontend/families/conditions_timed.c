/* A timed wait may end by itself: the predicate decides, not the result of the wait.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *producer(void *unused)
{
  if (pthread_mutex_trylock(&mutex) == 0) {
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void)
{
  pthread_t thread;
  struct timespec until = { .tv_sec = 1, .tv_nsec = 0 };
  int result = 0;
  pthread_create(&thread, NULL, producer, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready && result == 0)
    result = pthread_cond_timedwait(&condition, &mutex, &until);
  assert(ready || result == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  pthread_cond_destroy(&condition);
  return pthread_mutex_destroy(&mutex);
}
