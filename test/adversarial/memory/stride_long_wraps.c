// expect: unreach-call FALSE
// engines: explicit bmc?
// 3 * i is 1 modulo 2^64.
extern void reach_error(void);
int table[8];
int main(void) {
  unsigned long i = 0;
  for (int k = 0; k < 2; k++) {
    table[3ul * i] = 7;
    i = 12297829382473034411ul;
  }
  if (table[1] == 7) reach_error();
  return 0;
}
