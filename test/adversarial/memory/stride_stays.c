// expect: unreach-call TRUE
// engines: explicit bmc?
// Nothing wraps: even and odd elements stay apart.
extern void reach_error(void);
int pairs[20];
int main(void) { for (int i = 0; i < 10; i++) pairs[2 * i] = 1; for (int i = 0; i < 10; i++) if (pairs[2 * i + 1] != 0) reach_error(); return 0; }
