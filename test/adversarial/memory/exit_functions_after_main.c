// expect: unreach-call FALSE
// engines: explicit? bmc?
// main ends by pthread_exit: the last thread calls what atexit was given.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
void last(void) { reach_error(); }
void *thread(void *unused) { return 0; }
int main(void) {
  pthread_t t;
  atexit(last);
  pthread_create(&t, 0, thread, 0);
  pthread_exit(0);
}
