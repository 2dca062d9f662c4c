/* Readers and writers, a key made once, and what is per thread.
 *
 * Verdicts: assert TRUE, no-data-race TRUE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static __thread int mine = 5;
static int made, value;

static void make(void)
{
  made++;
  pthread_key_create(&key, NULL);
}

static void *reader(void *unused)
{
  pthread_once(&once, make);
  pthread_setspecific(key, &mine);
  pthread_rwlock_rdlock(&rwlock);
  *(int *)pthread_getspecific(key) += value;
  pthread_rwlock_unlock(&rwlock);
  assert(mine == 5 || mine == 6);
  return unused;
}

int main(void)
{
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  pthread_once(&once, make);
  pthread_rwlock_wrlock(&rwlock);
  value = 1;
  pthread_rwlock_unlock(&rwlock);
  pthread_join(thread, NULL);
  assert(made == 1 && mine == 5);
  return 0;
}
