// expect: unreach-call FALSE
// engines: explicit bmc?
extern void reach_error(void);
int g = 1; int set(void) { g = 2; return 10; } int get(void) { return g; }
int main(void) { if (get() + set() == 12) reach_error(); return 0; }
