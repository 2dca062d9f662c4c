// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int *p, *q;
int main(void) {
  p = malloc(4); q = malloc(4); *p = 0; *q = 0;
  long a = (long)p, b = (long)q;
  long d = a - b;
  *(int *)(b + d) = 3;
  if (*p == 3) reach_error();
  return 0;
}
