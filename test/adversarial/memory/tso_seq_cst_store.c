// expect: unreach-call TRUE
// engines: explicit
// opts: --memory-model tso
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
atomic_int x, y; int r1, r2;
void *other(void *p) { atomic_store(&y, 1);  r2 = x; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); atomic_store(&x, 1);  r1 = y; pthread_join(h, 0);
  if (r1 == 0 && r2 == 0) reach_error(); return 0; }
