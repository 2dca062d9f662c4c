// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct { unsigned a : 20; char c; } s = { .c = 7, .a = 70000 };
void *other(void *p) { s.a = s.a + 1; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); s.c = 1; pthread_join(h, 0);
  if (s.a != 70001 || s.c != 1 || sizeof s != 4) reach_error(); return 0; }
