// expect: unreach-call FALSE
// engines: explicit bmc
// exit ends the program after it has called what atexit was given, in whichever thread; the others go on meanwhile.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
int ready;
void last(void) {
  if (!ready) return;
  reach_error();
}
void *thread(void *unused) {
  exit(0);
}
int main(void) {
  pthread_t t;
  atexit(last);
  pthread_create(&t, 0, thread, 0);
  ready = 1;
  pthread_join(t, 0);
  return 0;
}
