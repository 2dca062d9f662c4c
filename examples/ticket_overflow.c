/* Two threads add tickets up to a limit each checks before it adds: both may have checked before either adds, and the
 * sum leaves its type.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE, no-overflow FALSE
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int sold = INT_MAX - 1;

int read_sold(void)
{
  pthread_mutex_lock(&mutex);
  int now = sold;
  pthread_mutex_unlock(&mutex);
  return now;
}

void *seller(void *unused)
{
  if (read_sold() < INT_MAX) {
    pthread_mutex_lock(&mutex);
    sold++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void)
{
  pthread_t a, b;

  pthread_create(&a, NULL, seller, NULL);
  pthread_create(&b, NULL, seller, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(sold != INT_MAX - 1);
  return 0;
}
