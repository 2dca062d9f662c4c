// expect: unreach-call UNKNOWN
// reason: a thread that is detached
#include <pthread.h>
extern void reach_error(void);
int x;
void *t(void *p) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&a, &attributes, t, 0);
  pthread_join(a, 0);
  if (x != 1)
    reach_error();
  return 0;
}
