// expect: unreach-call FALSE
// engines: explicit bmc?
// 43 * 6 is 2 modulo 256.
extern void reach_error(void);
struct pair { int key, value; } pairs[40];
int main(void) {
  for (int i = 0; i < 50; i += 43) {
    unsigned char at = (unsigned char)(i * 6);
    if (at < 40) pairs[at].value = 1;
  }
  if (pairs[2].value == 1) reach_error();
  return 0;
}
