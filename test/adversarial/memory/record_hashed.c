// expect: assert FALSE
// engines: explicit? bmc?
// The hash of a record with a pointer among its members depends on where the object lies.
#include <assert.h>
struct record { int i; int *p; int j; int k; } a;
int x;
int main(void) {
  unsigned h = 0;
  const unsigned char *bytes = (const unsigned char *)&a;
  a.p = &x;
  for (unsigned i = 0; i < sizeof a; i++) h = h * 31 + bytes[i];
  assert(h % 4 == 0);
  return 0;
}
