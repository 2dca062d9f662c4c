// expect: assert TRUE
// engines: commute graphs explicit
#include <pthread.h>
#include <assert.h>
pthread_t a, b, c; int x;
void *t1(void *p) { x = x + 1; return 0; }
void *t2(void *p) { pthread_join(a,0); x = x * 3; return 0; }
void *t3(void *p) { pthread_join(b,0); x = x + 10; return 0; }
int main(void) { pthread_create(&a,0,t1,0); pthread_create(&b,0,t2,0); pthread_create(&c,0,t3,0); pthread_join(c,0); assert(x == 13); return 0; }
