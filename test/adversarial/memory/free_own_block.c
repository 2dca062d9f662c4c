// expect: no-data-race TRUE
// engines: explicit bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
void *worker(void *q) { int *p = malloc(4); *p = 1; free(p); free(0); return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, worker, 0); worker(0); pthread_join(h, 0); return 0; }
