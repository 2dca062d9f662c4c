// expect: no-data-race FALSE
// engines: bmc? redcomp?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
void *other(void *q) { return (void *)(long)rand(); }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); srand(3); pthread_join(h, 0); return 0; }
