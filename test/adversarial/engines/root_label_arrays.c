// expect: unreach-call FALSE
// engines: impact?
#include <pthread.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int z; pthread_rwlock_t r[2] = {PTHREAD_RWLOCK_INITIALIZER,PTHREAD_RWLOCK_INITIALIZER}; pthread_t h1,h2;
void *t0(void *p){ z = 0; return 0; }
void *t1(void *p){ int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; pthread_rwlock_rdlock(&r[i]); pthread_rwlock_wrlock(&r[i]); if (z != 2) reach_error();  return 0; }
int main(void){ unsigned k = 0; while (__VERIFIER_nondet_int()) k++; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; pthread_create(&h1,0,t0,(void*)1); pthread_create(&h2,0,t1,(void*)1); pthread_rwlock_wrlock(&r[0]); pthread_rwlock_wrlock(&r[i]); __sync_fetch_and_add(&z, 1); pthread_rwlock_unlock(&r[i]); pthread_rwlock_unlock(&r[0]); if (z == 0 && k == 700000) reach_error(); return 0; }
