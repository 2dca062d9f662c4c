// expect: assert FALSE
// engines: graphs explicit
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int l; int c;
void *t(void *p) { while (l) ; l = 1; c++; l = 0; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t,0); pthread_create(&b,0,t,0); pthread_join(a,0); pthread_join(b,0); assert(c == 2); return 0; }
