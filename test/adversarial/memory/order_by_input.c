// expect: unreach-call FALSE
// engines: explicit bmc cegar impact
// Which inputs decide a comparison of addresses into one array.
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a[4];
int main(void){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; int *p = &a[i]; if (p > &a[2]) reach_error(); return 0; }
