// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int x, y;
int main(void) { if ((uintptr_t)&x > (uintptr_t)&y) reach_error(); return 0; }
