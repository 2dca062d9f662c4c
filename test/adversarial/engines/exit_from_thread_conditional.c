// expect: assert FALSE
// engines: graphs explicit
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
#include <stdatomic.h>
atomic_int x;
void *t(void *p) { if (x == 1) exit(0); return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); x = 1; x = 2; pthread_join(a,0); assert(x != 2); return 0; }
