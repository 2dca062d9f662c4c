// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) { char *p = malloc(40); uintptr_t old = (uintptr_t)p; free(p); char *q = malloc(24); if ((uintptr_t)q == old) reach_error(); return 0; }
