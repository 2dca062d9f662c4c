// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
struct __attribute__((aligned(32))) line { char c[5]; } lines[3]; _Alignas(128) char buffer[3]; int other __attribute__((aligned(64)));
int main(void) { _Alignas(64) int local = 1; char pad; static _Alignas(256) short kept;
  if ((uintptr_t)&lines[1] % 32 || (uintptr_t)buffer % 128 || (uintptr_t)&other % 64 || (uintptr_t)&local % 64 || (uintptr_t)&kept % 256) reach_error();
  return pad = 0, local - 1; }
