// expect: valid-memsafety FALSE
// engines: explicit
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ int *p = malloc(4); int x = __VERIFIER_nondet_int(); if (x > 1000) return 0; free(p); return 0; }
