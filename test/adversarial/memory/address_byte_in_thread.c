// expect: unreach-call FALSE
// engines: explicit? bmc? cegar? impact? redcomp?
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
void *t(void *x){ uintptr_t k = (uintptr_t)x; if ((unsigned char)(k >> 4) == 0x2a) reach_error(); return 0; }
int main(void){ pthread_t h; int *p = malloc(4); pthread_create(&h, 0, t, p); pthread_join(h, 0); return 0; }
