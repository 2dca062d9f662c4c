// expect: valid-memsafety UNKNOWN
// reason: is used after the variable is gone
// The variables of main are gone once main has called pthread_exit (POSIX, pthread_exit).
#include <pthread.h>
void *t(void *q) {
  *(int *)q = 1;
  return 0;
}
int main(void) {
  int x = 0;
  pthread_t h;
  pthread_create(&h, 0, t, &x);
  pthread_exit(0);
}
