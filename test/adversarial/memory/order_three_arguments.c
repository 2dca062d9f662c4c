// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int n; int next(void) { return ++n; } int digits(int a, int b, int c) { return a * 100 + b * 10 + c; }
int main(void) { if (digits(next(), next(), next()) == 213) reach_error(); return 0; }
