// expect: termination TRUE
// engines: redcomp?
// Spurious failures are finitely many, like spurious wake-ups.
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
atomic_int n;
int main(void) { int old = 0; while (!atomic_compare_exchange_weak(&n, &old, 1)); return 0; }
