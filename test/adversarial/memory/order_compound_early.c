// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int x; int f(void) { x = 5; return 1; }
int main(void) { x += f(); if (x == 1) reach_error(); return 0; }
