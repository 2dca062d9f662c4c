// expect: assert FALSE
// engines: explicit bmc graphs? commute? redcomp?
// The first byte of a number in a local union is its lowest one here (x86).
#include <assert.h>
#include <stdint.h>
union word { uint32_t whole; uint8_t bytes[4]; };
int main(void) {
  union word w;
  w.whole = 0x01020304;
  assert(w.bytes[0] != 4);
  return 0;
}
