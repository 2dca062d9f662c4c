// expect: unreach-call FALSE
// engines: explicit? bmc? cegar? impact? redcomp?
// A block that was freed is handed out again at once by most allocators.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
struct { uintptr_t old; } kept;
int main(void){ int *p = malloc(4); kept.old = (uintptr_t)p >> 4; free(p);
 int *q = malloc(4); if (((uintptr_t)q >> 4) - kept.old == 0) reach_error(); return 0; }
