// expect: unreach-call FALSE
// engines: redcomp bmc
#include <pthread.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
pthread_spinlock_t m[2]; unsigned x;
void *t(void *p){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; unsigned k = __VERIFIER_nondet_uint();
  pthread_spin_lock(&m[i]); x = k; x = 0; pthread_spin_unlock(&m[i]); return 0; }
int main(void){ pthread_t h; pthread_spin_init(&m[0],0); pthread_spin_init(&m[1],0); pthread_create(&h,0,t,0);
  pthread_spin_lock(&m[0]); if (x % 1000003u == 77777u) reach_error(); pthread_spin_unlock(&m[0]); pthread_join(h,0); return 0; }
