// expect: assert FALSE
// engines: commute graphs explicit
#include <pthread.h>
#include <assert.h>
void __VERIFIER_assume(int);
int x, y;
void *t1(void *p) { y = 1; __VERIFIER_assume(x == 1); y = 2; return 0; }
void *t2(void *p) { int v = y; x = 1; int w = y; assert(!(v == 1 && w == 2)); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t1,0); pthread_create(&b,0,t2,0); pthread_join(a,0); pthread_join(b,0); return 0; }
