// expect: no-data-race FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int *p;
void *other(void *q) { *p = 1; return 0; }
int main(void) { pthread_t h; p = malloc(4); *p = 0; int *old = p; pthread_create(&h, 0, other, 0); int *q = realloc(old, 8); pthread_join(h, 0); free(q); return 0; }
