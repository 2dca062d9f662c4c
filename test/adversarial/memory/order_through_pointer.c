// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int cell = 1; int *p = &cell; void bump(int *q) { *q = 7; } int f(int *q) { bump(q); return 0; }
int main(void) { int sum = *p + f(&cell); if (sum == 7) reach_error(); return 0; }
