// expect: unreach-call UNKNOWN
// reason: by the thread that holds it for writing
// POSIX: the thread may wait for ever, or be told so (EDEADLK), as by the C library of GNU.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_wrlock(&l);
  if (pthread_rwlock_rdlock(&l) == EDEADLK)
    reach_error();
  return 0;
}
