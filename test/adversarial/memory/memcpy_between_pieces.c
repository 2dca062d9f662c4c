// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
struct s { int a; int b; int c; } from = { 1, 2, 3 }, to;
void *other(void *p) { if (to.b == 2) from.c = 9; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); memcpy(&to, &from, sizeof to); pthread_join(h, 0);
  if (to.c == 9) reach_error(); return 0; }
