// expect: unreach-call TRUE
#include <pthread.h>
extern void reach_error(void);
int x;
void *t(void *p) { return 0; }
void *u(void *p) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t, 0);
  pthread_create(&b, 0, u, 0);
  pthread_detach(a);
  pthread_join(b, 0);
  if (x != 1)
    reach_error();
  return 0;
}
