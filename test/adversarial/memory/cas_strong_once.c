// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
atomic_int n;
void *add(void *p) { int old = 0; atomic_compare_exchange_strong(&n, &old, 1); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, add, 0); pthread_join(h, 0); if (n == 0) reach_error(); return 0; }
