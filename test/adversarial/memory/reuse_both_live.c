// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) { int *p = malloc(4), *q = malloc(4); if (p == q) reach_error(); free(p); int *r = malloc(4); if (r == q) reach_error(); free(q); free(r); return 0; }
