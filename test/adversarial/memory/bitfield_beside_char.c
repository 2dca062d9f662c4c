// expect: no-data-race TRUE
// engines: explicit bmc?
// C11 3.14: a member between bit-fields keeps them apart, though the declared type would cover it.
#include <pthread.h>
extern void reach_error(void);
struct { unsigned a : 20; char c; unsigned b : 3; } s;
void *other(void *p) { s.a = 70000; return 0; }
void *third(void *p) { s.b = 5; return 0; }
int main(void) { pthread_t h, g; pthread_create(&h, 0, other, 0); pthread_create(&g, 0, third, 0); s.c = 1; pthread_join(h, 0); pthread_join(g, 0); return 0; }
