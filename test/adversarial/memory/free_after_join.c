// expect: no-data-race TRUE
// engines: explicit bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int *p;
void *other(void *q) { *p = 1; return 0; }
int main(void) { pthread_t h; p = malloc(4); pthread_create(&h, 0, other, 0); pthread_join(h, 0); free(p); return 0; }
