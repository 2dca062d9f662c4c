// expect: assert FALSE
// engines: commute explicit
// The additions commute, the test of one of them does not.
#include <pthread.h>
#include <assert.h>
int s; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void *t1(void *p) { __VERIFIER_atomic_begin(); if (s < 5) s = s + 5; __VERIFIER_atomic_end(); return 0; }
void *t2(void *p) { __VERIFIER_atomic_begin(); s = s + 5; __VERIFIER_atomic_end(); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t1,0); pthread_create(&b,0,t2,0); pthread_join(a,0); pthread_join(b,0); assert(s == 10); return 0; }
