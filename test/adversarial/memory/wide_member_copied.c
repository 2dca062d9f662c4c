// expect: assert TRUE
// engines: explicit bmc cegar? impact?
// All bytes of a long double and of an __int128 are copied with their record, though nobody knows their values.
#include <assert.h>
struct record { int first; long double real; __int128 whole; } from, to;
int main(void)
{
  ((char *)&from.real)[3] = 5;
  ((char *)&from.whole)[9] = 7;
  to = from;
  assert(((char *)&to.real)[3] == 5);
  assert(((char *)&to.whole)[9] == 7);
  return 0;
}
