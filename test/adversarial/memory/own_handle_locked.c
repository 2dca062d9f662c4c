// expect: no-data-race TRUE
// engines: explicit bmc cegar? impact? redcomp? graphs?
// The creator holds the lock until the handle is stored.
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t h;
int mine;
void *t(void *p) {
  pthread_mutex_lock(&m);
  if (pthread_equal(h, pthread_self())) mine = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_mutex_lock(&m);
  pthread_create(&h, 0, t, 0);
  pthread_mutex_unlock(&m);
  pthread_join(h, 0);
  return 0;
}
