// expect: unreach-call FALSE
// engines: explicit? bmc? cegar? impact? redcomp?
// Two objects may share a bucket: C does not say where they lie.
#include <stdint.h>
extern void reach_error(void);
int a, b;
int main(void){ if (((uintptr_t)&a >> 2) % 7 == ((uintptr_t)&b >> 2) % 7) reach_error(); return 0; }
