// expect: unreach-call TRUE
// engines: explicit bmc?
// A block that is in use is not given out again.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) { char *p = malloc(8); char *old = p; free(p); char *q = malloc(4000); *q = 1; char *r = malloc(8); if (r == q) reach_error(); return 0; }
