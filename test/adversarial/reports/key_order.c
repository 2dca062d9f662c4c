// expect: unreach-call FALSE
// POSIX: the order of destructor calls is unspecified.
#include <pthread.h>
extern void reach_error(void);
pthread_key_t k, l;
int value, first;
void one(void *p) { if (!first) first = 1; }
void two(void *p) { if (!first) first = 2; }
void *t(void *p) {
  pthread_setspecific(k, &value);
  pthread_setspecific(l, &value);
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_key_create(&k, one);
  pthread_key_create(&l, two);
  pthread_create(&h, 0, t, 0);
  pthread_join(h, 0);
  if (first == 2)
    reach_error();
  return 0;
}
