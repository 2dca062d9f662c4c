// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
_Alignas(64) char pool[64];
int main(void) {
  char *in = pool + 9;
  char *base = (char *)((uintptr_t)in & ~(uintptr_t)63);
  base[3] = 1;
  if (pool[3] == 1) reach_error();
  return 0;
}
