// expect: unreach-call FALSE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct s { int a, b; }; struct s x;
void *writer(void *p) { struct s n = { 1, 1 }; x = n; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, writer, 0); struct s r = x; pthread_join(h, 0);
  if (r.a != r.b) reach_error(); return 0; }
