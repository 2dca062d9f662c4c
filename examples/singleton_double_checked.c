/* Double-checked locking: look without the lock, and take it only if there is something to do. With a plain pointer
 * the first look races with the write. If memory is sequentially consistent nothing bad comes of it, but in C the
 * race is undefined behaviour: a reader may see the pointer before the value. An atomic pointer repairs it.
 *
 * Verdicts: assert TRUE, no-data-race FALSE, no-deadlock TRUE
 */
#include <assert.h>
#include <pthread.h>

struct config {
  int answer;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct config storage;
struct config *instance;

struct config *get_instance(void)
{
  if (instance == NULL) {
    pthread_mutex_lock(&mutex);
    if (instance == NULL) {
      storage.answer = 42;
      instance = &storage;
    }
    pthread_mutex_unlock(&mutex);
  }
  return instance;
}

void *user(void *unused)
{
  assert(get_instance()->answer == 42);
  return NULL;
}

int main(void)
{
  pthread_t t1, t2;

  pthread_create(&t1, NULL, user, NULL);
  pthread_create(&t2, NULL, user, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
}
