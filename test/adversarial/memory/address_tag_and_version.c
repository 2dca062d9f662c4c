// expect: unreach-call TRUE
// engines: explicit
// Tags below the alignment, versions above the address, sentinels: the same wherever the object lies.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int node[2];
int main(void){ int *p = malloc(4); uintptr_t v = (uintptr_t)p; if (v & 7) reach_error(); v |= 1;
 if (!(v & 1) || v % 16 != 1 || v == 0 || v == (uintptr_t)-1) reach_error();
 if ((int *)(v & ~(uintptr_t)1) != p) reach_error();
 uint64_t top = (uint64_t)(uintptr_t)&node[1] << 16 | 3; if ((top & 0xffff) != 3 || (int *)(top >> 16) != &node[1]) reach_error();
 return 0; }
