// expect: unreach-call FALSE
// engines: explicit bmc?
// gcc calls f first.
extern void reach_error(void);
int x; int f(void) { x = 5; return 1; }
int main(void) { x += f(); if (x == 6) reach_error(); return 0; }
