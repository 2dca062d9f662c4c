// expect: assert FALSE
// engines: commute graphs explicit
#include <pthread.h>
#include <assert.h>
int x, c;
void *t1(void *p) { x = 1; x = 2; return 0; }
void *t2(void *p) { c = 1; return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t1,0); pthread_create(&b,0,t2,0); if (c) pthread_join(a,0); else pthread_join(b,0); assert(x != 1); return 0; }
