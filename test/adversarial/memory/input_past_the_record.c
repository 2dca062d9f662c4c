// expect: valid-memsafety FALSE
// engines: explicit
struct S { int a[2]; int b; } s; extern int __VERIFIER_nondet_int(void);
int main(void){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; int *p = (int *)&s; p[i] = 1; return 0; }
