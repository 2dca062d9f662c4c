// expect: unreach-call TRUE
// engines: explicit bmc?
extern void reach_error(void);
int a, b; int f(void) { a++; return a; } int g(void) { b += 2; return b; }
int main(void) { if (f() + g() * f() != 3 + 2 && a == 0) reach_error(); if (b != 2) reach_error(); return 0; }
