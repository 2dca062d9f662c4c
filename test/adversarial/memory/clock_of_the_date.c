// expect: unreach-call FALSE
// engines: explicit? bmc cegar?
#include <pthread.h>
#include <time.h>
void reach_error(void);
int shared;
void *other(void *argument) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  shared = 1;
  return argument;
}
int main(void) {
  pthread_t thread;
  struct timespec first, second;
  pthread_create(&thread, 0, other, 0);
  clock_gettime(CLOCK_REALTIME, &first);
  pthread_join(thread, 0);
  clock_gettime(CLOCK_REALTIME, &second);
  if (second.tv_sec < first.tv_sec || (second.tv_sec == first.tv_sec && second.tv_nsec < first.tv_nsec)) reach_error();
  return 0;
}
