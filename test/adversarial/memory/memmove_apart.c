// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int from[2] = { 1, 2 }, to[2];
void *other(void *p) { if (to[0] == 1) from[1] = 9; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); memmove(to, from, sizeof to); pthread_join(h, 0);
  if (to[1] == 9) reach_error(); return 0; }
