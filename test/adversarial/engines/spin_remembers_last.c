// expect: assert FALSE
// engines: graphs explicit
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x, stop;
void *t(void *p) { x = 1; x = 2; x = 3; stop = 1; return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); int last = 0; while (!stop) { last = x; } pthread_join(a,0); assert(last != 2); return 0; }
