// expect: assert FALSE
// engines: explicit
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int n;
void *t(void *p) { n++; n++; return 0; }
int main(void) { pthread_t a[4]; for (int i = 0; i < 4; i++) pthread_create(&a[i],0,t,0); for (int i = 1; i < 4; i++) pthread_join(a[i],0); int v = n; assert(v != 7); return 0; }
