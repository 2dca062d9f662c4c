/* A read-write lock: readers may be inside together, a writer is alone. So no reader ever sees the pair half written.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int low, high = 10; /* high is always low + 10 */

void *writer(void *unused)
{
  pthread_rwlock_wrlock(&lock);
  low++;
  high++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

void *reader(void *unused)
{
  pthread_rwlock_rdlock(&lock);
  assert(high - low == 10);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void)
{
  pthread_t w, r1, r2;

  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r1, NULL, reader, NULL);
  pthread_create(&r2, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r1, NULL);
  pthread_join(r2, NULL);
  assert(low == 1);
}
