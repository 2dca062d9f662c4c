// expect: assert FALSE
// engines: commute explicit
#include <pthread.h>
#include <assert.h>
unsigned char s; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void *t1(void *p) { __VERIFIER_atomic_begin(); s = s + 200; __VERIFIER_atomic_end(); return 0; }
void *t2(void *p) { __VERIFIER_atomic_begin(); s = s + 100; __VERIFIER_atomic_end(); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,t1,0); pthread_create(&b,0,t2,0); pthread_join(a,0); pthread_join(b,0); assert(s == 300); return 0; }
