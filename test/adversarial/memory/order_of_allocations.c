// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) { char *p = malloc(8), *q = malloc(8); if (p > q) reach_error(); return 0; }
