// expect: assert FALSE
// engines: explicit
// One publishes its local's address; another one writes through it.
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
_Atomic(int *) where;
void *t(void *p) { int mine = 1; int *w = where; if (w) *w = 7; else where = &mine; int v = mine; where = 0; assert(v == 1); return 0; }
int main(void) { pthread_t a[3]; for (int i = 0; i < 3; i++) pthread_create(&a[i],0,t,0); for (int i = 0; i < 3; i++) pthread_join(a[i],0); return 0; }
