// expect: assert FALSE
// engines: explicit bmc graphs? commute? redcomp?
// Another member of a local union reads the bits of the number, and not its value.
#include <assert.h>
#include <stdint.h>
union word { float number; uint32_t bits; };
int main(void) {
  union word w;
  w.number = 1;
  assert(w.bits == 1);
  return 0;
}
