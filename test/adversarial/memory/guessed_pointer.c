// expect: unreach-call FALSE
// engines: explicit? bmc? redcomp? impact?
#include <stdint.h>
extern void reach_error(void); extern unsigned long __VERIFIER_nondet_ulong(void);
int x;
int main(void){ uintptr_t a = __VERIFIER_nondet_ulong(); if (a != (uintptr_t)&x) return 0; *(int *)a = 1; if (x == 1) reach_error(); return 0; }
