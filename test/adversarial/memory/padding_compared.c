// expect: assert FALSE
// engines: explicit? bmc?
// Storing to a member leaves padding with any value (C11 6.2.6.1p6): nothing may be proved of the comparison.
#include <assert.h>
#include <string.h>
struct record { char c; int i; } a, b;
int main(void) {
  a.c = b.c = 1;
  a.i = b.i = 2;
  const void *p = &a, *q = &b;
  assert(memcmp(p, q, sizeof a) == 0);
  return 0;
}
