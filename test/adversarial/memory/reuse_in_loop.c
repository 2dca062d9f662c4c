// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int *last;
int main(void) { for (int i = 0; i < 3; i++) { int *p = malloc(4); if (p == last) reach_error(); last = p; free(p); } return 0; }
