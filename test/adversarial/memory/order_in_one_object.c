// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int a[8]; struct { char first; int second; } s;
int main(void) { int n = 0; for (int *p = a; p < a + 8; p++) n++; if (n != 8 || &a[7] < &a[2] || (char *)&s.second <= &s.first) reach_error();
  int *h = malloc(16), *end = h + 4; n = 0; for (int *p = h; p != end && p < end; p++) n++; if (n != 4) reach_error(); return 0; }
