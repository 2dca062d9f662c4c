// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int n; int next(void) { return ++n; }
int main(void) { int pair[2] = { next(), next() }; if (pair[0] == 2) reach_error(); return 0; }
