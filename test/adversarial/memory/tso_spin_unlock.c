// expect: unreach-call FALSE
// engines: explicit
// opts: --memory-model tso
// The store that unlocks may still be in the buffer, and so may the one before it.
#include <pthread.h>
extern void reach_error(void);
pthread_spinlock_t a, b; int x, y, r1, r2;
void *other(void *p) { pthread_spin_lock(&a); y = 1; pthread_spin_unlock(&a);  r2 = x; return 0; }
int main(void) { pthread_t h; pthread_spin_init(&a, 0); pthread_spin_init(&b, 0); pthread_create(&h, 0, other, 0); pthread_spin_lock(&b); x = 1; pthread_spin_unlock(&b);  r1 = y; pthread_join(h, 0);
  if (r1 == 0 && r2 == 0) reach_error(); return 0; }
