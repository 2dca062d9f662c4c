// expect: no-data-race FALSE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct { unsigned a : 16, b : 16; } s;
void *other(void *p) { s.a = 1; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); s.b = 1; pthread_join(h, 0); return 0; }
