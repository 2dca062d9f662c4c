// expect: no-data-race TRUE
// engines: explicit? bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
void *other(void *q) { unsigned seed = 1; return (void *)(long)rand_r(&seed); }
int main(void) { pthread_t h; unsigned seed = 2; pthread_create(&h, 0, other, 0); rand_r(&seed); pthread_join(h, 0); return 0; }
