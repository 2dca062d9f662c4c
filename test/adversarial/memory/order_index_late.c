// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int g, a[2]; int f(void) { g = 1; return 5; }
int main(void) { a[g] = f(); if (a[1] == 5) reach_error(); return 0; }
