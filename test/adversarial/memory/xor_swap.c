// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int x, y;
int main(void) {
  int *p = &x, *q = &y;
  p = (int *)((uintptr_t)p ^ (uintptr_t)q);
  q = (int *)((uintptr_t)p ^ (uintptr_t)q);
  p = (int *)((uintptr_t)p ^ (uintptr_t)q);
  *p = 1;
  if (y == 1) reach_error();
  return 0;
}
