// expect: no-data-race FALSE
// engines: explicit bmc cegar? impact? redcomp? graphs?
// POSIX orders the store of the handle by nothing before the beginning of the new thread.
#include <pthread.h>
pthread_t h;
int mine;
void *t(void *p) {
  if (pthread_equal(h, pthread_self())) mine = 1;
  return 0;
}
int main(void) {
  pthread_create(&h, 0, t, 0);
  pthread_join(h, 0);
  return 0;
}
