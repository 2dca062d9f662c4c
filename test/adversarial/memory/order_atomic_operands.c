// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
atomic_int x;
int main(void) { int sum = atomic_fetch_add(&x, 1) * 10 + atomic_fetch_add(&x, 1); if (sum == 10) reach_error(); return 0; }
