// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int x, y; uintptr_t word;
void *setter(void *p) { word = (uintptr_t)p | 1; return 0; }
int main(void) { pthread_t h; word = (uintptr_t)&y; pthread_create(&h, 0, setter, &x); pthread_join(h, 0);
  int *q = (int *)(word & ~1ul); *q = 1; if (x == 1 && y == 0) reach_error(); return 0; }
