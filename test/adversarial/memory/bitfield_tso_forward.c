// expect: unreach-call TRUE
// engines: explicit
// opts: --memory-model tso
#include <pthread.h>
extern void reach_error(void);
struct { unsigned a : 4, b : 4; } s;
void *other(void *p) { return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); s.a = 1; s.b = 2; s.a = 3; if (s.a != 3 || s.b != 2) reach_error(); return 0; }
