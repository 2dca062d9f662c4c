// expect: unreach-call FALSE
// engines: explicit
// opts: --memory-model pso
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
int data, flag;
void *other(void *p) { data = 1; atomic_signal_fence(memory_order_seq_cst); flag = 1; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); if (flag == 1 && data == 0) reach_error(); return 0; }
