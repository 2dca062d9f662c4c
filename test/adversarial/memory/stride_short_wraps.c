// expect: unreach-call FALSE
// engines: explicit bmc?
// 13108 * 5 is 4 modulo 2^16.
extern void reach_error(void);
int table[64];
int main(void) {
  for (unsigned k = 13100; k < 13120; k++) {
    unsigned short at = (unsigned short)(k * 5);
    if (at < 64) table[at] = 1;
  }
  if (table[4] == 1) reach_error();
  return 0;
}
