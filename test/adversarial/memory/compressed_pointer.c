// expect: unreach-call FALSE
// engines: explicit? bmc?
// Pointers kept in 32 bits, without the bits that alignment makes zero (objects lie below 2^34 here).
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int a[4], b[4]; uint32_t small[2];
int main(void) {
  small[0] = (uint32_t)((uintptr_t)&a[0] >> 2);
  small[1] = (uint32_t)((uintptr_t)&b[0] >> 2);
  for (int i = 0; i < 2; i++) ((int *)((uintptr_t)small[i] << 2))[1] = i + 1;
  if (b[1] == 2) reach_error();
  return 0;
}
