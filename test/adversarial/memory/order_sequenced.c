// expect: unreach-call TRUE
// engines: explicit bmc?
// Commas, && and ?: are sequence points.
extern void reach_error(void);
int n; int next(void) { return ++n; }
int main(void) { int a = (next(), next()); int b = next() == 3 && next() == 4 ? next() : 0; if (a != 2 || b != 5) reach_error(); return 0; }
