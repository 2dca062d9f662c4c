// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) { void *p = aligned_alloc(64, 128), *q; if ((uintptr_t)p % 64) reach_error();
  if (posix_memalign(&q, 256, 10) == 0 && (uintptr_t)q % 256) reach_error(); if ((uintptr_t)malloc(3) % 16) reach_error(); return 0; }
