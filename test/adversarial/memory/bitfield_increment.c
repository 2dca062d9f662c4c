// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct { unsigned n : 6, flag : 1; } s;
void *other(void *p) { s.n++; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); s.n++; s.flag = 1; pthread_join(h, 0);
  if (s.n == 1) reach_error(); return 0; }
