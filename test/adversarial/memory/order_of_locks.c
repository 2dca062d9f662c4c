// expect: no-deadlock TRUE
// engines: explicit
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *m, pthread_mutex_t *n) { if (m > n) { pthread_mutex_t *t = m; m = n; n = t; } pthread_mutex_lock(m); pthread_mutex_lock(n); pthread_mutex_unlock(n); pthread_mutex_unlock(m); }
void *other(void *p) { both(&b, &a); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); both(&a, &b); pthread_join(h, 0); return 0; }
