// expect: unreach-call TRUE
// engines: explicit bmc?
#include <pthread.h>
extern void reach_error(void);
struct s { int a, b; }; _Atomic struct s x, y;
static struct s get(_Atomic struct s *p) { return *p; }
static int differs(struct s v) { return v.a != v.b; }
void *writer(void *p) { struct s n = { 2, 2 }; *(_Atomic struct s *)p = n; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, writer, &x); y = x; struct s r = get(&x); pthread_join(h, 0);
  if (differs(r) || differs(x) || differs(y)) reach_error(); return 0; }
