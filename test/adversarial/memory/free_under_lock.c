// expect: no-data-race TRUE
// engines: explicit bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int *p;
void *other(void *q) { pthread_mutex_lock(&m); if (p) *p = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t h; p = malloc(4); pthread_create(&h, 0, other, 0);
  pthread_mutex_lock(&m); free(p); p = 0; pthread_mutex_unlock(&m); pthread_join(h, 0); return 0; }
