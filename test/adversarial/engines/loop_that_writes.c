// expect: assert FALSE
// engines: explicit
// The loop returns to the same point having written, so it is not idle.
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x, seen;
void *t(void *p) { while (!seen) { x = 1; x = 0; } return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); int v = x; seen = 1; pthread_join(a,0); assert(v == 0); return 0; }
