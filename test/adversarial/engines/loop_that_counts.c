// expect: assert FALSE
// engines: commute graphs explicit
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int flag;
void *t(void *p) { int n = 0; while (!flag) { n++; if (n > 3) assert(0); } return 0; }
int main(void) { pthread_t a; pthread_create(&a,0,t,0); flag = 1; pthread_join(a,0); return 0; }
