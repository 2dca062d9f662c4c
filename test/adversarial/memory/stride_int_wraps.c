// expect: unreach-call FALSE
// engines: explicit bmc?
// 3 * 1431655767 is 5 modulo 2^32.
extern void reach_error(void);
int table[12];
int main(void) { int i = 0; for (int k = 0; k < 2; k++) { table[(unsigned)(3 * (unsigned)i)] = 7; i = 1431655767; } if (table[5] == 7) reach_error(); return 0; }
