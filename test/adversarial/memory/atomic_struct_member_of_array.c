// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct s { int a, b, c; }; struct { int before; _Atomic struct s s; } box[2];
void *writer(void *p) { struct s n = { 1, 1, 1 }; box[1].s = n; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, writer, 0); struct s r; r = box[1].s; pthread_join(h, 0);
  if (r.a != r.b || r.b != r.c) reach_error(); return 0; }
