// expect: unreach-call TRUE
// engines: explicit bmc?
// The order is unspecified, and does not change.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void);
int x, y; _Bool before, after;
void *other(void *p) { after = (int *)p < &y; return 0; }
int main(void) { pthread_t h; before = &x < &y; pthread_create(&h, 0, other, &x); pthread_join(h, 0); if (before != after || (&y < &x) == before) reach_error(); return 0; }
