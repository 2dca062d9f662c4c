// A bit-field wider than int keeps a type of its width in arithmetic; narrower ones become int (gcc).
#include <assert.h>

struct wide {
  unsigned long long u33 : 33;
  unsigned long long u40 : 40;
  long long s35 : 35;
  unsigned narrow : 31;
};

int main(void)
{
  struct wide x = { 0x100000000ULL, 0x100000, -1, 5 };
  struct wide y = { 0x1ffffffffULL, 0, 1, 7 };
  assert(x.u33 + x.u33 == 0);
  assert(x.u33 + x.u40 == 0x100100000ULL);
  assert(x.u40 * x.u40 == 0);
  assert((x.u40 << 20) == 0);
  assert((x.u40 << 19) == 0x8000000000ULL);
  assert(x.u40 - 0x200000 == 0xfffff00000ULL);
  assert(++y.u33 == 0);
  assert(x.s35 + y.s35 == 0);
  assert(x.s35 < y.s35);
  assert(x.narrow - y.narrow == -2 && x.narrow - y.narrow < 0);
  assert((unsigned long long)(x.u33 - y.s35) == 0xffffffffULL);
  assert(sizeof(x.u33 + 1) == 8);
  return 0;
}
