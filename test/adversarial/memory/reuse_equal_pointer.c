// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int *stale;
int main(void) { int *p = malloc(4); stale = p; free(p); int *q = malloc(4); if (q == stale) reach_error(); return 0; }
