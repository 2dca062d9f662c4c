// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int a[6] = { 1, 2, 3, 4, 5, 6 };
int main(void) { memmove(a + 1, a, 4 * sizeof(int)); for (int i = 0; i < 4; i++) if (a[i + 1] != i + 1) reach_error(); return 0; }
