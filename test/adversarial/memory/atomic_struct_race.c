// expect: no-data-race FALSE
// engines: explicit bmc?
// The atomic side does not protect the other one.
#include <pthread.h>
extern void reach_error(void);
struct s { int a, b; }; _Atomic struct s x; struct s y;
void *writer(void *p) { y = x; return 0; }
int main(void) { pthread_t h; pthread_create(&h, 0, writer, 0); struct s r = y; pthread_join(h, 0); return r.a; }
