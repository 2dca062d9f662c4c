// expect: unreach-call FALSE
// engines: redcomp bmc
#include <pthread.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
pthread_rwlock_t m[2]; int x;
void *t(void *p){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0;
  pthread_rwlock_wrlock(&m[i]); x++; x--; pthread_rwlock_unlock(&m[i]); return 0; }
int main(void){ pthread_t h; pthread_rwlock_init(&m[0],0); pthread_rwlock_init(&m[1],0); pthread_create(&h,0,t,0);
  pthread_rwlock_wrlock(&m[0]); if (x) reach_error(); pthread_rwlock_unlock(&m[0]); pthread_join(h,0); return 0; }
