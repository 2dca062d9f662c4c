// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
struct { intptr_t distance; int data; } a; int b;
int main(void) {
  a.distance = (intptr_t)((uintptr_t)&b - (uintptr_t)&a);
  int *p = (int *)((uintptr_t)&a + (uintptr_t)a.distance);
  *p = 6;
  if (b == 6) reach_error();
  return 0;
}
