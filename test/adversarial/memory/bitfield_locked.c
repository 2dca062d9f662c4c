// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct { unsigned a : 4, b : 4; } s; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *other(void *p) { pthread_mutex_lock(&m); s.a = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); pthread_mutex_lock(&m); s.b = 1; pthread_mutex_unlock(&m); pthread_join(h, 0);
  if (s.a != 1 || s.b != 1) reach_error(); return 0; }
