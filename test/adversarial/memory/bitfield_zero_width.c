// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct { unsigned char a : 4; unsigned char : 0; unsigned char b : 4; } s;
void *other(void *p) { s.a = 1; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, other, 0); s.b = 1; pthread_join(h, 0);
  if (s.a != 1 || s.b != 1) reach_error(); return 0; }
