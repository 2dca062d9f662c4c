// expect: unreach-call TRUE
// engines: explicit
// opts: --memory-model pso
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
int data; atomic_int flag;
void *other(void *p) { data = 1; atomic_store_explicit(&flag, 1, memory_order_release); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); if (flag == 1 && data == 0) reach_error(); return 0; }
