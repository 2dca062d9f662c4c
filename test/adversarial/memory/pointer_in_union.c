// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
union { int *p; uintptr_t bits; unsigned char bytes[8]; } u; int x;
int main(void) { u.p = &x; u.bits |= 1; u.bytes[0] &= 0xfe; *u.p = 2; if (x == 2) reach_error(); return 0; }
