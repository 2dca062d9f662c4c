// expect: assert TRUE
// engines: explicit bmc?
// Bytes of pointers and padding that are only copied decide nothing.
#include <assert.h>
#include <string.h>
struct record { char c; int *p; int j; } a, b;
int x;
int main(void) {
  void *to = &b;
  a.p = &x;
  a.j = 3;
  memcpy(to, &a, sizeof a);
  assert(b.p == &x && b.j == 3);
  return 0;
}
