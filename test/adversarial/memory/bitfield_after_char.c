// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct { char c; int a : 20; } s;
void *other(void *p) { s.a = -5; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); s.c = 1; pthread_join(h, 0);
  if (s.a != -5 || s.c != 1) reach_error(); return 0; }
