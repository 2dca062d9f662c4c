// expect: unreach-call TRUE
// engines: explicit
// opts: --memory-model tso
#include <pthread.h>
extern void reach_error(void);
pthread_spinlock_t l; int n;
void *other(void *p) { pthread_spin_lock(&l); n++; pthread_spin_unlock(&l); return 0; }
int main(void) { pthread_t h; pthread_spin_init(&l, 0); pthread_create(&h, 0, other, 0); other(0); pthread_join(h, 0);
  if (n != 2) reach_error(); return 0; }
