// expect: unreach-call FALSE
// engines: explicit
// opts: --memory-model tso
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
int x, y, r1, r2;
void *other(void *p) { y = 1; atomic_thread_fence(memory_order_acq_rel); r2 = x; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); x = 1; atomic_thread_fence(memory_order_acq_rel); r1 = y; pthread_join(h, 0);
  if (r1 == 0 && r2 == 0) reach_error(); return 0; }
