// expect: valid-memsafety TRUE
// The handle is a variable of main, but no other thread reads it.
#include <pthread.h>
int g;
void *t(void *q) {
  *(int *)q = 1;
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, &g);
  pthread_exit(0);
}
