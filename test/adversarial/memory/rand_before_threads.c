// expect: no-data-race TRUE
// engines: explicit? bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int n;
void *other(void *q) { return (void *)(long)n; }
int main(void) { pthread_t h; srand(1); n = rand(); pthread_create(&h, 0, other, 0); pthread_join(h, 0); return rand(); }
