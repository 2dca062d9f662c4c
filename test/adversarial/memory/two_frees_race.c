// expect: no-data-race FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int *p;
void *other(void *q) { if (*p) free(p); return 0; }
int main(void) { pthread_t h; p = malloc(4); *p = 1; pthread_create(&h, 0, other, 0); free(p); pthread_join(h, 0); return 0; }
