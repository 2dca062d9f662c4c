// expect: unreach-call TRUE
// engines: explicit
// opts: --memory-model tso
// A mutex is released by a locked operation.
#include <pthread.h>
extern void reach_error(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; int x, y, r1, r2;
void *other(void *p) { pthread_mutex_lock(&a); y = 1; pthread_mutex_unlock(&a);  r2 = x; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); pthread_mutex_lock(&b); x = 1; pthread_mutex_unlock(&b);  r1 = y; pthread_join(h, 0);
  if (r1 == 0 && r2 == 0) reach_error(); return 0; }
