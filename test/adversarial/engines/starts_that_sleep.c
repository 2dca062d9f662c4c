// expect: assert FALSE
// engines: commute explicit
#include <pthread.h>
#include <assert.h>
int x, y, z;
void *l1(void *p) { x = 1; return 0; }
void *l2(void *p) { y = x; return 0; }
void *a1(void *p) { pthread_t t; pthread_create(&t,0,l1,0); z = 1; return 0; }
void *a2(void *p) { pthread_t t; if (z) { pthread_create(&t,0,l2,0); pthread_join(t,0); assert(y == 0); } return 0; }
int main(void) { pthread_t a, b; pthread_create(&a,0,a1,0); pthread_create(&b,0,a2,0); pthread_join(a,0); pthread_join(b,0); return 0; }
