// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int n;
int main(void) { int old = 0; _Bool done = __atomic_compare_exchange_n(&n, &old, 1, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); if (!done && old == 0) reach_error(); return 0; }
