// expect: unreach-call UNKNOWN
// reason: join of a thread that was joined before
// POSIX: undefined. The C library of GNU returns an error, or worse.
#include <pthread.h>
extern void reach_error(void);
void *t(void *p) { return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, t, 0);
  pthread_join(a, 0);
  if (pthread_join(a, 0) != 0)
    reach_error();
  return 0;
}
