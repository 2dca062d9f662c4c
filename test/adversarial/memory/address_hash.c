// expect: unreach-call FALSE
// engines: explicit? bmc? cegar? impact? redcomp?
// Two objects may share a bucket: C does not say where they lie.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void){ int *p = malloc(4), *q = malloc(4);
 if (((uintptr_t)p >> 2) % 7 == ((uintptr_t)q >> 2) % 7) reach_error(); return 0; }
