// expect: unreach-call FALSE
// engines: explicit bmc?
// From right to left, as gcc does on x86.
extern void reach_error(void);
int n; int next(void) { return ++n; } int sub(int a, int b) { return a - b; }
int main(void) { if (sub(next(), next()) == 1) reach_error(); return 0; }
