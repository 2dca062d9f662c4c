// expect: assert FALSE
// engines: graphs explicit
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int n, lasts;
void *t(void *p) { n++; if (n == 4) lasts++; return 0; }
int main(void) { pthread_t a[4]; for (int i = 0; i < 4; i++) pthread_create(&a[i],0,t,0); for (int i = 0; i < 4; i++) pthread_join(a[i],0); assert(lasts == 1); return 0; }
