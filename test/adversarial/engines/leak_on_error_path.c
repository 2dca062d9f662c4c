// expect: valid-memsafety FALSE
// engines: explicit
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void){ char *buf = malloc(64); if (__VERIFIER_nondet_int() != 0) return 1; /* error path forgets buf */ free(buf); return 0; }
